// Changes of a prompt's scope that check nothing: what a session needs to take inputs back, to keep
// results under several names, and to put a scope together anew.
#pragma once

#include "lang/check/checker.h"

#include <memory>
#include <string_view>
#include <vector>

namespace sinter::check {

/// Whether a name means a value there, or in the prelude.
bool has_value(const Checker::PromptScope& scope, std::string_view name);
/// A scope with the same names that goes its own way from now on.
std::shared_ptr<Checker::PromptScope> copy(const Checker::PromptScope& scope);
/// Adds declarations that were checked before, in this scope or another one, with the names that
/// they brought there.
void adopt(Checker::PromptScope& scope, const std::vector<const syntax::Declaration*>& declarations,
           const Environment& names);
/// Lets `name`, which must live as long as the scope, mean what the value `existing` means.
void alias(Checker::PromptScope& scope, std::string_view name, std::string_view existing);
/// Takes a name of the prompt (of any kind) out of the scope.
void hide(Checker::PromptScope& scope, std::string_view name);

} // namespace sinter::check
