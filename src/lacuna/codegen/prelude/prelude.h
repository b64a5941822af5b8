#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lacuna/support/type.h"

namespace lacuna {

/// A header of this folder, as it stands in its file.
struct PreludeHeader {
  std::string_view name;
  std::string_view text;
};

/// Every header of the prelude, each after those that it includes; lacuna_kernel.h is the first, and lacuna_parallel.h,
/// which kernels do not need, the second.
std::span<const PreludeHeader> prelude_headers();

/// The functions of the prelude that one kernel uses, and what they use in turn. A header writes a family of functions
/// out for one sample type of each class (int32, uint32, float64, complex128); the same text with the names of another
/// type is that type's member of the family.
class Prelude {
 public:
  /// What runs the functions: `device.h` takes the place of headers whose functions take pointers.
  enum class Kind : std::uint8_t { Processor, OpenCl, Cuda };
  explicit Prelude(Kind kind = Kind::Processor) : kind_(kind) {}
  /// Notes the use of `lacuna_NAME` and returns that name. Throws InternalError when no header defines it.
  std::string use(std::string_view name);
  /// Notes the use of `lacuna_FAMILY_TYPE` and returns that name. Throws InternalError when no header has the family.
  std::string use(std::string_view family, Type type);
  /// The functions noted so far, each after those that it calls.
  std::string text() const;
  /// Whether the functions are of a device, whose language has no complex numbers.
  bool is_of_device() const { return kind_ != Kind::Processor; }

 private:
  void add(std::size_t item, Type type);
  Kind kind_;
  std::set<std::pair<std::size_t, Type>> used_;  // number of the definition, and the type that it is written for
};

/// The header of this name as it stands in its file.
std::string_view prelude_header(std::string_view name);

/// lacuna_parallel.h without its #include of lacuna_kernel.h.
std::string parallel_text();

/// lacuna_kernel.h; without what only C++ needs if `for_c`.
std::string descriptor_text(bool for_c);

}  // namespace lacuna
