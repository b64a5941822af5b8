#pragma once

#include "lacuna/concrete/blas_call.h"
#include "lacuna/schedule/cost/model.h"
#include "lacuna/schedule/cost/result_work.h"

namespace lacuna::cost {

/// Books a call of BLAS, come to at `place`: its operations, and each matrix or vector read or stored once. What a dot
/// product comes to is not stored yet.
void book_call(Model& model, ResultWork& result, const concrete::BlasCall& call, const Place& place);

}  // namespace lacuna::cost
