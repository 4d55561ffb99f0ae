// ulisse devices: the OpenCL devices that products can be made on.

#include "ulisse/devices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/memory.h"
#include "base/printable.h"
#include "command.h"
#include "options.h"

namespace ulisse::cli {

namespace {

nlohmann::ordered_json to_json(const std::vector<Device>& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Device& device : all) {
    list.push_back({{"number", list.size()},
                    {"name", printable(device.name)},
                    {"platform", printable(device.platform)},
                    {"driver", printable(device.driver)},
                    {"units", device.units},
                    {"memory_bytes", device.memory_bytes},
                    {"double_precision", device.in_double},
                    {"processor", device.is_processor}});
  }
  return {{"devices", std::move(list)}};
}

void print_table(const std::vector<Device>& all) {
  fmt::print("{:<7} {:>6} {:>10} {:>7}  {}\n", "device", "units", "memory", "double",
             "name, driver");
  for (std::size_t k = 0; k < all.size(); ++k) {
    fmt::print("{:<7} {:>6} {:>10} {:>7}  {}, {} {}\n", k, all[k].units,
               readable_bytes(all[k].memory_bytes), all[k].in_double ? "yes" : "no",
               printable(all[k].name), printable(all[k].platform), printable(all[k].driver));
  }
}

}  // namespace

void add_devices_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("devices", "OpenCL devices, for the backends opencl and opencl-float.");
  add_json(*command, *json);
  command->callback([json] {
    const std::vector<Device> all = devices();
    if (*json) {
      fmt::print("{}", json_text(to_json(all)));
    } else {
      print_table(all);
    }
  });
}

}  // namespace ulisse::cli
