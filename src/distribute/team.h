#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// Several processes that do the work of one program. The leader, whose rank is 0, runs it; the
// others serve (distribute/worker.h). All call broadcast() and sum() in the same order and with the
// same sizes, each process from one thread at a time. Where a process fails, all end.
class Team {
 public:
  virtual ~Team() = default;
  virtual int size() const = 0;
  virtual int rank() const = 0;
  bool leads() const { return rank() == 0; }

  // The leader's bytes become those of all.
  virtual void broadcast(void* data, std::size_t bytes) = 0;

  // The leader's values become the sums of all; those of others are undefined afterwards. Sums are
  // made in any order.
  virtual void sum(double* values, std::size_t count) = 0;

  // One text of each process, to the leader, in the order of ranks; elsewhere nothing.
  virtual std::vector<std::string> gather(const std::string& text) = 0;

  // Ends all processes, with this sentence on standard error and this exit code.
  [[noreturn]] virtual void abort(const std::string& sentence, int code) = 0;

  // Of this process, since the start: bytes that went to others or came from them, and seconds in
  // which it waited for others.
  struct Traffic {
    double bytes = 0, seconds_waited = 0;
  };
  virtual Traffic traffic() const = 0;
};

}  // namespace ulisse
