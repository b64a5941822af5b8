#pragma once

/// Everything a C++ program needs of Lacuna:
///
///     #include "lacuna/api/lacuna.h"
///     using namespace lacuna;
///
///     Tensor<double> A({3, 3}, csr_format());
///     A.insert({0, 1}, 2.0);
///     Tensor<double> x({3});                       // dense
///     x.insert({1}, 5.0);
///
///     IndexVar i("i"), j("j");
///     Tensor<double> y;                            // takes dimensions and format from what is assigned
///     y(i) = A(i, j) * x(j);                       // nothing runs yet
///     double first = y.at({0});                    // compiles one kernel, runs it once
///
/// Mistakes throw lacuna::Error, whose text names the thing and the fix; what fails outside the program (no compiler,
/// out of memory) throws lacuna::RuntimeFailure.

#include "lacuna/api/default_engine.h"     // IWYU pragma: export
#include "lacuna/api/expression.h"         // IWYU pragma: export
#include "lacuna/api/named_functions.h"    // IWYU pragma: export
#include "lacuna/api/placed_format.h"      // IWYU pragma: export
#include "lacuna/api/print.h"              // IWYU pragma: export
#include "lacuna/api/ranks.h"              // IWYU pragma: export
#include "lacuna/api/schedule.h"           // IWYU pragma: export
#include "lacuna/api/tensor.h"             // IWYU pragma: export
#include "lacuna/distribute/comm/world.h"  // IWYU pragma: export
#include "lacuna/format/format.h"          // IWYU pragma: export
#include "lacuna/notation/expr.h"          // IWYU pragma: export
#include "lacuna/support/error.h"          // IWYU pragma: export
