// Posts become SOACs of their own (post.h).
#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/post.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

class PostSplitter {
public:
  explicit PostSplitter(Function& function) : function_(function) {}

  void body(Body& body) {
    std::vector<Statement> statements;
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      const auto* soac = std::get_if<Soac>(&statement.operation);
      if (soac && has_post(*soac))
        split(statement, statements);
      else
        statements.push_back(std::move(statement));
    }
    body.statements = std::move(statements);
  }

private:
  void split(Statement& statement, std::vector<Statement>& out) {
    Soac& soac = std::get<Soac>(statement.operation);
    Statement whole{{}, Soac{soac.extent, soac.inputs, std::move(soac.body), {}}, statement.span};
    Soac& scans = std::get<Soac>(whole.operation);
    const std::vector<Operand> body_results = std::exchange(scans.body.results, {});
    std::vector<Statement> consumers;
    for_each_group(soac, [&](Group& group, std::size_t from, std::size_t to) {
      const GroupArity size = arity(group);
      const auto taken = std::span(body_results).subspan(from, size.body_results);
      const auto results = std::span(statement.results).subspan(to, size.results);
      if (!post_of(group)) {
        scans.body.results.insert(scans.body.results.end(), taken.begin(), taken.end());
        whole.results.insert(whole.results.end(), results.begin(), results.end());
        scans.groups.push_back(std::move(group));
        return;
      }
      auto& scan = std::get<ScanGroup>(group);
      Post post = std::move(scan.post[0]);
      const std::size_t count = scan.neutral.size();
      scan.post.clear();
      Soac consumer{scans.extent, {}, std::move(post.body), std::move(post.groups)};
      scans.groups.push_back(std::move(scan));
      for (std::size_t i = 0; i < taken.size(); ++i)
        consumer.inputs.push_back(i < count ? stored(taken[i], whole) : passed(taken[i], whole));
      consumers.push_back({{results.begin(), results.end()}, std::move(consumer), statement.span});
    });
    out.push_back(std::move(whole));
    std::ranges::move(consumers, std::back_inserter(out));
  }

  /// An array of what the body yields.
  ValueId stored(const Operand& element, Statement& whole) {
    Soac& soac = std::get<Soac>(whole.operation);
    const ValueId array = function_.add_value({function_.type(element).element, {soac.extent}});
    soac.body.results.push_back(element);
    whole.results.push_back(array);
    return array;
  }
  /// The same, of what goes by the scan: an input, if it is one's element.
  ValueId passed(const Operand& element, Statement& whole) {
    Soac& soac = std::get<Soac>(whole.operation);
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      if (element == Operand(soac.body.parameters[i + 1])) return soac.inputs[i];
    soac.groups.emplace_back(MapGroup{});
    return stored(element, whole);
  }

  Function& function_;
};

} // namespace

void split_posts(Function& function) {
  PostSplitter(function).body(function.body);
}

} // namespace sinter::jit
