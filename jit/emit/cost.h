// What running a SOAC costs with lanes along its own index, and with lanes inside of it.
//
// An estimate in additions (ir/costs.h): each access to memory is judged by how its place depends
// on the lane (not at all: one load; by one element: a contiguous vector; otherwise: a gather),
// each loop is counted by its extent, or by a guess.
#pragma once

#include "jit/emit/plan.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace sinter::jit {

class CostModel {
public:
  CostModel(const ir::Function& function, unsigned width, AlongRows along_rows);
  /// Whether lanes should run along this SOAC, which is in scalar code, rather than inside of it.
  /// What is around it must have been seen (`enter`).
  bool prefers_lanes(const ir::Soac& soac);
  /// Takes note of a body's statements in front of and around the SOACs in it.
  void enter(const ir::Body& body);
  void enter(const ir::Soac& soac);

  /// Whether lanes along the SOAC's elements each go along rows of memory of their own.
  bool turns_rows(const ir::Soac& soac);

private:
  /// How a number, or the place of an array's first element, depends on the lane.
  enum class Dependence : std::uint8_t { None, Unit, Other };
  struct Known {
    Dependence place = Dependence::None;
    std::vector<bool> has_unit_stride; ///< of an array's dimensions
  };
  enum class Code : std::uint8_t { Scalar, Lanes };

  double cost(const ir::Body& body, Code code);
  double cost(const ir::Statement& statement, Code code);
  template <typename OperationType>
  double cost_of(const ir::Statement& statement, const OperationType& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::If& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::For& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::While& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::Soac& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::Primitive& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::Index& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::Update& op, Code code);
  double cost_of(const ir::Statement& statement, const ir::ArrayLiteral& op, Code code);
  double cost_of_range(const ir::Soac& soac);  ///< of all elements, lanes along them
  double cost_of_lanes(const ir::Soac& soac);  ///< of W elements, lanes along them
  double cost_of_scalar(const ir::Soac& soac); ///< of one element, lanes inside
  bool may_turn(const ir::Operand& extent) const;
  bool goes_along_rows(const ir::Soac& soac) const;
  double cost_of_element(const ir::Soac& soac, const Known& index, Code code);
  double cost_of_groups(const ir::Soac& soac, bool across_lanes, Code code);
  struct GroupCode {
    const ir::Operand& result; ///< the first one of the body that the group takes
    bool across_lanes;
    Code code;
  };
  double cost_of_post(const ir::Post& post, const GroupCode& at);
#define SINTER_IR_GROUP(Kind, ...)                                                                 \
  double cost_of_group(const ir::Kind##Group& group, const GroupCode& at);
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
  double cost_of_operator(const ir::Body& op, Code code);
  double cost_of_access(Dependence place, Code code);
  double trips(const ir::Operand& extent, double step) const;

  bool is_narrow(const ir::Operand& operand) const;
  Known known(const ir::Operand& operand) const;
  std::vector<Known> known(std::span<const ir::Operand> operands) const;
  void note_fresh(std::span<const ir::ValueId> values, Code code);
  Known fresh(const ir::Type& type, Code code) const;
  static Dependence sum(Dependence a, Dependence b);
  Dependence element_place(const Known& array, std::span<const Known> indices) const;
  Known view(const ir::Statement& statement) const;
  template <typename OperationType>
  Known view_of(const ir::Statement& statement, const OperationType& op) const;
  Known view_of(const ir::Statement& statement, const ir::Index& op) const;
  Known view_of(const ir::Statement& statement, const ir::Slice& op) const;
  Known view_of(const ir::Statement& statement, const ir::Transpose& op) const;
  Known view_of(const ir::Statement& statement, const ir::Reshape& op) const;
  Known view_of(const ir::Statement& statement, const ir::Primitive& op) const;

  const ir::Function& function_;
  double width_;
  AlongRows along_rows_;
  std::vector<Known> known_;
  std::set<std::uint32_t> extended_; ///< numbers of 64 bits that were such of 32
  /// Of elements of rows that loops in lanes go along: what one costs.
  std::map<std::uint32_t, double> read_along_;
  bool turns_rows_ = false; ///< what was costed last
  bool gathers_ = false;    ///< what was costed since it was reset
};

} // namespace sinter::jit
