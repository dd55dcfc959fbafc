#include "jit/passes/index_reads.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

class Reader {
public:
  Reader(Function& function, const std::function<bool(ValueId)>& is_meant)
      : function_(function), is_meant_(is_meant) {}

  void body(Body& body) {
    for (Statement& statement : body.statements) {
      if (is_strided_view(statement.operation))
        note_view(statement.results[0], source_array(statement.operation));
      if (auto* soac = std::get_if<Soac>(&statement.operation)) rewrite(*soac, statement.span);
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    }
  }

private:
  bool is_view(ValueId array) const { return is_meant_(array) || views_.contains(array.index); }
  void note_view(ValueId result, ValueId of) {
    if (!function_.type(result).is_scalar() && is_view(of)) views_.insert(result.index);
  }

  void rewrite(Soac& soac, Span span) const {
    std::vector<Statement> reads;
    for (std::size_t i = soac.inputs.size(); i-- > 0;) {
      if (!is_view(soac.inputs[i])) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      reads.push_back({{soac.body.parameters[i + 1]},
                       ir::Index{soac.inputs[i], {soac.body.parameters[0]}},
                       span});
      soac.inputs.erase(soac.inputs.begin() + at);
      soac.body.parameters.erase(soac.body.parameters.begin() + at + 1);
    }
    soac.body.statements.insert(soac.body.statements.begin(),
                                std::make_move_iterator(reads.begin()),
                                std::make_move_iterator(reads.end()));
  }

  Function& function_;
  const std::function<bool(ValueId)>& is_meant_;
  std::unordered_set<std::uint32_t> views_;
};

} // namespace

void read_by_index(Function& function, const std::function<bool(ValueId)>& is_meant) {
  Reader(function, is_meant).body(function.body);
}

} // namespace sinter::jit
