// bzip2, xz and Zstandard, by their own libraries.
#include "lang/values/compression/stream.h"

#include <new>

#include <bzlib.h>
#include <lzma.h>
#include <zstd.h>

namespace sinter {

namespace {

class Bzip2Stream final : public CompressionStream {
public:
  explicit Bzip2Stream(Direction direction) : direction_(direction) {
    constexpr int block = 9, quiet = 0, usual_work = 0, fast = 0;
    const int status = direction == Direction::Compress
                           ? BZ2_bzCompressInit(&stream_, block, quiet, usual_work)
                           : BZ2_bzDecompressInit(&stream_, quiet, fast);
    if (status != BZ_OK) throw std::bad_alloc();
  }
  ~Bzip2Stream() override {
    direction_ == Direction::Compress ? BZ2_bzCompressEnd(&stream_) : BZ2_bzDecompressEnd(&stream_);
  }

  Status step(std::string_view& in, std::span<char>& out, bool is_last) override {
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = static_cast<unsigned>(in.size());
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const int status = direction_ == Direction::Compress
                           ? BZ2_bzCompress(&stream_, is_last ? BZ_FINISH : BZ_RUN)
                           : BZ2_bzDecompress(&stream_);
    in.remove_prefix(in.size() - stream_.avail_in);
    out = out.last(stream_.avail_out);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status == BZ_STREAM_END) return Status::End;
    return status >= 0 ? Status::More : Status::Damaged;
  }

private:
  Direction direction_;
  bz_stream stream_{};
};

class XzStream final : public CompressionStream {
public:
  explicit XzStream(Direction direction) {
    // What a file says that it needs is not always what it needs.
    constexpr std::uint64_t most_memory = std::uint64_t{1} << 28;
    const lzma_ret status = direction == Direction::Compress
                                ? lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64)
                                : lzma_stream_decoder(&stream_, most_memory, 0);
    if (status != LZMA_OK) throw std::bad_alloc();
  }
  ~XzStream() override { lzma_end(&stream_); }

  Status step(std::string_view& in, std::span<char>& out, bool is_last) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    status_ = lzma_code(&stream_, is_last ? LZMA_FINISH : LZMA_RUN);
    in.remove_prefix(in.size() - stream_.avail_in);
    out = out.last(stream_.avail_out);
    if (status_ == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (status_ == LZMA_STREAM_END) return Status::End;
    return status_ == LZMA_OK || status_ == LZMA_BUF_ERROR ? Status::More : Status::Damaged;
  }
  std::string fault() const override {
    return status_ == LZMA_MEMLIMIT_ERROR ? "more than 256 MiB are needed to unpack it"
                                          : CompressionStream::fault();
  }

private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret status_ = LZMA_OK;
};

class ZstandardCompressor final : public CompressionStream {
public:
  ZstandardCompressor() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    if (!context_) throw std::bad_alloc();
    // As the others do: what is damaged must not be taken for something else.
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  Status step(std::string_view& in, std::span<char>& out, bool is_last) override {
    ZSTD_inBuffer source{in.data(), in.size(), 0};
    ZSTD_outBuffer target{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &target, &source,
                                                  is_last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) throw std::bad_alloc();
    in.remove_prefix(source.pos);
    out = out.subspan(target.pos);
    return is_last && left == 0 ? Status::End : Status::More;
  }

private:
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
};

class ZstandardDecompressor final : public CompressionStream {
public:
  ZstandardDecompressor() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
  }
  Status step(std::string_view& in, std::span<char>& out, bool) override {
    ZSTD_inBuffer source{in.data(), in.size(), 0};
    ZSTD_outBuffer target{out.data(), out.size(), 0};
    const std::size_t wanted = ZSTD_decompressStream(context_.get(), &target, &source);
    in.remove_prefix(source.pos);
    out = out.subspan(target.pos);
    if (ZSTD_isError(wanted)) {
      fault_ = ZSTD_getErrorName(wanted);
      return Status::Damaged;
    }
    return wanted == 0 ? Status::End : Status::More;
  }
  std::string fault() const override { return fault_; }

private:
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::string fault_;
};

} // namespace

extern "C" CompressionStream* sinter_make_compression_stream(Compression compression,
                                                             Direction direction) {
  switch (compression) {
  case Compression::Bzip2:
    return new Bzip2Stream(direction);
  case Compression::Xz:
    return new XzStream(direction);
  case Compression::Zstandard:
    if (direction == Direction::Compress) return new ZstandardCompressor;
    return new ZstandardDecompressor;
  default:
    return nullptr;
  }
}

} // namespace sinter
