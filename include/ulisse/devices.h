#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ulisse {

// An OpenCL device of this machine.
struct Device {
  std::string name, platform, driver;
  int units = 0;  // that compute side by side
  std::size_t memory_bytes = 0;
  bool in_double = false;     // has double precision
  bool is_processor = false;  // the processor that the program itself runs on
};

// In the order of their numbers, which begin at 0. Throws InputError where there is no OpenCL.
std::vector<Device> devices();

// Which of them products are made on from now on: "0", "0,1"; "0/2" is device 0 as two halves. They
// must be alike, since bits depend on the device. Empty, as before the first call: the first that
// is no processor, with all that are like it; or the first. Call it between computations. Throws
// InputError where there is no such device.
void set_devices(const std::string& which);

// Whether set_devices() has named some.
bool devices_are_named();

}  // namespace ulisse
