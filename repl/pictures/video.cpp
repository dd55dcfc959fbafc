#include "repl/pictures/video.h"

#include "lang/values/elements.h"

namespace sinter::repl {

namespace {

/// The representation of an array that a function made, whose type the outside does not know.
const Representation* type_of_array(const Value& value, Representations& representations) {
  if (!value.is_array()) throw FormatError("a frame of the video is no image");
  return representations.array(static_cast<std::uint32_t>(value.array()->shape.size()),
                               value.array()->element);
}

bool is_stepper(const Value& value) {
  return value.kind() == Value::Kind::Record && value.fields().size() == 3 &&
         value.fields()[0].is_function() && value.fields()[2].is_scalar();
}

} // namespace

std::function<std::optional<Image>()> frames_of(const Value& value, const Representation* type,
                                                Evaluator& evaluator,
                                                Representations& representations) {
  if (type->is_record() && is_stepper(value)) {
    const Representation* count_type = type->record().fields[2].type;
    if (!is_integer(count_type->scalar()))
      throw FormatError("the number of frames must be an integer, not " + print(count_type));
    auto count = value.fields()[2].scalar().as<std::int64_t>();
    return [=, &evaluator, &representations, step = value.fields()[0], state = value.fields()[1],
            done = std::int64_t{0}]() mutable -> std::optional<Image> {
      if (done++ >= count) return std::nullopt;
      std::vector<Value> arguments;
      arguments.push_back(std::move(state));
      Value result = evaluator.apply(step, std::move(arguments));
      if (result.kind() != Value::Kind::Record || result.fields().size() != 2)
        throw FormatError("a step of a video must give (image, state)");
      state = result.fields()[1];
      const Value& image = result.fields()[0];
      return image_of(image, type_of_array(image, representations));
    };
  }
  bool images = type->is_array() && type->array().rank >= 3 &&
                is_image_type(indexed(representations, type, 1));
  if (!images)
    throw FormatError("a value of type " + print(type) +
                      " is no video; videos are arrays of images, or (state -> (image, state), "
                      "state, number of frames)");
  const Representation* frame = indexed(representations, type, 1);
  return [=, array = value.array(), at = std::int64_t{0}]() mutable -> std::optional<Image> {
    if (at >= array->shape[0]) return std::nullopt;
    Image image = image_of(get_element(array, at), frame);
    ++at;
    return image;
  };
}

} // namespace sinter::repl
