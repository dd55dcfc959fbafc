// The mark `#[accelerate]`: what it asks for.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace sinter::syntax {

struct Attribute;

/// What a mark demands of the accelerator.
struct AccelerateMark {
  enum class Device : std::uint8_t {
    Any, ///< `any`, or nothing said: where the session has compiled code run
    Cpu, ///< `cpu`
    Gpu, ///< `gpu`
  };
  Device device = Device::Any;
  bool is_preference = false; ///< `prefer`: what cannot be is interpreted, and no error
  friend bool operator==(const AccelerateMark&, const AccelerateMark&) = default;
};

/// "#[accelerate]", "#[accelerate(gpu, prefer)]".
std::string text(const AccelerateMark& mark);

/// An argument that must not stand in a mark.
struct WrongMark {
  const Attribute* argument = nullptr;
  std::string message;
};
/// The name of the attribute that is a mark.
inline constexpr const char* accelerate_name = "accelerate";
/// The name of the attribute of loops whose iterations are independent.
inline constexpr const char* parallel_name = "parallel";
/// Reads an attribute of that name.
std::variant<AccelerateMark, WrongMark> read_accelerate_mark(const Attribute& attribute);

} // namespace sinter::syntax
