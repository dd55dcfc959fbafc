#include "src/packages/project.h"

#include "lang/values/format.h"

#include <algorithm>
#include <filesystem>

namespace sinter::packages {

namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "futhark.pkg";
constexpr const char* lock_name = "futhark.lock";
constexpr const char* staging_name = "lib~new"; ///< until all files are there

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void remove_folder(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw FormatError("cannot remove `" + path + "`: " + error.message());
}

/// Folders above a package's that have nothing in them any more, up to `lib`.
void remove_empty_folders(const fs::path& root, fs::path folder) {
  std::error_code error;
  while (folder != root && fs::is_empty(folder, error) && !error) {
    fs::remove(folder, error);
    folder = folder.parent_path();
  }
}

void move_folder(const std::string& from, const std::string& to) {
  remove_folder(to);
  std::error_code error;
  fs::create_directories(fs::path(to).parent_path(), error);
  if (!error) fs::rename(from, to, error);
  if (error) throw FormatError("cannot write `" + to + "`: " + error.message());
}

const Locked* find(const std::vector<Locked>& locked, const Path& path) {
  const auto found = std::ranges::find(locked, path, &Locked::path);
  return found == locked.end() ? nullptr : &*found;
}

} // namespace

Project::Project(std::string root, TransportOptions options)
    : root_(std::move(root)), options_(std::move(options)) {
  const std::string manifest = root_ + "/" + manifest_name, lock = root_ + "/" + lock_name;
  if (exists(manifest)) manifest_ = Manifest::parse(read_file_bytes(manifest), manifest_name);
  if (exists(lock)) locked_ = parse_lock(read_file_bytes(lock), lock_name);
}

Repository& Project::repository(const Path& path) {
  const std::string name = path.repository();
  return repositories_.try_emplace(name, name, options_).first->second;
}

void Project::refresh(const Path& path) {
  Repository& from = repository(path);
  if (!is_fresh_.emplace(path.repository(), true).second) return;
  if (!from.fetch() && !options_.is_offline)
    remarks_.push_back("cannot reach " + from.address() + ": the copy of it is used");
}

std::string Project::commit_of(const Path& path, const Version& version) {
  Repository& from = repository(path);
  std::string commit = from.is_cached() ? from.commit_of(version) : "";
  if (commit.empty()) {
    refresh(path);
    commit = from.commit_of(version);
  }
  if (!commit.empty()) return commit;
  std::string known;
  for (const Version& one : from.versions())
    if (path.takes(one)) known += (known.empty() ? "" : ", ") + one.text();
  throw FormatError(path.text + " has no version " + version.text() +
                    (known.empty() ? ", nor any other" : "; there are " + known));
}

const Manifest& Project::manifest_of(const Path& path, const Version& version) {
  const auto key = std::pair(path, version.text());
  if (auto known = manifests_.find(key); known != manifests_.end()) return known->second;
  const std::string commit = commit_of(path, version);
  const std::string name = path.text + " " + version.text() + ", " + manifest_name;
  Manifest manifest = Manifest::parse(repository(path).file(commit, manifest_name), name);
  if (manifest.package() != path)
    throw FormatError(
        name + ": it is " +
        (manifest.package() ? "the package " + manifest.package()->text : "no package") + ", not " +
        path.text);
  return manifests_.emplace(key, std::move(manifest)).first->second;
}

std::optional<Version> Project::newest(const Path& path) {
  std::optional<Version> newest;
  for (Version& version : repository(path).versions())
    if (path.takes(version) && version.pre_release.empty()) newest = std::move(version);
  return newest;
}

Version Project::add(const Path& path, std::optional<Version> version) {
  if (manifest_.package() == path) throw FormatError(path.text + " is this package itself");
  if (version && !path.takes(*version))
    throw FormatError("version " + version->text() + " is not one of " + path.text +
                      ": from 2 on the major version is a part of the path, as in " +
                      path.repository() + "@2");
  if (!version) {
    refresh(path);
    version = newest(path);
    if (!version) throw FormatError(path.text + " has no version: no tag such as v1.0.0");
  }
  const std::string commit = commit_of(path, *version);
  manifest_of(path, *version);
  manifest_.require({path, *version, commit});
  return *version;
}

void Project::remove(const Path& path) {
  if (!manifest_.remove(path))
    throw FormatError(std::string(manifest_name) + " does not require " + path.text);
}

