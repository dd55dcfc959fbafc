#include "gpu/driver/staging.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sinter::gpu::driver {

Staging::Staging(const PrimaryContext& context, Stream stream, jit::Workers& workers)
    : context_(context), stream_(stream), workers_(workers) {
  for (Piece& piece : pieces_) {
    piece.memory = make_pinned(context_, piece_bytes);
    piece.done = make_event(context_);
  }
}

void Staging::wait(Piece& piece) {
  if (piece.is_in_use) {
    const Driver& cu = context_.driver();
    cu.check(cu->cuEventSynchronize(piece.done.get()), "cuEventSynchronize");
  }
  piece.is_in_use = false;
  piece.filled = 0;
}

void Staging::mark(Piece& piece) {
  const Driver& cu = context_.driver();
  cu.check(cu->cuEventRecord(piece.done.get(), stream_), "cuEventRecord");
  piece.is_in_use = true;
}

Staging::Piece& Staging::piece_with_room(std::size_t bytes) {
  Piece* piece = &pieces_[current_];
  if (piece_bytes - piece->filled < bytes) {
    current_ = (current_ + 1) % piece_count;
    piece = &pieces_[current_];
    wait(*piece);
  }
  return *piece;
}

/// One thread copies some ten gigabytes in a second, which is less than the bus does.
void Staging::copy(std::byte* target, const std::byte* source, std::size_t bytes) {
  constexpr std::size_t part = std::size_t{512} << 10;
  if (bytes < 2 * part) {
    std::memcpy(target, source, bytes);
    return;
  }
  workers_.run(0, static_cast<std::int64_t>((bytes + part - 1) / part),
               [&](std::int64_t index, unsigned) {
                 const std::size_t begin = static_cast<std::size_t>(index) * part;
                 std::memcpy(target + begin, source + begin, std::min(part, bytes - begin));
               });
}

void Staging::copy_in(DeviceAddress target, std::span<const std::byte> source) {
  constexpr std::size_t alignment = 64;
  const std::lock_guard lock(mutex_);
  const Driver& cu = context_.driver();
  while (!source.empty()) {
    const std::size_t bytes = std::min(source.size(), piece_bytes);
    Piece& piece = piece_with_room(bytes);
    std::byte* const place = piece.data() + piece.filled;
    copy(place, source.data(), bytes);
    piece.filled =
        std::min((piece.filled + bytes + alignment - 1) / alignment * alignment, piece_bytes);
    cu.check(cu->cuMemcpyHtoDAsync(target, place, bytes, stream_), "cuMemcpyHtoDAsync");
    mark(piece);
    target += bytes;
    source = source.subspan(bytes);
  }
}

void Staging::copy_out(std::span<std::byte> target, DeviceAddress source) {
  const std::lock_guard lock(mutex_);
  const Driver& cu = context_.driver();
  // The device is one piece ahead of the host.
  Piece* arriving = nullptr;
  std::span<std::byte> arriving_target;
  const auto receive = [&] {
    if (!arriving) return;
    wait(*arriving);
    copy(arriving_target.data(), arriving->data(), arriving_target.size());
  };
  while (!target.empty()) {
    const std::size_t bytes = std::min(target.size(), piece_bytes);
    current_ = (current_ + 1) % piece_count;
    Piece& piece = pieces_[current_];
    wait(piece);
    piece.filled = piece_bytes; // it is nobody else's
    cu.check(cu->cuMemcpyDtoHAsync(piece.data(), source, bytes, stream_), "cuMemcpyDtoHAsync");
    mark(piece);
    receive();
    arriving = &piece;
    arriving_target = target.first(bytes);
    source += bytes;
    target = target.subspan(bytes);
  }
  receive();
}

} // namespace sinter::gpu::driver
