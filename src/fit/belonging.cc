#include "fit/belonging.h"

#include <fmt/format.h>

#include "fit/model_of_fit.h"
#include "model/quantities.h"

namespace ulisse {

namespace {

std::string term_words(const Model& model, Index term, const std::vector<std::string>& features) {
  const auto& terms = model.kernel.terms;
  if (terms.size() == 1 || term < 0) return "";
  return name_of(terms[static_cast<std::size_t>(term)], features);
}

// With periods in the table's units, as the user gave them.
Model model_as_given(const FitRecord& record) {
  return make_model(record.settings.model, columns_of(*record.data));
}

}  // namespace

std::string Belonging::words() const {
  if (input.empty() || term.empty()) return input + term;
  return fmt::format("{} in {}", input, term);
}

std::vector<Belonging> parameters_belong(const FitRecord& record) {
  std::vector<Belonging> all;
  if (!record.data) return all;
  const Model model = model_as_given(record);
  for (Index i = 0; i < model.layout.size(); ++i) {
    const Parameter& parameter = model.layout.at(i);
    const auto input = model.layout.input_of(i);
    const bool of_a_term = parameter.role != Role::noise_variance;
    all.push_back(
        {.input = input ? record.data->features.at(static_cast<std::size_t>(*input)) : "",
         .term = of_a_term ? term_words(model, parameter.term, record.data->features) : ""});
  }
  return all;
}

std::vector<std::string> terms_of(const FitRecord& record) {
  std::vector<std::string> all;
  if (!record.data) return all;
  for (const Term& term : model_as_given(record).kernel.terms) {
    all.push_back(name_of(term, record.data->features));
  }
  return all;
}

std::vector<Belonging> quantities_belong(const FitRecord& record) {
  std::vector<Belonging> all;
  if (!record.data || !record.scaling) return all;
  const auto& features = record.data->features;
  const Model model = model_as_given(record);
  const Quantities quantities(model, *record.scaling, features);
  for (const Quantity& q : quantities.all()) {
    all.push_back({.input = q.column < 0 ? "" : features.at(static_cast<std::size_t>(q.column)),
                   .term = term_words(model, q.term, features)});
  }
  return all;
}

}  // namespace ulisse