std::vector<Project::Upgrade> Project::upgrade() {
  std::vector<Upgrade> upgrades;
  const std::vector<Requirement> before = manifest_.requirements();
  for (const Requirement& one : before) {
    refresh(one.path);
    const std::optional<Version> now = newest(one.path);
    if (!now || *now <= one.version) continue;
    manifest_.require({one.path, *now, commit_of(one.path, *now)});
    upgrades.push_back({one.path, one.version, *now});
  }
  return upgrades;
}

void Project::save() const {
  write_file_bytes(root_ + "/" + manifest_name, manifest_.text());
}

void Project::require_same_commit(const Path& path, const Version& version,
                                  const std::string& commit, const std::string& expected,
                                  const std::string& place) const {
  if (commit.starts_with(expected)) return;
  throw FormatError("version " + version.text() + " of " + path.text + " is commit " + commit +
                    " now, but " + place + " says " + expected +
                    ": somebody has changed what was published");
}

std::vector<Locked> Project::select() {
  const Selection selection =
      select_versions(manifest_, [&](const Path& path, const Version& version) -> const Manifest& {
        return manifest_of(path, version);
      });
  std::vector<Locked> selected;
  for (const auto& [path, version] : selection) {
    const std::string commit = commit_of(path, version);
    if (const Locked* known = find(locked_, path); known && known->version == version)
      require_same_commit(path, version, commit, known->commit, lock_name);
    const std::string tree = repository(path).tree_of(commit, folder_of(path));
    if (tree.empty())
      throw FormatError(path.text + " " + version.text() + " has no folder `" + folder_of(path) +
                        "`");
    selected.push_back({path, version, commit, tree});
  }
  auto compare = [&](const Manifest& manifest, const std::string& place) {
    for (const Requirement& one : manifest.requirements())
      if (const Locked* found = find(selected, one.path);
          found && found->version == one.version && !one.commit.empty())
        require_same_commit(one.path, one.version, found->commit, one.commit, place);
  };
  compare(manifest_, manifest_name);
  for (const auto& [key, manifest] : manifests_)
    compare(manifest, key.first.text + " " + key.second);
  return selected;
}

bool Project::is_changed(const Locked& package) {
  if (!exists(root_ + "/" + folder_of(package.path))) return false;
  Repository& from = repository(package.path);
  if (!from.is_cached() || !from.has_commit(package.commit)) refresh(package.path);
  return from.tree_of_files(package.commit, root_, folder_of(package.path)) != package.tree;
}

std::vector<Locked> Project::sync(bool force) {
  const std::vector<Locked> selected = select();
  for (const Locked& one : locked_)
    if (!force && is_changed(one))
      throw FormatError("somebody has changed files in `" + folder_of(one.path) +
                        "`; `sinter pkg sync --force` replaces them");
  const std::string staging = root_ + "/" + staging_name;
  remove_folder(staging);
  std::error_code error;
  fs::create_directories(staging, error);
  if (error) throw FormatError("cannot make `" + staging + "`: " + error.message());
  for (const Locked& one : selected)
    repository(one.path).check_out(one.commit, folder_of(one.path), staging);
  for (const Locked& one : locked_) {
    if (find(selected, one.path) || manifest_.package() == one.path) continue;
    const std::string folder = root_ + "/" + folder_of(one.path);
    remove_folder(folder);
    remove_empty_folders(root_, fs::path(folder).parent_path());
  }
  for (const Locked& one : selected)
    move_folder(staging + "/" + folder_of(one.path), root_ + "/" + folder_of(one.path));
  remove_folder(staging);
  write_file_bytes(root_ + "/" + lock_name, lock_text(selected));
  locked_ = selected;
  return selected;
}

std::vector<std::string> Project::check() {
  std::vector<std::string> faults;
  if (manifest_.package() && !exists(root_ + "/" + folder_of(*manifest_.package())))
    faults.push_back("this package has no folder `" + folder_of(*manifest_.package()) + "`");
  for (const Locked& one : select()) {
    const Locked* known = find(locked_, one.path);
    if (!known || !exists(root_ + "/" + folder_of(one.path)))
      faults.push_back(one.path.text + " is not in lib/: `sinter pkg sync` puts it there");
    else if (known->version != one.version)
      faults.push_back("lib/ has version " + known->version.text() + " of " + one.path.text +
                       ", not " + one.version.text() + ": `sinter pkg sync` changes it");
    else if (is_changed(*known))
      faults.push_back("somebody has changed files in `" + folder_of(one.path) + "`");
  }
  return faults;
}

} // namespace sinter::packages
