#include "repl/observing/profiler.h"

#include "repl/text/time_text.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace sinter::repl {

std::chrono::nanoseconds ProfileNode::own_time() const {
  std::chrono::nanoseconds own = time;
  for (const ProfileNode* child : children)
    own -= child->time;
  return std::max(own, std::chrono::nanoseconds{});
}

namespace {

/// As the module `intrinsics` calls it.
std::string_view operation_name(primitives::ArrayOperation operation) {
  static const std::map<primitives::ArrayOperation, std::string_view> names = [] {
    std::map<primitives::ArrayOperation, std::string_view> all;
    for (const primitives::Intrinsic& intrinsic : primitives::all_intrinsics())
      if (const auto* meaning = std::get_if<primitives::ArrayOperation>(&intrinsic.meaning))
        all.emplace(*meaning, intrinsic.name);
    return all;
  }();
  auto found = names.find(operation);
  return found == names.end() ? "operation" : found->second;
}

} // namespace

Profiler::Profiler(const SourceMap& sources) : sources_(sources) {
  begin_evaluation();
}

void Profiler::begin_evaluation() {
  nodes_.clear();
  nodes_.push_back({.name = "all", .calls = 1});
  running_.clear();
  current_ = &nodes_.front();
  began_ = Clock::now();
}

void Profiler::begin(std::string_view name, Span span, Watch& watch) {
  ProfileNode* node = nullptr;
  for (ProfileNode* around = current_; around && !node; around = around->parent)
    if (around->parent && around->span == span && around->name == name) node = around;
  if (!node) {
    auto known = std::ranges::find_if(current_->children, [&](const ProfileNode* child) {
      return child->span == span && child->name == name;
    });
    if (known != current_->children.end()) {
      node = *known;
    } else {
      node = &nodes_.emplace_back(
          ProfileNode{.name = std::string(name), .span = span, .parent = current_});
      current_->children.push_back(node);
    }
  }
  ++node->calls;
  ++node->running;
  running_.push_back({node, current_, Clock::now()});
  current_ = node;
  watch.site = node;
}

std::optional<Value> Profiler::call(const core::Function& function, std::span<const Value>,
                                    std::span<Value>, Watch& watch) {
  // What the prelude defines is seen as the operations that it applies.
  if (function.span.is_known() && !sources_.name(function.span.file).starts_with("/prelude"))
    begin(function.name, function.span, watch);
  return std::nullopt;
}

std::optional<Value> Profiler::array_operation(primitives::ArrayOperation operation,
                                               eval::Site<Concrete>& site, std::span<Value>,
                                               Watch& watch) {
  begin(operation_name(operation), site.span(), watch);
  return std::nullopt;
}

void Profiler::interpreted(const Watch& watch) noexcept {
  // Calls that an error ended are not told of; they end with the one around them.
  while (!running_.empty()) {
    const Running last = running_.back();
    running_.pop_back();
    if (--last.node->running == 0) last.node->time += Clock::now() - last.began;
    current_ = last.caller;
    if (last.node == watch.site) break;
  }
}

void Profiler::finish() {
  Watch everything;
  interpreted(everything);
  nodes_.front().time = Clock::now() - began_;
}

// ---- text --------------------------------------------------------------------------------------

