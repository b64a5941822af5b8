#pragma once

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/random_request.h"

namespace lacuna {

struct SpDistalKernel {
  std::string name, statement;
  std::map<std::string, RandomOperand> operands;
  std::string by_rows, by_nonzeros;
};

/// SpDISTAL's kernels (section VI): SpMV, SpMM, SpAdd3, SDDMM, SpTTV and SpMTTKRP. Sums of tensors have no one operand
/// whose non-zeros could be dealt out.
inline std::vector<SpDistalKernel> spdistal_kernels(const RandomOperand& csr, const RandomOperand& csf) {
  const RandomOperand full{"dense", -1};
  const std::string rows = "distribute({i},{io},{ii},M)";
  const auto nonzeros = [](const std::string& order, const std::string& access) {
    return fmt::format("reorder({}), fuse(i,j,f), pos(f,fp,{}), divide(fp,fpo,fpi,M.x), distribute(fpo)", order,
                       access);
  };
  return {
      {"SpMV", "a(i) = B(i,j) * c(j)", {{"B", csr}, {"c", full}}, rows, nonzeros("i,j", "B(i,j)")},
      {"SpMM", "A(i,l) = B(i,j) * C(j,l)", {{"B", csr}, {"C", full}}, rows, nonzeros("i,j,l", "B")},
      {"SpAdd3", "A(i,j) = B(i,j) + C(i,j) + D(i,j)", {{"B", csr}, {"C", csr}, {"D", csr}}, rows, ""},
      {"SDDMM",
       "A(i,j) = B(i,j) * C(i,k) * D(k,j)",
       {{"B", csr}, {"C", full}, {"D", full}},
       rows,
       nonzeros("i,j,k", "B")},
      {"SpTTV", "A(i,j) = B(i,j,k) * c(k)", {{"B", csf}, {"c", full}}, rows, nonzeros("i,j,k", "B")},
      {"SpMTTKRP",
       "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)",
       {{"B", csf}, {"C", full}, {"D", full}},
       rows,
       nonzeros("i,j,k,l", "B")},
  };
}

}  // namespace lacuna
