#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest_name.h"
#include "model/shape_names.h"
#include "ulisse/dataset.h"
#include "ulisse/error.h"
#include "ulisse/kernel.h"

namespace ulisse {

namespace {

// What of an expression has not been read yet.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) { skip_blanks(); }

  bool at_end() const { return at_ == text_.size(); }
  std::size_t place() const { return at_; }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  // Letters, digits and hyphens.
  std::string shape() {
    const std::size_t start = at_;
    while (!at_end() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                         text_[at_] == '-' || text_[at_] == '_')) {
      ++at_;
    }
    const std::string word = text_.substr(start, at_ - start);
    skip_blanks();
    return word;
  }

  // Up to a comma or a bracket, or in double quotes, of which two stand for one.
  std::string argument() {
    if (!at_end() && text_[at_] == '"') return quoted();
    const std::size_t start = at_, stop = std::min(text_.find_first_of(",()", at_), text_.size());
    at_ = stop;
    std::string word = text_.substr(start, stop - start);
    word.erase(word.find_last_not_of(" \t") + 1);
    return word;
  }

  [[noreturn]] void refuse(std::size_t place, const std::string& why) const {
    throw InputError(fmt::format("the kernel '{}', at character {}: {}", text_, place + 1, why));
  }

 private:
  void skip_blanks() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::string quoted() {
    const std::size_t start = at_++;
    std::string word;
    while (true) {
      if (at_end()) refuse(start, "a quote without its end");
      const char c = text_[at_++];
      if (c == '"' && (at_end() || text_[at_] != '"')) break;
      if (c == '"') ++at_;
      word += c;
    }
    skip_blanks();
    return word;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

KernelInput input_at(const Dataset& data, Index column) {
  const bool number = is_numeric_input(data, column);
  return {column, number ? KernelInput::Kind::number : KernelInput::Kind::category};
}

bool is_noise(const Dataset& data, Index column) {
  return data.known_noise && data.known_noise->column == column;
}

std::vector<KernelInput> all_inputs(const Dataset& data) {
  std::vector<KernelInput> inputs;
  for (Index k = 0; k < static_cast<Index>(data.features.size()); ++k) {
    if (!is_noise(data, k)) inputs.push_back(input_at(data, k));
  }
  return inputs;
}

class Parser {
 public:
  Parser(const std::string& text, const Dataset& data) : reader_(text), data_(data) {}

  Kernel kernel() {
    std::vector<Term> terms;
    do {
      terms.push_back(term());
    } while (reader_.take('+'));
    if (!reader_.at_end()) reader_.refuse(reader_.place(), "expected '+', '*' or the end");
    return Kernel(std::move(terms));
  }

 private:
  Term term() {
    Term term;
    do {
      term.factors.push_back(factor());
    } while (reader_.take('*'));
    return term;
  }

  Factor factor() {
    const std::size_t place = reader_.place();
    const std::string name = reader_.shape();
    if (name == kPeriodic) return periodic(place);
    const auto shape = shape_named(name);
    if (!shape) refuse_shape(place, name);
    Factor factor{.shape = shape->first, .ard = shape->second, .inputs = all_inputs(data_)};
    if (!reader_.take('(')) return factor;
    factor.by_name = true;
    factor.inputs.clear();
    do {
      add_input(factor);
    } while (reader_.take(','));
    close();
    return factor;
  }

  Factor periodic(std::size_t place) {
    if (!reader_.take('('))
      reader_.refuse(place, "periodic needs an input and its period, as in periodic(day,365.25)");
    const std::size_t place_of_input = reader_.place();
    KernelInput input = this->input();
    if (input.kind != KernelInput::Kind::number) {
      reader_.refuse(place_of_input, "periodic needs an input of numbers");
    }
    if (!reader_.take(',')) {
      reader_.refuse(reader_.place(),
                     "periodic needs a period behind its input, as in periodic(day,365.25)");
    }
    input.kind = KernelInput::Kind::circle;
    input.period = period();
    close();
    return {.inputs = {input}, .by_name = true};
  }

  void close() {
    if (!reader_.take(')')) reader_.refuse(reader_.place(), "expected ',' or ')'");
  }

  void add_input(Factor& factor) {
    const std::size_t place = reader_.place();
    const KernelInput next = input();
    for (const KernelInput& known : factor.inputs) {
      if (known.column == next.column) {
        reader_.refuse(place, fmt::format("{} is there twice", name_at(next.column)));
      }
    }
    factor.inputs.push_back(next);
  }

  KernelInput input() {
    const std::size_t place = reader_.place();
    const std::string name = reader_.argument();
    const auto& names = data_.features;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) refuse_input(place, name);
    const Index column = found - names.begin();
    if (is_noise(data_, column)) {
      reader_.refuse(place,
                     fmt::format("{} says what is known of the noise, and is no input", name));
    }
    return input_at(data_, column);
  }

  double period() {
    const std::size_t place = reader_.place();
    const std::string text = reader_.argument();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0) ||
        !std::isfinite(value)) {
      reader_.refuse(place, fmt::format("a period is a positive number, not '{}'", text));
    }
    return value;
  }

  std::vector<std::string> input_names() const {
    std::vector<std::string> names;
    for (const KernelInput& input : all_inputs(data_)) names.push_back(name_at(input.column));
    return names;
  }

  const std::string& name_at(Index column) const {
    return data_.features[static_cast<std::size_t>(column)];
  }

  [[noreturn]] void refuse_input(std::size_t place, const std::string& name) {
    const auto inputs = input_names();
    const std::string among = fmt::format("the inputs are {}", fmt::join(inputs, ", "));
    if (name.empty()) {
      reader_.refuse(place, fmt::format("the name of an input is missing; {}; without brackets a "
                                        "kernel is on all of them",
                                        among));
    }
    if (reader_.take('(')) {
      reader_.refuse(place, fmt::format("there is no input '{}'; {}; a name that has brackets or "
                                        "commas stands in double quotes, as in rbf(\"a (m)\")",
                                        name, among));
    }
    reader_.refuse(place, fmt::format("there is no input '{}'{}; {}", name,
                                      did_you_mean(name, inputs), among));
  }

  [[noreturn]] void refuse_shape(std::size_t place, const std::string& name) {
    std::vector<std::string> known = shape_names();
    known.emplace_back(kPeriodic);
    if (name.empty()) {
      const std::string why = reader_.take('(') ? "there are no brackets around sums or products"
                                                : "a kernel is missing";
      reader_.refuse(place, fmt::format("{}; the kernels are {}", why, fmt::join(known, ", ")));
    }
    reader_.refuse(place, fmt::format("there is no kernel '{}'{}; the kernels are {}", name,
                                      did_you_mean(name, known), fmt::join(known, ", ")));
  }

  Reader reader_;
  const Dataset& data_;
};

// As today's names are refused.
[[noreturn]] void refuse_name(const std::string& name) {
  const std::vector<std::string> known = shape_names();
  throw InputError(fmt::format("there is no kernel '{}'{}; the kernels are {}", name,
                               did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace

Kernel parse_kernel(const std::string& name) {
  const auto shape = shape_named(name);
  if (!shape) refuse_name(name);
  return Kernel(shape->first, shape->second);
}

Kernel parse_kernel(const std::string& expression, const Dataset& data) {
  const bool a_name = expression.find_first_of("(+*") == std::string::npos;
  Reader reader(expression);
  const std::string name = reader.shape();
  const bool known = reader.at_end() && (shape_named(name) || name == kPeriodic);
  if (a_name && !known) refuse_name(expression);
  return Parser(expression, data).kernel();
}

}  // namespace ulisse
