#include "predict_result.h"

#include <fmt/format.h>

#include "fit/finding_json.h"
#include "report/finding_words.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

nlohmann::ordered_json to_json(const Scores& s) {
  return {{"rmse", s.rmse},
          {"nlpd", s.nlpd},
          {"crps", s.crps},
          {"coverage", s.coverage},
          {"width", s.width}};
}

void print_scores(std::FILE* out, const char* name, const Scores& s) {
  fmt::print(out, "{:<28} {:>11.5g} {:>9.4f} {:>11.5g} {:>9.3f} {:>11.5g}\n", name, s.rmse, s.nlpd,
             s.crps, s.coverage, s.width);
}

void print_differences(std::FILE* out, const char* name, const Scores& s) {
  fmt::print(out, "{:<28} {:>11.2g} {:>9.2g} {:>11.2g} {:>9.2g} {:>11.2g}\n", name, s.rmse, s.nlpd,
             s.crps, s.coverage, s.width);
}

void print_components(std::FILE* out, const PredictResult& r) {
  if (r.components.empty()) return;
  fmt::print(
      out, "\nthe function is the sum of these, whose mean and sd are in columns of their own:\n");
  for (const auto& [name, words] : r.components) fmt::print(out, "{:<10} {}\n", name, words);
  if (r.one_component) fmt::print(out, "The model has one component only: the function itself.\n");
}

// Such scores are of what the fit has seen.
void print_known(std::FILE* out, const PredictResult& r) {
  if (r.known == 0) return;
  const std::string which =
      r.known == r.points ? "All of them" : fmt::format("{} of them", r.known);
  fmt::print(out,
             "{} are rows that the fit was made from, and scores there say nothing of new rows: "
             "ulisse loo has scores that do.\n",
             which);
}

}  // namespace

nlohmann::ordered_json to_json(const PredictResult& r) {
  nlohmann::ordered_json out = {{"file", r.file},
                                {"training_rows", r.training},
                                {"points", r.points},
                                {"draws", r.draws},
                                {"latent", r.latent},
                                {"method", r.method},
                                {"variance_error", r.variance_error},
                                {"threads", threads()},
                                {"seconds", r.seconds},
                                {"warnings", sentences(r.findings, OptionNames::command_line)},
                                {"findings", to_json(r.findings)},
                                {"scores", nullptr},
                                {"scores_at_the_mode", nullptr},
                                {"difference", nullptr},
                                {"difference_error", nullptr}};
  if (!r.components.empty()) {
    for (const auto& [name, words] : r.components) out["components"][name] = words;
  }
  if (!r.scored) return out;
  out["interval"] = r.interval;
  out["training_points"] = r.known;
  out["scores"] = to_json(r.scores);
  out["scores_at_the_mode"] = to_json(r.at_the_mode);
  out["difference"] = to_json(r.apart.difference);
  if (r.points > 1) out["difference_error"] = to_json(r.apart.error);
  return out;
}

void print_text(const PredictResult& r, std::FILE* out) {
  fmt::print(out, "{} prediction{} from {} rows, {} draw{}, {}, {:.1f} s: {}\n", r.points,
             r.points == 1 ? "" : "s", r.training, r.draws, r.draws == 1 ? "" : "s", r.method,
             r.seconds, r.file);
  print_components(out, r);
  if (!r.scored) return;
  print_known(out, r);
  fmt::print(out, "\n{:<28} {:>11} {:>9} {:>11} {:>9} {:>11}\n",
             r.latent ? "of the target, with noise" : "of the target", "RMSE", "NLPD", "CRPS",
             "coverage", "width");
  print_scores(out, "averaged over the posterior", r.scores);
  print_scores(out, r.mode_found ? "with the mode alone" : "with what is no mode", r.at_the_mode);
  print_differences(out, "the first less the second", r.apart.difference);
  if (r.points > 1) print_differences(out, "its standard error", r.apart.error);
  fmt::print(
      out,
      "\ncoverage and width: of the {:.3g} % interval; NLPD: mean negative log predictive density; "
      "CRPS: "
      "continuous ranked probability score. Smaller is better, but for coverage, which should be "
      "as named, and for width where coverages differ. Standard errors are over the rows, as if "
      "these were independent.\n",
      100 * r.interval);
}

}  // namespace ulisse::cli
