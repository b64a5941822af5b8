#pragma once

#include <set>
#include <string>
#include <vector>

#include "lacuna/codegen/prelude/prelude.h"
#include "lacuna/loop/ir.h"

namespace lacuna {

/// What the printed functions use and the file must therefore declare above them.
class Requirements {
 public:
  explicit Requirements(Prelude::Kind kind = Prelude::Kind::Processor) : prelude(kind) {}

  Prelude prelude;

  /// A function of C's library, by its name for double (complex): notes its prototype, and returns its name for the
  /// precision of `argument` ("csqrtf").
  std::string library(std::string_view name, Type result, Type argument, std::size_t arity);
  /// Notes the use of a function of another library.
  void prototype(const std::string& text) { prototypes_.insert(text); }
  /// Functions of cblas.h: note the prototype, and return the name for the precision.
  std::string blas(loop::Routine routine, Type type);
  std::string blas_dot(Type type);
  bool calls_blas() const { return blas_; }
  /// A type of so many elements side by side, which need not be aligned: notes its definition, and returns its name.
  std::string vector(Type element, int lanes);
  /// A function that stores such a vector past the caches, if that is asked for and it is aligned: notes its
  /// definition, and returns its name.
  std::string stream(Type element, int lanes);
  /// What makes such stores seen by all before anything that follows; those of other threads were seen when these met
  /// at the end of their loop.
  std::string end_of_streams();
  /// Notes the use of a type; bool needs a header.
  void type(Type type);
  void infinity_or_nan() { infinity_ = true; }

  /// The #includes beyond those of the descriptor.
  std::string includes() const;
  /// The prototypes and macros of what would otherwise need slow headers.
  std::string declarations() const;

 private:
  std::string blas(std::string_view name, Type type, std::string_view result, std::string_view parameters);

  std::set<std::string> prototypes_;
  std::set<std::string> streams_;  // functions that use what is declared there
  bool bool_ = false;
  bool infinity_ = false;
  bool blas_ = false;
};

}  // namespace lacuna
