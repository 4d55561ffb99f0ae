#include "distribute/worker.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <new>
#include <stdexcept>

#include "base/default_threads.h"
#include "distribute/kernel_words.h"
#include "distribute/order.h"
#include "distribute/team_split.h"
#include "kernel/split.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse {

namespace {

class Worker {
 public:
  explicit Worker(Team& team) : team_(team), split_(split_among(team)) {}

  // False after the last one.
  bool carry_out(const Order& order) {
    if (order.threads != requested_threads()) set_threads(static_cast<int>(order.threads));
    switch (order.kind) {
      case Order::stop:
        return false;
      case Order::points:
        take_points(order);
        break;
      case Order::place:
        take_place(order);
        break;
      case Order::drop:
        kernels_.erase(order.id);
        operators_.erase(order.id);
        break;
      case Order::apply:
        apply(order);
        break;
      case Order::forms:
        forms(order);
        break;
    }
    return true;
  }

 private:
  Matrix receive(Index rows, Index columns) {
    Matrix block(rows, columns);
    team_.broadcast(block.data(), bytes_of(block));
    return block;
  }

  void take_points(const Order& order) {
    std::string bytes(static_cast<std::size_t>(order.bytes), '\0');
    team_.broadcast(bytes.data(), bytes.size());
    const Matrix x = receive(order.rows, order.columns);
    const KernelWords words = KernelWords::from(std::move(bytes));
    kernels_[order.id] = backend_named(words.backend).make(words.kernel, x, words.options);
  }

  void take_place(const Order& order) {
    const Vector psi = receive(order.columns, 1);
    std::shared_ptr<const KernelOperator> made = kernels_.at(order.of)(psi);
    operators_[order.id] = std::dynamic_pointer_cast<const SplitOperator>(std::move(made));
    if (!operators_[order.id]) throw std::logic_error("an operator cannot be split");
  }

  void apply(const Order& order) {
    const Matrix x = receive(order.rows, order.columns);
    Matrix nothing(0, 0);
    operators_.at(order.id)->apply_split(x, nothing, split_);
  }

  void forms(const Order& order) {
    const Matrix u = receive(order.rows, order.columns);
    const Matrix other = order.same != 0 ? Matrix() : receive(order.rows, order.columns);
    operators_.at(order.id)->forms_split(u, order.same != 0 ? u : other, order.by_column != 0,
                                         split_);
  }

  Team& team_;
  Split split_;
  std::map<std::int64_t, KernelAt> kernels_;
  std::map<std::int64_t, std::shared_ptr<const SplitOperator>> operators_;
};

void follow(Team& team) {
  Worker worker(team);
  Order order;
  do {
    team.broadcast(&order, sizeof order);
  } while (worker.carry_out(order));
}

}  // namespace

void serve(Team& team) {
  const auto words = [&](const char* what) {
    return fmt::format("process {} of {}: {}", team.rank() + 1, team.size(), what);
  };
  try {
    follow(team);
  } catch (const InputError& error) {
    team.abort(words(error.what()), 2);
  } catch (const std::bad_alloc&) {
    team.abort(words("out of memory"), 1);
  } catch (const std::exception& error) {
    team.abort(words(error.what()), 1);
  }
}

}  // namespace ulisse
