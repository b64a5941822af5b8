#pragma once

#include <vector>

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/support/few_or_many.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A tensor's storage as the kernel ABI describes it. Points into `storage`, which must outlive it.
class Descriptor {
 public:
  explicit Descriptor(const Storage& storage);
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  lacuna_tensor* get() { return &tensor_; }

 private:
  FewOrMany<lacuna_level, 4> levels_;
  FewOrMany<std::int32_t, 4> modes_;
  std::vector<lacuna_array> nodes_;  // of all levels, one after the other
  lacuna_tensor tensor_{};
};

}  // namespace lacuna
