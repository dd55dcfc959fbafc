// The server of xeus, for messages that anybody may have made: it takes for granted that there are
// all parts of a message, and that names of comms are there, and short.
#pragma once

#include <xeus/xserver_zmq.hpp>
#include <zmq_addon.hpp>

#include <memory>

namespace sinter::repl {

/// Says on standard error what it does not take, and goes on.
class CheckedServer final : public xeus::xserver_zmq {
public:
  using xeus::xserver_zmq::xserver_zmq;

private:
  /// Ends the process when it is asked to, as that of xeus does.
  void start_impl(xeus::xpub_message message) override;
  void abort_queue_impl(const listener& answer, long polling_interval) override;
  void receive();
  xeus::xmessage message_of(zmq::multipart_t& parts) const;
};

/// To be given to a xeus::xkernel.
std::unique_ptr<xeus::xserver> make_checked_server(xeus::xcontext& context,
                                                   const xeus::xconfiguration& configuration,
                                                   nlohmann::json::error_handler_t on_error);

} // namespace sinter::repl
