// Copies between the host's memory and the device's, by way of memory that the device reads and
// writes by itself.
#pragma once

#include "gpu/device/device.h"
#include "gpu/driver/handles.h"
#include "jit/cpu/parallel.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <span>

namespace sinter::gpu::driver {

/// A few pieces of pinned memory, used in turn: while the device copies one, threads of the host
/// fill or empty another.  The context is the thread's at each call.  Thread-safe.
class Staging {
public:
  /// Throws DeviceError if there is no such memory.
  Staging(const PrimaryContext& context, Stream stream, jit::Workers& workers);

  /// The source may be changed when this returns; the device has it when its stream comes to it.
  void copy_in(DeviceAddress target, std::span<const std::byte> source);
  /// Waits for what was begun in the stream before.
  void copy_out(std::span<std::byte> target, DeviceAddress source);

  static constexpr std::size_t piece_bytes = std::size_t{4} << 20;

private:
  static constexpr std::size_t piece_count = 4;
  struct Piece {
    PinnedMemory memory;
    OwnedEvent done; ///< the device is through with it
    bool is_in_use = false;
    std::size_t filled = 0; ///< small copies share a piece
    std::byte* data() const { return static_cast<std::byte*>(memory.get()); }
  };
  void wait(Piece& piece);
  void mark(Piece& piece);
  /// A piece with so much room behind `filled`.
  Piece& piece_with_room(std::size_t bytes);
  void copy(std::byte* target, const std::byte* source, std::size_t bytes);

  const PrimaryContext& context_;
  Stream stream_;
  jit::Workers& workers_;
  std::mutex mutex_;
  std::array<Piece, piece_count> pieces_;
  std::size_t current_ = 0;
};

} // namespace sinter::gpu::driver
