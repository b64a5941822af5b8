#pragma once

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// The loop with its sums as statements of setup and teardown, as they are defined:
///   parallel for (…) own(w[n] adds to y) { body }
///   -> parallel for (…) { setup { w = allocate_zeroed(n); } body
///                         teardown { for (k = 0; k < n; k++) atomic y[k] += w[k]; release(w); } }
For with_sums_written_out(const For& loop);

}  // namespace lacuna::loop
