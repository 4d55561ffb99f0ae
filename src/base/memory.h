#pragma once

#include <cstddef>
#include <string>

namespace ulisse {

std::size_t machine_memory_bytes();    // physical
std::size_t available_memory_bytes();  // what could be allocated now without swapping
std::size_t peak_memory_bytes();       // the largest this process has been

// Of so many doubles, a number that may be beyond any integer.
std::size_t bytes_of(double doubles);

// "4.2 GB"; decimal units.
std::string readable_bytes(std::size_t bytes);

// Throws InputError when `bytes` exceed the memory available: better a sentence now than a kill
// later. `what` completes "... needs 80.0 GB".
void check_memory(const std::string& what, std::size_t bytes);

}  // namespace ulisse
