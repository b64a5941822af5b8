#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "lacuna/tensor/storage.h"
#include "lacuna/tensor/value_at.h"

namespace lacuna {

/// Visits every stored entry in storage order with its coordinates by mode. Simple, not fast.
void for_each(const Storage& tensor, const std::function<void(std::span<const std::int64_t>, const Scalar&)>& visit);

struct CompareOptions {
  double relative = 1e-9;  // |a-b| <= relative*max(|a|,|b|) + absolute; integers and bool compare exactly
  double absolute = 0;
  bool same_pattern = false;  // absent and stored zero differ
};

/// Nothing when equal; else a sentence naming the first differing coordinate and both values. NaN equals NaN.
/// Formats and element types may differ; dimensions may not.
std::optional<std::string> difference(const Storage& a, const Storage& b, const CompareOptions& options = {});

}  // namespace lacuna
