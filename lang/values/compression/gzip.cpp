#include "lang/values/compression/stream.h"

#include <new>

#include <zlib.h>

namespace sinter {

namespace {

class GzipStream final : public CompressionStream {
public:
  explicit GzipStream(Direction direction) : direction_(direction) {
    constexpr int gzip = 16 + MAX_WBITS, memory_level = 8;
    const int status = direction == Direction::Compress
                           ? deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip,
                                          memory_level, Z_DEFAULT_STRATEGY)
                           : inflateInit2(&stream_, gzip);
    if (status != Z_OK) throw std::bad_alloc();
  }
  ~GzipStream() override {
    direction_ == Direction::Compress ? deflateEnd(&stream_) : inflateEnd(&stream_);
  }

  Status step(std::string_view& in, std::span<char>& out, bool is_last) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = direction_ == Direction::Compress
                           ? deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH)
                           : inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - stream_.avail_in);
    out = out.last(stream_.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) return Status::End;
    return status == Z_OK || status == Z_BUF_ERROR ? Status::More : Status::Damaged;
  }
  std::string fault() const override {
    return stream_.msg ? stream_.msg : CompressionStream::fault();
  }

private:
  Direction direction_;
  z_stream stream_{};
};

} // namespace

std::unique_ptr<CompressionStream> gzip_stream(Direction direction) {
  return std::make_unique<GzipStream>(direction);
}

} // namespace sinter
