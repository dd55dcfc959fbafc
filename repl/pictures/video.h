// Videos: sequences of images.
#pragma once

#include "lang/eval/evaluator.h"
#include "repl/pictures/image.h"

#include <functional>
#include <optional>

namespace sinter::repl {

/// The frames of a video one by one, nothing after the last: of an array of images ([n][h][w]t), or
/// of `(step, state, n)` with `step: state -> (image, state)`, which is applied n times, each time
/// when a frame is asked for.  Throws FormatError for other values; the frames may throw it too,
/// and RuntimeError.  What is passed must outlive the result.
std::function<std::optional<Image>()> frames_of(const Value& value, const Representation* type,
                                                Evaluator& evaluator,
                                                Representations& representations);

} // namespace sinter::repl
