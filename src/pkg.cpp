// sinter pkg: the packages of a project.
#include "src/command.h"
#include "src/options.h"
#include "src/packages/project.h"

#include <cstdlib>
#include <iostream>

namespace sinter {

namespace {

using packages::Locked;
using packages::Path;
using packages::Project;
using packages::Requirement;
using packages::TransportOptions;
using packages::Version;

struct PackageOptions {
  std::string action;
  std::vector<std::string> words;
  std::string base;
  std::string folder = ".";
  bool is_offline = false;
  bool force = false;
};

Path path_in(const PackageOptions& options) {
  if (options.words.empty()) throw UsageError("`" + options.action + "` needs a package's path");
  const std::string& text = options.words.front();
  std::optional<Path> path = Path::parse(text);
  if (!path)
    throw UsageError("`" + text + "` is no path of a package, such as github.com/user/name");
  return *path;
}

void expect_words(const PackageOptions& options, std::size_t most) {
  if (options.words.size() > most)
    throw UsageError("`" + options.action + "` does not take `" + options.words[most] + "`");
}

void show(const std::vector<Locked>& selected) {
  for (const Locked& one : selected)
    std::cout << "lib/" << one.path.text << ": " << one.version.text() << "\n";
}

int add(Project& project, const PackageOptions& options) {
  expect_words(options, 2);
  const Path path = path_in(options);
  std::optional<Version> version;
  if (options.words.size() == 2 && !(version = Version::parse(options.words[1])))
    throw UsageError("`" + options.words[1] + "` is no version, such as 1.2.3");
  project.add(path, version);
  const std::vector<Locked> selected = project.sync(options.force);
  project.save();
  show(selected);
  return exit_success;
}

int remove(Project& project, const PackageOptions& options) {
  expect_words(options, 1);
  project.remove(path_in(options));
  project.sync(options.force);
  project.save();
  return exit_success;
}

int upgrade(Project& project, const PackageOptions& options) {
  expect_words(options, 0);
  const std::vector<Project::Upgrade> upgrades = project.upgrade();
  project.sync(options.force);
  project.save();
  for (const Project::Upgrade& one : upgrades)
    std::cout << one.path.text << ": " << one.before.text() << " -> " << one.now.text() << "\n";
  return exit_success;
}

int sync(Project& project, const PackageOptions& options) {
  expect_words(options, 0);
  show(project.sync(options.force));
  return exit_success;
}

int list(Project& project, const PackageOptions& options) {
  expect_words(options, 0);
  for (const Locked& one : project.select()) {
    std::cout << one.path.text << " " << one.version.text();
    const Requirement* direct = project.manifest().find(one.path);
    if (!direct) std::cout << ", for another package";
    if (direct && direct->version != one.version)
      std::cout << ", as another package needs it (not " << direct->version.text() << ")";
    const std::optional<Version> newest = project.newest(one.path);
    if (newest && *newest > one.version) std::cout << "; there is " << newest->text();
    std::cout << "\n";
  }
  return exit_success;
}

int check(Project& project, const PackageOptions& options) {
  expect_words(options, 0);
  const std::vector<std::string> faults = project.check();
  for (const std::string& fault : faults)
    std::cerr << "sinter: error: " << fault << "\n";
  return faults.empty() ? exit_success : exit_rejected;
}

struct Action {
  std::string_view name;
  int (*run)(Project& project, const PackageOptions& options);
};
constexpr Action actions[] = {{"add", add},   {"remove", remove}, {"upgrade", upgrade},
                              {"sync", sync}, {"list", list},     {"check", check}};

int run(const PackageOptions& options) {
  TransportOptions transport;
  const char* base = std::getenv("SINTER_PACKAGES");
  if (!options.base.empty() || (base && *base))
    transport.base = packages::checked_base(options.base.empty() ? base : options.base);
  transport.cache = packages::default_cache();
  transport.is_offline = options.is_offline;
  Project project(options.folder, std::move(transport));
  for (const Action& action : actions) {
    if (action.name != options.action) continue;
    const int code = action.run(project, options);
    for (const std::string& remark : project.remarks())
      std::cerr << "sinter: warning: " << remark << "\n";
    return code;
  }
  return exit_rejected;
}

} // namespace

std::function<int()> define_pkg(Options& command_line) {
  auto options = std::make_shared<PackageOptions>();
  std::vector<std::string> names;
  for (const Action& action : actions)
    names.emplace_back(action.name);
  command_line.add_option("ACTION", options->action, "What to do").required().one_of(names);
  command_line.add_option("PACKAGE", options->words,
                          "Of `add` and `remove`: the package's path; of `add` perhaps a version "
                          "behind it, else the newest is taken");
  command_line
      .add_option("--from", options->base,
                  "Where the repositories lie instead of https://: file:///FOLDER or "
                  "https://HOST/FOLDER (also: SINTER_PACKAGES)")
      .value_name("ADDRESS");
  command_line.add_option("--project", options->folder, "The folder with futhark.pkg and lib")
      .value_name("FOLDER")
      .show_default();
  command_line.add_flag("--offline", options->is_offline, "Use what was fetched before, only");
  command_line.add_flag("--force", options->force, "Replace files that somebody has changed");
  command_line.footer(
      "`add` requires a package in futhark.pkg, `remove` does no longer, `upgrade` requires the\n"
      "newest version of each; `sync` puts what is required into lib, with what that requires,\n"
      "and so do these three.  `list` shows what is selected, `check` what is wrong.\n"
      "Of each package the least version is taken that everybody accepts; futhark.lock notes it\n"
      "with the hashes of its files.  A program imports \"lib/github.com/user/name/file\".\n"
      "Examples:\n"
      "  sinter pkg add github.com/diku-dk/sorts\n"
      "  sinter pkg add github.com/diku-dk/sorts 0.4.1\n"
      "  sinter pkg sync");
  return [options] { return run(*options); };
}

} // namespace sinter
