// The elements of the reference evaluator's arrays: values that are copied, as far as anybody sees.
#pragma once

#include "lang/values/scalar.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace sinter::ir {

/// Elements in a row.  Copies share them until one of them writes.
class DenseElements {
public:
  DenseElements() = default;
  DenseElements(std::vector<Scalar> elements)
      : elements_(std::make_shared<std::vector<Scalar>>(std::move(elements))) {}
  DenseElements(std::initializer_list<Scalar> elements)
      : DenseElements(std::vector<Scalar>(elements)) {}

  operator const std::vector<Scalar>&() const {
    static const std::vector<Scalar> none;
    return elements_ ? *elements_ : none;
  }
  /// For who writes: what nobody else sees.
  std::vector<Scalar>& own() {
    if (!elements_)
      elements_ = std::make_shared<std::vector<Scalar>>();
    else if (elements_.use_count() != 1)
      elements_ = std::make_shared<std::vector<Scalar>>(*elements_);
    return *elements_;
  }

  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const Scalar& operator[](std::size_t position) const { return all()[position]; }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  void reserve(std::size_t count) { own().reserve(count); }
  void push_back(Scalar element) { own().push_back(element); }
  friend bool operator==(const DenseElements& a, const DenseElements& b) {
    return a.elements_ == b.elements_ || a.all() == b.all();
  }

private:
  const std::vector<Scalar>& all() const { return *this; }
  std::shared_ptr<std::vector<Scalar>> elements_; ///< null: none
};

} // namespace sinter::ir
