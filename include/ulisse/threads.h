#pragma once

namespace ulisse {

// Limits the threads that this process's ulisse calls use together; 0 means one for each core.
// Results do not depend on it, bit for bit. Call it from the main thread, between computations.
void set_threads(int count);
int threads();

}  // namespace ulisse
