#pragma once

#include <cstdint>
#include <type_traits>

namespace ulisse {

// What the leader asks of all, before the data that belong to it.
struct Order {
  enum Kind : std::int64_t {
    stop,
    points,  // `id`: a kernel on a table, (rows, columns); its words and the table follow
    place,   // `id`: the kernel `of` at a psi of `columns` elements, which follows
    drop,    // `id`
    apply,   // K x of the operator `id`; x follows, (rows, columns)
    forms    // of `id`: u follows, (rows, columns), and v unless `same`
  };
  Kind kind = stop;
  std::int64_t id = 0, of = 0, rows = 0, columns = 0;
  std::int64_t bytes = 0;                // of words
  std::int64_t by_column = 0, same = 0;  // of forms
  std::int64_t threads = 0;              // of each process; 0: its own default
};
static_assert(std::is_trivially_copyable_v<Order>);

}  // namespace ulisse
