// The repository of a package, by way of a copy that this user keeps: what was fetched once is
// there without a network.
#pragma once

#include "src/packages/manifest.h"

#include <map>
#include <string>
#include <vector>

namespace sinter::packages {

struct TransportOptions {
  /// What stands before a package's path in the address of its repository: "https://", or
  /// "file:///folder/" and "https://host/folder/" for copies of them.
  std::string base = "https://";
  std::string cache; ///< the folder for the copies
  bool is_offline = false;
};

/// "https://" or "file://" with something behind it gets a slash at its end.  Throws FormatError
/// for other protocols.
std::string checked_base(const std::string& text);
/// Where this user's copies lie: `$XDG_CACHE_HOME/sinter/packages`, else under `~/.cache`.
std::string default_cache();

class Repository {
public:
  Repository(std::string path, const TransportOptions& options);

  const std::string& address() const { return address_; }
  /// Makes the copy, or brings it up to date.  Where that fails but there is a copy, this returns
  /// false; throws FormatError if there is none.
  bool fetch();
  bool is_cached() const;

  /// The tags `vX.Y.Z` in the copy, in ascending order.
  std::vector<Version> versions() const;
  /// What the tag of a version means; empty if there is no such tag.
  std::string commit_of(const Version& version) const;
  bool has_commit(const std::string& commit) const;
  /// The hash of a folder at a commit; empty if it is not there.
  std::string tree_of(const std::string& commit, const std::string& folder) const;
  /// The hash that a folder's files would have, those of a commit changed.
  std::string tree_of_files(const std::string& commit, const std::string& root,
                            const std::string& folder) const;
  /// A file at a commit; throws FormatError if it is not there.
  std::string file(const std::string& commit, const std::string& name) const;
  /// Writes the files of a folder at a commit to the folder of the same name under `root`.
  void check_out(const std::string& commit, const std::string& folder,
                 const std::string& root) const;

private:
  std::vector<std::string> words(std::vector<std::string> arguments) const;

  std::string address_;
  std::string copy_; ///< a bare repository
  bool is_offline_;
};

} // namespace sinter::packages
