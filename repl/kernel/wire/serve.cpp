#include "repl/kernel/wire/serve.h"

#include "repl/kernel/wire/checked_server.h"
#include "repl/kernel/wire/interpreter.h"
#include "repl/text/entries.h"

#include <xeus/xkernel.hpp>
#include <xeus/xkernel_configuration.hpp>

#include <csignal>
#include <memory>

extern "C" void sinter_serve_kernel(sinter::repl::Kernel& kernel,
                                    const std::string& connection_file) {
  // The threads of the sockets inherit the mask: none of their system calls may be cut short.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);

  // What a program made may be no UTF-8: a message replaces it instead of failing.
  xeus::xkernel server(
      xeus::load_configuration(connection_file), xeus::get_user_name(),
      xeus::make_context<zmq::context_t>(), std::make_unique<sinter::repl::Interpreter>(kernel),
      sinter::repl::make_checked_server, xeus::make_in_memory_history_manager(), nullptr,
      xeus::make_null_debugger, nlohmann::json::object(), nlohmann::json::error_handler_t::replace);
  server.start();
}
