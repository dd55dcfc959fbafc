// A short list of sizes: an array's shape or strides, without allocation up to four dimensions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace sinter {

/// A vector of i64 with room for four inside.  Behaves as `std::vector<std::int64_t>` does, as far
/// as shapes need it, and converts to a span.
class Extents {
public:
  using value_type = std::int64_t;
  using iterator = std::int64_t*;
  using const_iterator = const std::int64_t*;

  Extents() noexcept = default;
  explicit Extents(std::size_t count, std::int64_t value = 0) : Extents() { assign(count, value); }
  Extents(std::initializer_list<std::int64_t> values) : Extents() {
    append(std::span<const std::int64_t>(values.begin(), values.size()));
  }
  explicit Extents(std::span<const std::int64_t> values) : Extents() { append(values); }
  Extents(const std::vector<std::int64_t>& values) : Extents() { append(values); }
  template <std::forward_iterator Iterator>
  Extents(Iterator first, Iterator last) : Extents() {
    for (; first != last; ++first)
      push_back(*first);
  }
  Extents(const Extents& other) : size_(other.size_) {
    if (other.is_inline())
      inside_ = other.inside_;
    else
      copy_outside(other);
  }
  Extents(Extents&& other) noexcept : size_(other.size_), capacity_(other.capacity_) {
    take(other);
  }
  Extents& operator=(const Extents& other) {
    if (this == &other) return *this;
    if (is_inline() && other.is_inline()) {
      size_ = other.size_;
      inside_ = other.inside_;
    } else {
      *this = Extents(other);
    }
    return *this;
  }
  Extents& operator=(Extents&& other) noexcept {
    if (this != &other) {
      release();
      size_ = other.size_;
      capacity_ = other.capacity_;
      take(other);
    }
    return *this;
  }
  ~Extents() { release(); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::int64_t* data() noexcept { return is_inline() ? inside_.data() : outside_; }
  const std::int64_t* data() const noexcept { return is_inline() ? inside_.data() : outside_; }
  iterator begin() noexcept { return data(); }
  iterator end() noexcept { return data() + size_; }
  const_iterator begin() const noexcept { return data(); }
  const_iterator end() const noexcept { return data() + size_; }
  std::int64_t& operator[](std::size_t i) noexcept { return data()[i]; }
  std::int64_t operator[](std::size_t i) const noexcept { return data()[i]; }
  std::int64_t& front() noexcept { return data()[0]; }
  std::int64_t front() const noexcept { return data()[0]; }
  std::int64_t& back() noexcept { return data()[size_ - 1]; }
  std::int64_t back() const noexcept { return data()[size_ - 1]; }

  void clear() noexcept { size_ = 0; }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void resize(std::size_t count, std::int64_t value = 0) {
    reserve(count);
    for (std::size_t i = size_; i < count; ++i)
      data()[i] = value;
    size_ = static_cast<std::uint32_t>(count);
  }
  void assign(std::size_t count, std::int64_t value) {
    clear();
    resize(count, value);
  }
  void push_back(std::int64_t value) {
    reserve(size_ + std::size_t{1});
    data()[size_++] = value;
  }
  void pop_back() noexcept { --size_; }
  /// Adds all of `values`, which may be a part of this list.
  void append(std::span<const std::int64_t> values) {
    if (size_ + values.size() > capacity_) {
      insert(end(), values.begin(), values.end());
      return;
    }
    std::copy(values.begin(), values.end(), end());
    size_ += static_cast<std::uint32_t>(values.size());
  }
  template <std::forward_iterator Iterator>
  iterator insert(const_iterator position, Iterator first, Iterator last) {
    std::size_t at = static_cast<std::size_t>(position - begin());
    std::size_t count = static_cast<std::size_t>(std::distance(first, last));
    Extents result;
    result.reserve(size_ + count);
    std::int64_t* out = std::copy(begin(), begin() + at, result.data());
    out = std::copy(first, last, out);
    std::copy(begin() + at, end(), out);
    result.size_ = size_ + static_cast<std::uint32_t>(count);
    *this = std::move(result);
    return begin() + at;
  }
  iterator insert(const_iterator position, std::int64_t value) {
    return insert(position, &value, &value + 1);
  }
  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    iterator to = begin() + (first - begin());
    std::copy(last, const_iterator(end()), to);
    size_ -= static_cast<std::uint32_t>(last - first);
    return to;
  }

  operator std::span<const std::int64_t>() const noexcept { return {data(), size_}; }
  operator std::span<std::int64_t>() noexcept { return {data(), size_}; }
  friend bool operator==(const Extents& a, const Extents& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  static constexpr std::uint32_t inline_capacity = 4;

  bool is_inline() const noexcept { return capacity_ == inline_capacity; }
  void release() noexcept {
    if (!is_inline()) delete[] outside_;
  }
  /// (All places are copied, used or not: that takes fewer instructions than to count them.)
  void take(Extents& other) noexcept {
    if (is_inline())
      inside_ = other.inside_;
    else
      outside_ = other.outside_;
    other.size_ = 0;
    other.capacity_ = inline_capacity;
  }
  void copy_outside(const Extents& other) {
    outside_ = new std::int64_t[other.capacity_];
    capacity_ = other.capacity_;
    std::copy(other.begin(), other.end(), outside_);
  }
  void grow(std::size_t wanted) {
    std::size_t capacity = std::max<std::size_t>(wanted, std::size_t{capacity_} * 2);
    std::int64_t* larger = new std::int64_t[capacity];
    std::copy(begin(), end(), larger);
    release();
    outside_ = larger;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = inline_capacity; ///< which says that the list is inside
  union {
    std::array<std::int64_t, inline_capacity> inside_{};
    std::int64_t* outside_;
  };
};

} // namespace sinter