namespace {

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string padded(std::string text, std::size_t width) {
  const auto columns = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
  if (columns < width) text.insert(0, width - columns, ' ');
  return text;
}

std::string percent(double part, double whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%", whole > 0 ? 100 * part / whole : 0.0);
  return text;
}

/// `share` of `width` columns, in eighths of a column.
std::string bar(double share, std::size_t width) {
  constexpr std::string_view eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto units = static_cast<std::size_t>(share * static_cast<double>(width) * 8 + 0.5);
  std::string text;
  for (std::size_t i = 0; i < std::min(units / 8, width); ++i)
    text += "█";
  if (units / 8 < width) text += eighths[units % 8];
  return text;
}

/// The source line of a place, shortened.
std::string source_line(const SourceMap& sources, Span span, std::size_t width) {
  if (!span.is_known() || width < 8) return {};
  std::string_view line = sources.line(span.file, sources.position(span.file, span.begin).line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  std::string text;
  std::size_t columns = 0;
  for (char c : line) {
    if ((c & 0xC0) != 0x80 && ++columns > width - 1) return text + "…";
    text += c;
  }
  return text;
}

std::string place(const SourceMap& sources, Span span) {
  if (!span.is_known()) return {};
  return std::string(sources.name(span.file)) + ":" +
         std::to_string(sources.position(span.file, span.begin).line);
}

/// What is spent in one place by one function or operation, wherever it was called from.
struct Row {
  std::string name;
  Span span;
  std::uint64_t calls = 0;
  std::chrono::nanoseconds own{};
};

std::vector<Row> rows_of(const ProfileNode& root) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, Row> rows;
  std::vector<const ProfileNode*> open(root.children.begin(), root.children.end());
  while (!open.empty()) {
    const ProfileNode* node = open.back();
    open.pop_back();
    Row& row = rows[{node->span.file.index, node->span.begin, node->name}];
    row.name = node->name;
    row.span = node->span;
    row.calls += node->calls;
    row.own += node->own_time();
    open.insert(open.end(), node->children.begin(), node->children.end());
  }
  std::vector<Row> sorted;
  for (auto& [key, row] : rows)
    sorted.push_back(std::move(row));
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Row::own);
  return sorted;
}

void add_tree(std::string& out, const ProfileNode& node, double whole, std::size_t depth,
              std::size_t bar_width, const SourceMap& sources) {
  constexpr double least_share = 0.01;
  constexpr std::size_t deepest = 24;
  const double share = whole > 0 ? seconds(node.time) / whole : 0;
  if (share < least_share || depth > deepest) return;
  std::string filled = bar(share, bar_width);
  out += padded(percent(seconds(node.time), whole), 6) + " " + filled +
         std::string(bar_width - std::min(bar_width,
                                          static_cast<std::size_t>(std::ranges::count_if(
                                              filled, [](char c) { return (c & 0xC0) != 0x80; }))),
                     ' ') +
         " " + std::string(2 * depth, ' ') + node.name;
  if (const std::string where = place(sources, node.span); !where.empty()) out += "  " + where;
  out += "\n";
  std::vector<const ProfileNode*> children(node.children.begin(), node.children.end());
  std::ranges::stable_sort(children, std::ranges::greater{}, &ProfileNode::time);
  for (const ProfileNode* child : children)
    add_tree(out, *child, whole, depth + 1, bar_width, sources);
}

} // namespace

std::string profile_text(const SourceMap& sources, const ProfileNode& root, std::size_t width) {
  constexpr std::size_t row_limit = 20;
  const double whole = seconds(root.time);
  std::string out = time_text(whole) + ", interpreted\n";
  const std::vector<Row> rows = rows_of(root);
  if (rows.empty()) return out + "(no calls and no array operations)\n";
  out += "   own       time      calls  what\n";
  for (std::size_t i = 0; i < std::min(rows.size(), row_limit); ++i) {
    const Row& row = rows[i];
    std::string line = padded(percent(seconds(row.own), whole), 6) + " " +
                       padded(time_text(seconds(row.own)), 10) + " " +
                       padded(std::to_string(row.calls), 10) + "  " + row.name + "  " +
                       place(sources, row.span);
    const std::size_t left = width > line.size() + 3 ? width - line.size() - 3 : 0;
    if (const std::string text = source_line(sources, row.span, left); !text.empty())
      line += ": " + text;
    out += line + "\n";
  }
  if (rows.size() > row_limit)
    out += "(and " + std::to_string(rows.size() - row_limit) + " more)\n";
  out += "\n";
  const std::size_t bar_width = std::clamp<std::size_t>(width / 4, 10, 30);
  add_tree(out, root, whole, 0, bar_width, sources);
  return out;
}

} // namespace sinter::repl
