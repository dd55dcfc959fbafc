// A project's packages: its `futhark.pkg`, the files of the packages under `lib/`, and
// `futhark.lock`, which says of each what is there.  A tag that comes to mean another commit is an
// error.
#pragma once

#include "src/packages/lock.h"
#include "src/packages/manifest.h"
#include "src/packages/repository.h"
#include "src/packages/selection.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinter::packages {

class Project {
public:
  /// In the folder `root`, which may have no futhark.pkg yet.  Throws FormatError.
  Project(std::string root, TransportOptions options);

  const Manifest& manifest() const { return manifest_; }
  const std::vector<Locked>& locked() const { return locked_; }

  /// Requires a package, of the newest version if none is given; returns the version.
  Version add(const Path& path, std::optional<Version> version);
  void remove(const Path& path);
  struct Upgrade {
    Path path;
    Version before, now;
  };
  /// The newest version of each package that futhark.pkg requires.
  std::vector<Upgrade> upgrade();
  /// Writes futhark.pkg as it was changed.
  void save() const;

  /// What futhark.pkg asks for; fetches what is not there.
  std::vector<Locked> select();
  /// Makes `lib/` have that, and notes it.  Files that somebody has changed are left, with an
  /// error, unless `force`.  Returns what was selected.
  std::vector<Locked> sync(bool force);
  /// What is wrong, a line each.
  std::vector<std::string> check();

  /// The newest version of a package that is known; none if it has no release.
  std::optional<Version> newest(const Path& path);
  /// What was done otherwise than asked for: "cannot reach …: using the copy of it".
  const std::vector<std::string>& remarks() const { return remarks_; }

private:
  Repository& repository(const Path& path);
  /// Fetches, if that was not done already.
  void refresh(const Path& path);
  std::string commit_of(const Path& path, const Version& version);
  const Manifest& manifest_of(const Path& path, const Version& version);
  void require_same_commit(const Path& path, const Version& version, const std::string& commit,
                           const std::string& expected, const std::string& place) const;
  bool is_changed(const Locked& package);
  std::string folder_of(const Path& path) const { return "lib/" + path.text; }

  std::string root_;
  TransportOptions options_;
  Manifest manifest_;
  std::vector<Locked> locked_;
  std::map<std::string, Repository> repositories_;
  std::map<std::string, bool> is_fresh_; ///< of the repositories that were fetched
  std::map<std::pair<Path, std::string>, Manifest> manifests_;
  std::vector<std::string> remarks_;
};

} // namespace sinter::packages
