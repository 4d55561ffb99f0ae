#include <cmath>
#include <vector>

#include "base/json_text.h"
#include "map_report.h"
#include "ulisse/threads.h"
#include "ulisse/version.h"

namespace ulisse::cli {

namespace {

using Json = nlohmann::ordered_json;

Json list_of(const Vector& v) { return std::vector<double>(v.data(), v.data() + v.size()); }

Json rows_of(const Matrix& m) {
  if (m.size() == 0) return nullptr;
  Json rows = Json::array();
  for (Index r = 0; r < m.rows(); ++r) rows.push_back(list_of(m.row(r)));
  return rows;
}

Json subset_of(const MapResult& result) {
  if (result.rows == result.loaded.data.y.size()) return nullptr;
  return {{"rows", result.rows}, {"of", result.loaded.data.y.size()}, {"seed", result.seed}};
}

Json scaling_of(const LoadedData& loaded) {
  const Standardisation& s = loaded.scaling;
  return {{"x_mean", list_of(s.x_mean)},
          {"x_sd", list_of(s.x_sd)},
          {"y_mean", s.y_mean},
          {"y_sd", s.y_sd}};
}

// Which input each tau belongs to, where it belongs to one.
Json inputs_of(const LoadedData& loaded) {
  Json inputs = Json::object();
  const auto names = loaded.model.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string input = loaded.input_of(i);
    if (!input.empty()) inputs[names[i]] = input;
  }
  return inputs;
}

Json data_of(const MapResult& result) {
  const LoadedData& loaded = result.loaded;
  return {{"file", loaded.data.source},
          {"fingerprint", loaded.fingerprint},
          {"target", loaded.data.target},
          {"features", loaded.data.features},
          {"n", result.rows},
          {"d", loaded.data.x.cols()},
          {"subset", subset_of(result)},
          {"standardised", loaded.standardised},
          {"scaling", scaling_of(loaded)}};
}

Json model_of(const LoadedData& loaded) {
  Json priors;
  const Layout& layout = loaded.model.layout;
  for (Index i = 0; i < layout.size(); ++i) {
    priors[layout.at(i).name] = layout.at(i).prior.to_string();
  }
  return {{"kernel", loaded.model.given.kernel},
          {"parameters", loaded.model.names()},
          {"inputs", inputs_of(loaded)},
          {"priors", priors}};
}

Json mode_of(const MapResult& result) {
  const Model& model = result.loaded.model;
  const Mode& mode = result.mode;
  const double log_prior = model.log_prior(mode.psi).value;
  Json theta, psi;
  for (Index i = 0; i < mode.psi.size(); ++i) {
    theta[model.layout.at(i).name] = std::exp(mode.psi(i));
    psi[model.layout.at(i).name] = mode.psi(i);
  }
  return {{"theta", theta},
          {"psi", psi},
          {"log_posterior", mode.log_density},
          {"log_likelihood", mode.log_density - log_prior},
          {"log_prior", log_prior},
          {"covariance", rows_of(mode.covariance)},
          {"converged", result.is_mode()},
          {"distance", json_number(distance_from_mode(mode))},
          {"message", result.message},
          {"largest_gradient", mode.gradient.cwiseAbs().maxCoeff<Eigen::PropagateNaN>()},
          {"evaluations", mode.evaluations},
          {"other_mode",
           mode.other_psi.size() > 0
               ? Json{{"psi", std::vector<double>(mode.other_psi.begin(), mode.other_psi.end())},
                      {"share", mode.other_share}}
               : Json(nullptr)}};
}

}  // namespace

Json to_json(const MapResult& result) {
  Json out = {{"version", version()}};
  out.update(data_of(result));
  out.update(model_of(result.loaded));
  out.update(mode_of(result));
  out["threads"] = threads();
  out["seconds"] = result.seconds;
  return out;
}

}  // namespace ulisse::cli
