#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_text.h"
#include "fit/folder.h"
#include "store/chain_file.h"

namespace ulisse::testing {

// The folder of a complete fit, as the sampler `ulisse` with Langevin's steps leaves it, written
// without sampling: 12 rows of two inputs, two chains of 30 draws. It goes with this.
class WrittenFit {
 public:
  using Json = nlohmann::ordered_json;

  explicit WrittenFit(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("ulisse_" + name + "_" + std::to_string(::getpid()))),
        folder_(path_.string()) {
    folder_.create();
    json_ = description();
    put("fit.json", json_text(json_));
    put("data.csv", to_csv(table()));
    for (int c = 0; c < 2; ++c) write_chain(c);
  }
  ~WrittenFit() { std::filesystem::remove_all(path_); }
  WrittenFit(const WrittenFit&) = delete;
  WrittenFit& operator=(const WrittenFit&) = delete;

  const FitFolder& folder() const { return folder_; }
  const Json& json() const { return json_; }

  void put(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
  }

  static Dataset table() {
    Dataset raw{.x = Matrix(12, 2), .y = Vector(12), .features = {"a", "b"}, .target = "y"};
    for (Index i = 0; i < 12; ++i) {
      const auto t = static_cast<double>(i);
      raw.x.row(i) << t, std::cos(t);
      raw.y(i) = std::sin(t / 3);
    }
    raw.source = "table.csv";
    return raw;
  }

 private:
  static Json description() {
    const Dataset raw = table();
    FitSettings settings = settings_for("ulisse", "default", 12);
    settings.chains = 2;
    Json json =
        to_json(describe_fit(settings, {Reason::Code::exact_needs_memory, {{"rows", 60.0}}},
                             make_model(parse_kernel("rbf"), 2), raw, standardisation_of(raw)));
    json["status"] = "complete";
    json["mode"] = {{"psi", {0.1, -1.0, -2.0}},
                    {"converged", true},
                    {"other_psi", {1.0, -3.0, -1.0}},
                    {"other_share", 0.1},
                    {"second_share", 0.1}};
    json["metric"] = {{0.5, 0.0, 0.0}, {0.0, 0.3, 0.0}, {0.0, 0.0, 0.2}};
    json["backend"] = "dense";
    json["setup"] = setup();
    json["warmup_iterations"] = 100;
    json["draws"] = 30;
    for (const char* key : {"seconds_setup", "seconds_warmup", "seconds_sampling"}) json[key] = 1.5;
    json["threads"] = 2;
    json["chains"] = {chain(1), chain(2)};
    return json;
  }

  static Json setup() {
    return {
        {"exact", false},
        {"why_exact", {{"code", "not_gaussian"}, {"values", {{"bend", 0.3}, {"limit", nullptr}}}}},
        {"swaps", false},
        {"bend", 0.1},
        {"exponents", {0, 0, 0}},
        {"origin", {0, 0, 0}},
        {"off_mode", 0.01},
        {"metric_repaired", false},
        {"searched_rows", 10},
        {"rank", 5},
        {"other_share_there", 0.2},
        {"q", 0.1},
        {"step", 1.5},
        {"probes", 4},
        {"fresh_probes", false},
        {"unfinished_solves", 0},
        {"trace", "probes"},
        {"trace_error", 0.03},
        {"bank_error", nullptr},
        {"solver_error", 1e-5},
        {"product_error", 1e-9},
        {"noise",
         {{"cutting", 0.001},
          {"probes", 0.009},
          {"probes_without_anchor", 0.2},
          {"share", 0.01},
          {"share_far_out", 0.02}}}};
  }

  static Json chain(int number) {
    return {{"file", "chain_" + std::to_string(number) + ".csv"},
            {"step_size", 1.5},
            {"products_per_iteration", 5.0},
            {"untrustworthy_per_iteration", 0.0},
            {"unfinished_solves", 0},
            {"history",
             {{"iterations", {10, 20}}, {"steps", {1.5, 1.5}}, {"noise_ratios", {0.1, 0.1}}}},
            {"cut_drifts", 0},
            {"trace_error", 0.02},
            {"metric_refreshed", false},
            {"step_reduced", false},
            {"stein", {{1.0, 0.01, 0.0}, {0.0, 1.1, 0.0}, {0.0, nullptr, 0.9}}}};
  }

  void write_chain(int c) const {
    ChainFile file(folder_.chain_file(c), {.model = "ulisse_rbf",
                                           .sampler = "ulisse",
                                           .id = c + 1,
                                           .warmup = 100,
                                           .draws = 30,
                                           .parameters = {"sigma", "tau", "lambda"},
                                           .step_size = 1.5,
                                           .metric_diagonal = Vector::Ones(3)});
    for (int i = 0; i < 30; ++i) {
      const double t = i + 0.5 * c;
      file.append({.psi = (Vector(3) << std::sin(t), std::cos(2 * t), std::sin(3 * t)).finished(),
                   .log_density = -t,
                   .accept_stat = 1,
                   .step_size = 1.5,
                   .leapfrogs = 5,
                   .energy = t});
    }
    file.finish(30, 1, 1);
    file.flush();
  }

  std::filesystem::path path_;
  FitFolder folder_;
  Json json_;
};

}  // namespace ulisse::testing
