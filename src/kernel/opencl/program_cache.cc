#include "kernel/opencl/program_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/fnv1a.h"

namespace ulisse::opencl {

namespace {

namespace fs = std::filesystem;

std::string hash_of(const std::string& text) {
  Fnv1a hash;
  hash.add(text);
  return fmt::format("{:016x}", hash.hash());
}

fs::path folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && fs::path(cache).is_absolute()) return fs::path(cache) / "ulisse";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute()) return fs::path(home) / ".cache/ulisse";
  return {};
}

fs::path file_of(const std::string& key) {
  const fs::path cache = folder();
  if (cache.empty()) return {};
  return cache / ("opencl-" + hash_of(key));
}

// A file begins with its key, since two keys may have one hash, and the binary's own hash, since
// drivers need not survive half a binary.
std::string binary_from(const fs::path& path, const std::string& key) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = key.size() + hash_of("").size();
  if (content.size() <= begin || content.compare(0, key.size(), key) != 0) return {};
  std::string binary = content.substr(begin);
  return content.compare(key.size(), begin - key.size(), hash_of(binary)) == 0 ? binary : "";
}

std::string binary_of(cl_program program) {
  std::size_t size = 0;
  if (api().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) !=
      CL_SUCCESS) {
    return {};
  }
  std::string binary(size, '\0');
  auto* data = reinterpret_cast<unsigned char*>(binary.data());
  const cl_int status =
      api().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(data), &data, nullptr);
  return status == CL_SUCCESS ? binary : "";
}

}  // namespace

Owned<cl_program> program_from_cache(cl_context context, cl_device_id device,
                                     const std::string& key, const char* options) {
  const std::string binary = binary_from(file_of(key), key);
  if (binary.empty()) return {};
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t size = binary.size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  Owned<cl_program> program(
      api().clCreateProgramWithBinary(context, 1, &device, &size, &data, &loaded, &status));
  if (!program || status != CL_SUCCESS || loaded != CL_SUCCESS) return {};
  status = api().clBuildProgram(program.get(), 1, &device, options, nullptr, nullptr);
  return status == CL_SUCCESS ? std::move(program) : Owned<cl_program>();
}

// Under another name first, so that no process reads half a file.
void put_in_cache(cl_program program, const std::string& key) {
  const fs::path path = file_of(key);
  const std::string binary = binary_of(program);
  if (path.empty() || binary.empty()) return;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path unfinished = path.string() + fmt::format(".{}", getpid());
  std::ofstream file(unfinished, std::ios::binary);
  file << key << hash_of(binary) << binary;
  file.close();
  if (file) {
    fs::rename(unfinished, path, error);
  } else {
    fs::remove(unfinished, error);
  }
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  const std::string text = log.c_str();
  return text.substr(0, text.find('\n'));
}

}  // namespace ulisse::opencl
