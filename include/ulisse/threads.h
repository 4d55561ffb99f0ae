#pragma once

namespace ulisse {

// Limits the threads that this process's ulisse calls use together; 0 means one for each core.
// Results do not depend on it, bit for bit. Call it from the main thread, between computations.
// Throws InputError above most_threads(), and where a limit on memory leaves too little for the
// buffers of so many.
void set_threads(int count);
int threads();

// More than that are a slip of the keyboard, and the machine would come to a halt.
int most_threads();

}  // namespace ulisse
