#pragma once

namespace ulisse {

// What set_threads(0) stands for from now on: fewer than the machine's cores where other processes
// of the same program use them, too. 0: all.
void set_default_threads(int count);

// What was last given to set_threads(), which other processes of the same program follow.
int requested_threads();

}  // namespace ulisse
