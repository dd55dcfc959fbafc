#include "repl/kernel/wire/checked_server.h"

#include <xeus/xzmq_serializer.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

namespace sinter::repl {

namespace {

/// Behind the delimiter: the signature, the header, the parent's header, the metadata, the content.
constexpr std::ptrdiff_t least_parts = 5;

void check_parts(const zmq::multipart_t& parts) {
  const auto delimiter = std::find_if(parts.begin(), parts.end(), [](const zmq::message_t& part) {
    return part.to_string_view() == "<IDS|MSG>";
  });
  if (parts.end() - delimiter <= least_parts)
    throw std::runtime_error("a message without all of its parts");
}

/// There are none here, and xeus takes what others say of them for granted.
void check_no_comm(const xeus::xmessage& message) {
  const std::string kind = message.header().value("msg_type", "");
  for (const char* one : {"comm_open", "comm_msg", "comm_close"})
    if (kind == one) throw std::runtime_error("a " + kind + ", but there are no comms");
}

} // namespace

xeus::xmessage CheckedServer::message_of(zmq::multipart_t& parts) const {
  check_parts(parts);
  xeus::xmessage message = xeus::xzmq_serializer::deserialize(parts, *p_auth);
  check_no_comm(message);
  return message;
}

void CheckedServer::start_impl(xeus::xpub_message message) {
  start_publisher_thread();
  start_heartbeat_thread();
  m_request_stop = false;
  publish(std::move(message), xeus::channel::SHELL);
  while (!m_request_stop) {
    try {
      receive();
    } catch (const std::exception& error) {
      std::cerr << "ignored: " << error.what() << std::endl;
    }
  }
  stop_channels();
  std::exit(0);
}

void CheckedServer::receive() {
  std::array<zmq::pollitem_t, 2> waiting = {zmq::pollitem_t{m_controller, 0, ZMQ_POLLIN, 0},
                                            zmq::pollitem_t{m_shell, 0, ZMQ_POLLIN, 0}};
  zmq::poll(waiting.data(), waiting.size(), std::chrono::milliseconds(-1));
  if (waiting[0].revents & ZMQ_POLLIN) {
    zmq::multipart_t parts;
    parts.recv(m_controller);
    notify_control_listener(message_of(parts));
  }
  // What asked to stop is the last.
  if (!m_request_stop && waiting[1].revents & ZMQ_POLLIN) {
    zmq::multipart_t parts;
    parts.recv(m_shell);
    notify_shell_listener(message_of(parts));
  }
}

void CheckedServer::abort_queue_impl(const listener& answer, long polling_interval) {
  for (;;) {
    zmq::multipart_t parts;
    if (!parts.recv(m_shell, ZMQ_DONTWAIT)) return;
    try {
      answer(message_of(parts));
    } catch (const std::exception& error) {
      std::cerr << "ignored: " << error.what() << std::endl;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(polling_interval));
  }
}

std::unique_ptr<xeus::xserver> make_checked_server(xeus::xcontext& context,
                                                   const xeus::xconfiguration& configuration,
                                                   nlohmann::json::error_handler_t on_error) {
  return std::make_unique<CheckedServer>(context.get_wrapped_context<zmq::context_t>(),
                                         configuration, on_error);
}

} // namespace sinter::repl
