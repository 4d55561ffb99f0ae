#pragma once

namespace ulisse {

// OpenBLAS takes a buffer for each of its own threads when it is loaded, and for each thread that
// calls it at the same time. Where the system has no memory for one, it asks again, for ever: no
// error comes back, and not even exit() returns. So we look first.

// Whether OpenBLAS's own threads are at it, after some time to get what they need. The program can
// then end by _exit() alone.
bool blas_waits_for_memory();

// Has OpenBLAS keep buffers for so many threads of ours. Throws InputError where there is no memory
// for them. Cheap to call again.
void reserve_blas_memory(int threads);

}  // namespace ulisse
