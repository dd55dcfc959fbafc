#include "gpu/emulator/queued_device.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sinter::gpu {

namespace {

class QueuedDevice final : public Device {
public:
  explicit QueuedDevice(std::unique_ptr<Device> device)
      : device_(std::move(device)), thread_([this](const std::stop_token& stop) { work(stop); }) {}
  ~QueuedDevice() override {
    drain();
    thread_.request_stop();
    thread_.join();
  }

  const DeviceFacts& facts() const override { return device_->facts(); }

  DeviceAddress allocate(std::size_t bytes) override {
    throw_error();
    if (const DeviceAddress address = device_->allocate(bytes)) return address;
    drain(); // what is released on the way may do
    throw_error();
    return device_->allocate(bytes);
  }
  void release(DeviceAddress address) override {
    put([this, address] { device_->release(address); });
  }
  void copy_in(DeviceAddress target, std::span<const std::byte> source) override {
    throw_error();
    put([this, target, bytes = std::vector<std::byte>(source.begin(), source.end())] {
      device_->copy_in(target, bytes);
    });
  }
  void copy_out(std::span<std::byte> target, DeviceAddress source) override {
    put([this, target, source] { device_->copy_out(target, source); });
    drain();
    throw_error();
  }
  void copy_within(DeviceAddress target, DeviceAddress source, std::size_t bytes) override {
    throw_error();
    put([=, this] { device_->copy_within(target, source, bytes); });
  }
  void fill(DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
            std::size_t count) override {
    throw_error();
    put([=, this] { device_->fill(target, element, element_bytes, count); });
  }

  std::shared_ptr<DeviceCode> load(GpuModule module) override {
    return device_->load(std::move(module));
  }
  void launch(const std::shared_ptr<DeviceCode>& code, std::string_view entry,
              const LaunchShape& shape, std::span<const std::uint64_t> words) override {
    throw_error();
    put([this, code, name = std::string(entry), shape,
         copies = std::vector<std::uint64_t>(words.begin(), words.end())] {
      device_->launch(code, name, shape, copies);
    });
  }
  void finish() override {
    put([this] { device_->finish(); });
    drain();
    throw_error();
  }
  void write_at_once(DeviceAddress address, std::uint32_t word) override {
    device_->write_at_once(address, word);
  }
  bool is_lost() const override { return device_->is_lost(); }

private:
  using Work = std::function<void()>;
  /// Who asks for more waits, as with a GPU: what is interrupted has not much left to do then.
  static constexpr std::size_t most_waiting = 64;

  void put(Work work) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return queue_.size() < most_waiting; });
      queue_.push_back(std::move(work));
    }
    changed_.notify_all();
  }
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty(); });
  }
  void throw_error() {
    const std::lock_guard lock(mutex_);
    if (std::exception_ptr error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
  }

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !queue_.empty(); })) {
      const Work next = queue_.front(); // which stays there until it is done
      lock.unlock();
      std::exception_ptr error;
      try {
        next();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      queue_.pop_front();
      if (error && !error_) error_ = error;
      changed_.notify_all();
    }
  }

  std::unique_ptr<Device> device_;
  std::mutex mutex_; ///< of what follows
  std::condition_variable_any changed_;
  std::deque<Work> queue_;
  std::exception_ptr error_;
  std::jthread thread_;
};

} // namespace

std::unique_ptr<Device> make_queued_device(std::unique_ptr<Device> device) {
  return std::make_unique<QueuedDevice>(std::move(device));
}

} // namespace sinter::gpu
