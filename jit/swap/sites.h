// The sites of what the evaluator offers, named when they are first met.
//
// Must not know: what is compiled for a site.
#pragma once

#include "jit/swap/profile.h"
#include "jit/swap/situation.h"
#include "jit/trace/targets.h"

#include <unordered_map>

namespace sinter::jit {

class Sites {
public:
  explicit Sites(const Evaluation& evaluation) : evaluation_(evaluation) {}

  Site& of(const core::Function& function);
  Site& of(const core::Expr& expression);
  Site& of(primitives::ArrayOperation operation, const eval::Site<Concrete>& site);
  Site& of_loop(const core::Expr& loop);
  /// What an expression reads, and a loop between two iterations.
  const FrameInputs& inputs_of(const core::Expr& expression);
  const FrameInputs& inputs_of_loop(const core::Expr& loop);

  Profile& profile() { return profile_; }
  const Profile& profile() const { return profile_; }

private:
  Site& met(const SiteKey& key) { return profile_.site(key, evaluation_.number); }

  const Evaluation& evaluation_;
  Profile profile_;
  std::unordered_map<const core::Expr*, FrameInputs> loop_inputs_, expression_inputs_;
};

} // namespace sinter::jit
