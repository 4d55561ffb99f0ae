#pragma once

#include <filesystem>
#include <fstream>

#include "fit/folder.h"
#include "fit/identity.h"
#include "store/checkpoint.h"

namespace ulisse::testing {

// The files of a fit of three rows, as far as others look at them; `about` goes into fit.json's
// data.
inline nlohmann::ordered_json fit_in(
    const std::filesystem::path& folder,
    const nlohmann::ordered_json& about = nlohmann::ordered_json::object()) {
  std::filesystem::create_directories(folder);
  const Dataset raw{.x = (Matrix(3, 1) << 1, 2, 5).finished(),
                    .y = (Vector(3) << 1, 0, 2).finished(),
                    .features = {"a"},
                    .target = "y",
                    .source = "table.csv"};
  auto json =
      to_json(describe_fit(settings_for("mh", "default", 3), {}, make_model(parse_kernel("rbf"), 1),
                           raw, standardisation_of(raw)));
  json["data"].update(about);
  const FitFolder fit(folder.string());
  fit.write_json(json);
  write_checkpoint(fit.checkpoint_file(), {"checkpoint", fit_identity(json)}, "state");
  std::ofstream(fit.data_file()) << to_csv(raw);
  std::ofstream(fit.chain_file(0)) << "# ulisse_version = 0.1.0\n";
  std::ofstream(fit.chain_file(1));  // as a kill may leave it
  return json;
}

}  // namespace ulisse::testing
