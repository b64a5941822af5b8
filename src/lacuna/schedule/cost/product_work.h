#pragma once

#include "lacuna/concrete/matrix_product.h"
#include "lacuna/schedule/cost/model.h"
#include "lacuna/schedule/cost/result_work.h"

namespace lacuna::cost {

/// Books a product of matrices, come to at `place`: its operations, and each matrix read or stored once.
void book_product(Model& model, ResultWork& result, const concrete::MatrixProduct& product, const Place& place);

}  // namespace lacuna::cost
