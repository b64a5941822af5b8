#include "bench/kernels/kernel.h"

#include <iterator>

namespace lacuna::contest {

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> all;
  for (const auto& family : {spmv_kernels, dense_factor_kernels, tensor_kernels, addition_kernels, product_kernels,
                             intersection_kernels, fused_kernels, conversion_kernels}) {
    std::vector<Kernel> kernels = family();
    std::move(kernels.begin(), kernels.end(), std::back_inserter(all));
  }
  return all;
}

double bytes_of(const Storage& tensor) { return static_cast<double>(tensor.bytes()); }

std::vector<std::string> every_matrix(Inputs& inputs) { return inputs.matrices(); }
std::vector<std::string> every_tensor(Inputs& inputs) { return inputs.tensors(); }

}  // namespace lacuna::contest
