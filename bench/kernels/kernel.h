#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/contest/inputs.h"
#include "bench/kernels/problem.h"

namespace lacuna::contest {

/// What Lacuna is to reach: its speed over that of the fastest other contestant, as the geometric mean over inputs, and
/// a share of the read bandwidth on some inputs.
struct Goal {
  double speed = 1;
  double bandwidth = 0;                            // 0: none
  std::vector<std::string> bandwidth_inputs = {};  // on these; empty: on all
};

/// One row of the table of kernels: what is computed, on which inputs, and what is expected of it.
struct Kernel {
  std::string name;        // what --kernel looks for
  std::string statement;   // index notation
  std::string byte_model;  // what Problem::bytes counts, in words
  Goal goal;
  std::string schedule;  // directives; with them, "Lacuna scheduled" takes part, too
  std::function<std::vector<std::string>(Inputs&)> inputs;
  std::function<Problem(Inputs&, const std::string& input)> make;
};

// The kernels, one family a file.
std::vector<Kernel> spmv_kernels();
std::vector<Kernel> dense_factor_kernels();
std::vector<Kernel> tensor_kernels();
std::vector<Kernel> addition_kernels();
std::vector<Kernel> product_kernels();
std::vector<Kernel> intersection_kernels();
std::vector<Kernel> fused_kernels();
std::vector<Kernel> conversion_kernels();
/// All of them, in the order in which they are run.
std::vector<Kernel> all_kernels();

/// The bytes of a tensor's arrays, as a number of a byte model.
double bytes_of(const Storage& tensor);
/// The inputs that most kernels of matrices run on.
std::vector<std::string> every_matrix(Inputs& inputs);
std::vector<std::string> every_tensor(Inputs& inputs);

}  // namespace lacuna::contest
