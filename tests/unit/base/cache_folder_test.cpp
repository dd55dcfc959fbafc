#include "lang/base/cache_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

using namespace sinter;

namespace {

/// A variable of the environment, as long as it lives.
class EnvironmentVariable {
public:
  /// Null: there is no such variable.
  EnvironmentVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~EnvironmentVariable() { set(before_ ? before_->c_str() : nullptr); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

private:
  void set(const char* value) const { value ? setenv(name_, value, 1) : unsetenv(name_); }

  const char* name_;
  std::optional<std::string> before_;
};

} // namespace

TEST_CASE("what can be made again lies where the user keeps such things") {
  const auto folder_with = [](const char* chosen, const char* base, const char* home) {
    const EnvironmentVariable variables[] = {
        {"SINTER_CACHE", chosen}, {"XDG_CACHE_HOME", base}, {"HOME", home}};
    return cache_folder();
  };
  CHECK(folder_with("/c", "/x", "/h") == "/c");
  CHECK(folder_with("off", "/x", "/h") == std::nullopt);
  CHECK(folder_with(nullptr, "/x", "/h") == "/x/sinter");
  CHECK(folder_with(nullptr, "x", "/h") == "/h/.cache/sinter"); // not from where one happens to be
  CHECK(folder_with(nullptr, nullptr, "/h") == "/h/.cache/sinter");
  CHECK(folder_with(nullptr, "", "h") == std::nullopt);
  CHECK(folder_with(nullptr, nullptr, nullptr) == std::nullopt);
}
