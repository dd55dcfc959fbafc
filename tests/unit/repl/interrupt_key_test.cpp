#include "repl/session/interrupt_key.h"

#include <doctest/doctest.h>

#include <csignal>
#include <optional>

using namespace sinter;
using repl::InterruptKey;
using Reason = InterruptSource::Reason;

TEST_CASE("what is raised ahead of an evaluation is meant for it") {
  InterruptSource prompt, evaluation;
  InterruptKey waiting(prompt);
  std::raise(SIGINT);
  CHECK(prompt.reason() == Reason::Interrupt);
  InterruptKey evaluating(evaluation);
  CHECK(evaluation.reason() == Reason::Interrupt);
}

TEST_CASE("a key within another of the same source keeps what was raised") {
  InterruptSource source;
  InterruptKey outer(source);
  std::raise(SIGINT);
  {
    InterruptKey inner(source);
    CHECK(source.reason() == Reason::Interrupt);
  }
  CHECK(source.reason() == Reason::Interrupt);
}

TEST_CASE("what is left of earlier evaluations stops no later one") {
  InterruptSource source;
  source.raise(Reason::Interrupt);
  InterruptKey key(source);
  CHECK(source.reason() != Reason::Interrupt);
  std::raise(SIGINT);
  CHECK(source.reason() == Reason::Interrupt);
}
