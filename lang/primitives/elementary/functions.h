// All elementary functions that are written over an arithmetic: what a code generator includes,
// beside the rows of `functions.def`.
#pragma once

#include "lang/primitives/elementary/area.h"
#include "lang/primitives/elementary/error_function.h"
#include "lang/primitives/elementary/exponential.h"
#include "lang/primitives/elementary/gamma.h"
#include "lang/primitives/elementary/half.h"
#include "lang/primitives/elementary/hyperbolic.h"
#include "lang/primitives/elementary/inverse_trigonometric.h"
#include "lang/primitives/elementary/logarithm.h"
#include "lang/primitives/elementary/parts.h"
#include "lang/primitives/elementary/power.h"
#include "lang/primitives/elementary/remainder.h"
#include "lang/primitives/elementary/roots.h"
#include "lang/primitives/elementary/trigonometric.h"
