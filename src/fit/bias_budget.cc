#include "fit/bias_budget.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "ulisse/types.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// What is off of each chain's identity, symmetrised: 0 under the exact posterior.
std::vector<Matrix> identities_off(const std::vector<ChainRecord>& chains) {
  std::vector<Matrix> all;
  for (const ChainRecord& c : chains) {
    const Index p = c.stein.rows();
    all.emplace_back(0.5 * (c.stein + c.stein.transpose()) - Matrix::Identity(p, p));
  }
  return all;
}

// A mean over chains and its error.
struct OverChains {
  double mean, error;
};
OverChains over_chains(const Vector& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = values.mean(), squares = (values.array() - mean).square().sum();
  return {mean, count > 1 ? std::sqrt(squares / (count * (count - 1))) : NAN};
}

// Along the direction in which most is off, which for each chain the others choose: the largest of
// many would be large by chance.
Vector where_most_is_off(const std::vector<Matrix>& off) {
  Vector values(static_cast<Index>(off.size()));
  for (std::size_t c = 0; c < off.size(); ++c) {
    Matrix others = Matrix::Zero(off[c].rows(), off[c].cols());
    for (std::size_t k = 0; k < off.size(); ++k) {
      if (k != c) others += off[k];
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(others);
    Index most = 0;
    eigen.eigenvalues().cwiseAbs().maxCoeff(&most);
    const Vector along = eigen.eigenvectors().col(most);
    values(static_cast<Index>(c)) =
        std::copysign(1, eigen.eigenvalues()(most)) * along.dot(off[c] * along);
  }
  return values;
}

// Means of what is off, of each parameter and where most is.
std::vector<OverChains> all_that_is_off(const std::vector<ChainRecord>& chains) {
  const std::vector<Matrix> off = identities_off(chains);
  std::vector<OverChains> found;
  for (Index j = 0; j < off[0].rows(); ++j) {
    Vector values(static_cast<Index>(off.size()));
    for (std::size_t c = 0; c < off.size(); ++c) values(static_cast<Index>(c)) = off[c](j, j);
    found.push_back(over_chains(values));
  }
  const bool known =
      std::all_of(off.begin(), off.end(), [](const Matrix& m) { return m.allFinite(); });
  if (known && off.size() > 1 && off[0].rows() > 1) {
    const OverChains most = over_chains(where_most_is_off(off));
    if (most.mean > 0) found.push_back(most);  // else the chains do not agree on it
  }
  return found;
}

double mean_trace_error(const std::vector<ChainRecord>& chains, double where_none) {
  double sum = 0;
  for (const ChainRecord& c : chains) sum += c.trace_error.value_or(where_none);
  return sum / static_cast<double>(chains.size());
}

// Exact gradients leave the certificate alone. What others have in common moves draws by as much
// over the curvature as the certificate takes it to be, where that is less than a Gaussian's.
BiasBudget budget_of_surrogate(const SetupRecord& setup) {
  BiasBudget b{.surrogate = setup.certificate->limit, .exact_anchor = true};
  if (!setup.anchored) return b;
  const double curvature = std::min(1.0, setup.certificate->curvature);
  b.anchor = setup.trace_error / curvature;
  b.bank = setup.fresh_probes ? 0 : setup.bank_error / curvature;
  b.bank_spread = b.bank / 3;
  b.solver = setup.solver_error / curvature;
  b.products = setup.product_error / curvature;
  b.exact_anchor = setup.exact_trace;
  return b;
}

}  // namespace

std::optional<BiasBudget> bias_budget(const std::optional<SetupRecord>& setup,
                                      const std::vector<ChainRecord>& chains) {
  const auto has_identity = [](const ChainRecord& c) { return c.stein.size() > 0; };
  if (!setup || chains.empty()) return std::nullopt;
  if (setup->certificate) return budget_of_surrogate(*setup);
  if (!std::all_of(chains.begin(), chains.end(), has_identity)) return std::nullopt;
  BiasBudget b{.anchor = setup->trace_error,
               .bank = setup->fresh_probes ? 0 : setup->bank_error,
               .solver = setup->solver_error,
               .products = setup->product_error,
               .exact_anchor = setup->exact_trace};
  // The bank's error was measured 1.5 standard deviations from the anchor, where it is 0, and grows
  // in proportion: it changes the curvature, and half of that the standard deviation.
  b.bank_spread = b.bank / 3;
  // Chains go on to improve an average.
  if (!b.exact_anchor) b.anchor = mean_trace_error(chains, b.anchor);
  for (const ChainRecord& c : chains) b.step = std::fmin(b.step, c.step_size);
  bool seen = false;  // one beyond its error
  for (const auto& [mean, error] : all_that_is_off(chains)) {
    const double off = std::abs(mean) / 2;  // of a standard deviation: half of its variance's
    const bool beyond = off > 3 * error / 2;
    if (beyond < seen || (beyond == seen && off < b.discretisation)) continue;
    seen = beyond;
    b.discretisation = off;
    b.discretisation_error = error / 2;
  }
  return b;
}

Json to_json(const BiasBudget& b) {
  Json json;
  if (b.surrogate) {
    json["surrogate"] = json_number(*b.surrogate);
  } else {
    json["discretisation"] = json_number(b.discretisation);
    json["discretisation_error"] = json_number(b.discretisation_error);
  }
  json["anchor_gradient"] = json_number(b.anchor);
  json["probe_bank"] = json_number(b.bank);
  json["probe_bank_spread"] = json_number(b.bank_spread);
  json["solver_tolerance"] = json_number(b.solver);
  json["products"] = json_number(b.products);
  return json;
}

}  // namespace ulisse
