#include "distribute/kernel_words.h"

#include <cstdint>
#include <utility>

#include "base/archive.h"

namespace ulisse {

namespace {

// The same for both directions.
template <class A>
void archive_input(A& a, KernelInput& input) {
  auto kind = static_cast<std::int64_t>(input.kind);
  a(input.column, kind, input.period);
  input.kind = static_cast<KernelInput::Kind>(kind);
}

template <class A, class T>
void resize_with(A& a, std::vector<T>& all, const T& empty) {
  auto count = static_cast<std::int64_t>(all.size());
  a(count);
  all.resize(static_cast<std::size_t>(count), empty);
}

template <class A>
void archive_factor(A& a, Factor& factor) {
  auto shape = static_cast<std::int64_t>(factor.shape);
  a(shape, factor.ard, factor.by_name);
  factor.shape = static_cast<Shape>(shape);
  resize_with(a, factor.inputs, KernelInput(0));
  for (KernelInput& input : factor.inputs) archive_input(a, input);
}

template <class A>
void archive_words(A& a, KernelWords& words) {
  auto memory = static_cast<std::int64_t>(words.options.memory_bytes);
  a(words.backend, memory, words.options.tolerance);
  words.options.backend = words.backend;
  words.options.memory_bytes = static_cast<std::size_t>(memory);
  resize_with(a, words.kernel.terms, Term());
  for (Term& term : words.kernel.terms) {
    resize_with(a, term.factors, Factor());
    for (Factor& factor : term.factors) archive_factor(a, factor);
  }
}

}  // namespace

std::string KernelWords::bytes() const {
  ArchiveWriter writer;
  KernelWords copy = *this;
  archive_words(writer, copy);
  return writer.bytes();
}

KernelWords KernelWords::from(std::string bytes) {
  KernelWords words;
  ArchiveReader reader(std::move(bytes));
  archive_words(reader, words);
  return words;
}

}  // namespace ulisse
