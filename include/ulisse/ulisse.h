#pragma once

// Everything that is public.

#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/dataset.h"
#include "ulisse/diagnose.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/kernel.h"
#include "ulisse/layout.h"
#include "ulisse/model.h"
#include "ulisse/noise.h"
#include "ulisse/parameter.h"
#include "ulisse/preconditioner.h"
#include "ulisse/prior.h"
#include "ulisse/random.h"
#include "ulisse/solve.h"
#include "ulisse/stochastic_gradient.h"
#include "ulisse/threads.h"
#include "ulisse/types.h"
#include "ulisse/unbiased.h"
#include "ulisse/version.h"
