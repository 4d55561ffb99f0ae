#pragma once

#include "distribute/team.h"

namespace ulisse {

// What all but the leader do: its orders, until it tells them to stop. What goes wrong here ends
// the whole team, with its sentence.
void serve(Team& team);

}  // namespace ulisse
