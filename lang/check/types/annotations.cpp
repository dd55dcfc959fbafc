#include "lang/check/types/annotations.h"

#include "lang/check/types/variables.h"
#include "lang/types/rewrite.h"

#include <unordered_map>

namespace sinter::check {

using namespace types;

namespace {

/// Puts solutions in the place of inference variables, everywhere in a type.
class Completer : public Rewriter {
public:
  Completer(TypeArena& arena, const Type* any) : Rewriter(arena), any_(any) {}

  const Type* complete(const Type* type) {
    auto [place, is_new] = done_.emplace(type, nullptr);
    if (is_new) {
      const Type* result = this->type(type);
      done_[type] = result;
      return result;
    }
    return place->second;
  }

protected:
  const Type* on_meta(const Type* type) override {
    MetaType& open = meta(type);
    return open.link = any_;
  }

private:
  const Type* any_;
  std::unordered_map<const Type*, const Type*> done_;
};

} // namespace

void Annotations::complete(TypeArena& arena, const Type* any) {
  Completer completer(arena, any);
  for (const Type** slot : slots_)
    if (*slot) *slot = completer.complete(*slot);
}

} // namespace sinter::check
