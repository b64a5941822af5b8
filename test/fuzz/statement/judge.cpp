#include "fuzz/statement/judge.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "lacuna/notation/check.h"

namespace lacuna::fuzz {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// What is known of an expression's finite values.
struct Range {
  Type type = Type::Int32;
  bool whole = true;     // every finite value (part, of a complex one) is an integer
  bool rough = false;    // was rounded in an order that a schedule may choose
  double magnitude = 0;  // at most this
};

struct Unjudgeable {};

double largest_integer(Type type) {
  return type == Type::Bool ? 1 : std::ldexp(1.0, 8 * size_of(type) - (is_signed_integer(type) ? 1 : 0));
}

/// Up to here every integer is a value of the type.
double exact_up_to(Type type) { return std::ldexp(1.0, real_part_type(type) == Type::Float32 ? 24 : 53); }

/// Wraps integers and notes rounding of whole numbers that the type does not hold.
Range in_type(Range r, Type type) {
  r.type = type;
  if (is_integer(type)) {
    r.whole = true;
    if (r.magnitude > largest_integer(type)) r.magnitude = largest_integer(type);
  } else if (r.magnitude > exact_up_to(type)) {
    r.whole = false;
  }
  return r;
}

class Judge {
 public:
  explicit Judge(const Problem& problem) : problem_(problem) {
    for (const auto& [name, operand] : problem.operands) {
      facts_[name] = {operand.type, operand.dimensions};
      Range range{operand.type, true, false, 0};
      for (const Entry& e : operand.entries) {
        add_value(range, e.value);
        may_be_infinite_ = may_be_infinite_ || is_infinite(e.value);
      }
      // A coordinate that is stored several times holds the sum; the number of entries bounds how often.
      if (!operand.format.is_dense()) range.magnitude *= repetitions(operand);
      ranges_[name] = in_type(range, operand.type);
    }
  }

  /// The bound on the result and its partial sums.
  Range run() {
    const Type compute = compute_type(problem_.statement, facts_, problem_.result_type);
    const Statement s = with_wide_sums(problem_.statement, facts_, compute);
    Range total{compute, true, false, 0};
    bool several = s.accumulate;
    if (s.accumulate) total = add(total, ranges_.at(problem_.result()), compute);
    for (const Term& term : terms_of(s)) {
      Range r = convert(range(term.expr), compute);
      double times = 1;
      for (const IndexVar& v : term.sums) times *= static_cast<double>(problem_.extents.at(v.name()));
      r.magnitude *= times;
      several = several || !term.sums.empty() || terms_of(s).size() > 1;
      total = add(total, r, compute);
    }
    if (several) total = summed(total);
    if (may_be_infinite_ && takes_sums_inside()) throw Unjudgeable();
    return convert(
        total, problem_.result_type.value_or(s.accumulate ? problem_.operands.at(problem_.result()).type : compute));
  }

 private:
  static void add_value(Range& range, const Scalar& value) {
    const auto v = value.as<std::complex<double>>();
    for (const double part : {v.real(), v.imag()}) {
      if (!std::isfinite(part)) continue;
      range.whole = range.whole && part == std::floor(part);
      range.magnitude = std::max(range.magnitude, std::abs(part));
    }
  }

  static bool is_infinite(const Scalar& value) {
    const auto v = value.as<std::complex<double>>();
    return std::isinf(v.real()) || std::isinf(v.imag());
  }

  static double repetitions(const Operand& operand) {
    std::map<std::vector<std::int64_t>, int> counts;
    int most = 1;
    for (const Entry& e : operand.entries) most = std::max(most, ++counts[e.coordinate]);
    return most;
  }

  static Range add(const Range& a, const Range& b, Type type) {
    return in_type({type, a.whole && b.whole, a.rough || b.rough, a.magnitude + b.magnitude}, type);
  }

  /// A sum whose order is free.
  static Range summed(Range r) {
    if (!is_integer(r.type) && !r.whole) r.rough = true;
    return r;
  }

  static Range convert(Range r, Type to) {
    if (r.type == to) return r;
    if (is_integer(to) && r.rough) throw Unjudgeable();
    if (is_integer(to) && !is_integer(r.type) && r.magnitude > largest_integer(to)) r.magnitude = largest_integer(to);
    // A negative number becomes a large one.
    if (is_unsigned_integer(to) && !is_unsigned_integer(r.type) && r.magnitude > 0) r.magnitude = largest_integer(to);
    return in_type(r, to);
  }

  Type type(const Expr& e) const { return type_of(e, facts_); }

  Range range(const Expr& e) {
    return match(
        e, [&](const Access& a) { return ranges_.at(a.tensor.name()); },
        [&](const Literal& l) {
          Range r{l.value.type(), true, false, 0};
          add_value(r, l.value);
          return r;
        },
        [&](const IndexValue& v) {
          return Range{Type::Int64, true, false, static_cast<double>(problem_.extents.at(v.var.name()))};
        },
        [&](const Negate& n) { return negated(convert(range(n.operand), type(e))); },
        [&](const Binary& b) { return binary(b, type(e)); }, [&](const Call& c) { return call(c, type(e)); },
        [&](const Cast& c) { return convert(range(c.operand), c.type); },
        [&](const Sum& s) {
          Range r = convert(range(s.body), type(e));
          r.magnitude *= std::max(1.0, static_cast<double>(problem_.extents.at(s.var.name())));
          return summed(in_type(r, type(e)));
        });
  }

  /// A factor taken out of a sum, or out of a quotient, changes one of infinities: inf - inf where there was
  /// (1 - 1) * inf. Unasked, that is done in products of three operands or more. BLAS leaves out what it would multiply
  /// with a scalar of zero.
  bool takes_sums_inside() const {
    const std::vector<Term> terms = terms_of(problem_.statement);
    if (problem_.schedule.empty())
      return std::any_of(terms.begin(), terms.end(), [](const Term& t) { return accesses(t.expr).size() > 2; });
    return std::any_of(problem_.schedule.begin(), problem_.schedule.end(), [](const std::string& d) {
      return d.starts_with("precompute") || d.starts_with("loopfuse") || d.starts_with("substitute");
    });
  }

  static Range negated(Range r) {
    if (is_unsigned_integer(r.type) && r.magnitude > 0) r.magnitude = largest_integer(r.type);
    return r;
  }

  Range binary(const Binary& b, Type type) {
    const Range x = convert(range(b.left), type);
    const Range y = convert(range(b.right), type);
    switch (b.op) {
      case BinaryOp::Add: return add(x, y, type);
      case BinaryOp::Sub: return add(x, negated(y), type);
      case BinaryOp::Mul: {
        const double parts = is_complex(type) ? 2 : 1;
        return in_type({type, x.whole && y.whole, x.rough || y.rough, parts * x.magnitude * y.magnitude}, type);
      }
      case BinaryOp::Div:
        if (y.rough) throw Unjudgeable();
        if (is_integer(type)) return x;
        may_be_infinite_ = true;
        // Complex numbers are divided in several ways, which do not agree on the sign of a zero.
        return {type, false, x.rough || is_complex(type), y.whole ? 2 * x.magnitude : unbounded};
    }
    return {};
  }

  Range call(const Call& c, Type type) {
    std::vector<Type> types;
    for (const Expr& a : c.arguments) types.push_back(this->type(a));
    const Type common = argument_type(c.function, types);
    std::vector<Range> arguments;
    double largest = 0;
    bool whole = true;
    bool rough = false;
    for (const Expr& a : c.arguments) {
      arguments.push_back(convert(range(a), common));
      largest = std::max(largest, arguments.back().magnitude);
      whole = whole && arguments.back().whole;
      rough = rough || arguments.back().rough;
    }
    const auto result = [&](bool is_whole, double magnitude) {
      return in_type({type, is_whole, rough, magnitude}, type);
    };
    switch (c.function) {
      case FunctionId::Min:
      case FunctionId::Max:
      case FunctionId::Real:
      case FunctionId::Imag:
      case FunctionId::Conj: return result(whole, largest);
      case FunctionId::Abs: return result(whole && !is_complex(common), 2 * largest);
      default: break;
    }
    // What follows may magnify a rounding error, or jump at it.
    if (rough) throw Unjudgeable();
    may_be_infinite_ = true;
    // A C compiler that knows the arguments rounds exactly, as libraries need not.
    rough =
        (problem_.has_other_library || std::all_of(c.arguments.begin(), c.arguments.end(), is_known_when_compiled)) &&
        is_approximated(c.function, common);
    switch (c.function) {
      case FunctionId::Floor:
      case FunctionId::Ceil:
      case FunctionId::Round:
      case FunctionId::Trunc:
      case FunctionId::Rint: return result(true, largest + 1);
      case FunctionId::Fmod:
      case FunctionId::Remainder:
      case FunctionId::Copysign:
      case FunctionId::Mod:
      case FunctionId::Heaviside: return result(whole, std::max(1.0, largest));
      case FunctionId::Fdim: return result(whole, 2 * largest);
      case FunctionId::Square:
      case FunctionId::Norm: return result(whole, 2 * largest * largest);
      case FunctionId::Cube: return result(whole, 4 * largest * largest * largest);
      case FunctionId::Fma: return result(whole, largest * largest + largest);
      case FunctionId::Sign:
      case FunctionId::Gt:
      case FunctionId::Lt:
      case FunctionId::Ge:
      case FunctionId::Le:
      case FunctionId::Eq:
      case FunctionId::Ne:
      case FunctionId::Not:
      case FunctionId::And:
      case FunctionId::Or:
      case FunctionId::IsNan:
      case FunctionId::IsInf:
      case FunctionId::IsFinite: return result(true, 1);
      case FunctionId::Sqrt:
      case FunctionId::Cbrt: return result(false, 1 + largest);
      case FunctionId::Sin:
      case FunctionId::Cos:
      case FunctionId::Atan:
      case FunctionId::Tanh:
      case FunctionId::Asinh:
      case FunctionId::Erf:
      case FunctionId::Erfc:
      case FunctionId::Atan2:
      case FunctionId::Arg: return result(false, is_complex(common) ? unbounded : 4 + largest);
      case FunctionId::Hypot: return result(false, 2 * largest);
      case FunctionId::Exp:
      case FunctionId::Exp2:
      case FunctionId::Expm1: return result(false, 1 + std::exp(largest));
      default: return result(false, unbounded);
    }
  }

  static bool is_known_when_compiled(const Expr& e) {
    if (as<Access>(e) != nullptr || as<IndexValue>(e) != nullptr) return false;
    const std::vector<Expr> below = children(e);
    return std::all_of(below.begin(), below.end(), is_known_when_compiled);
  }

  /// Whether libraries may be off by a last place.
  static bool is_approximated(FunctionId f, Type type) {
    const bool elementary = f >= FunctionId::Cbrt && f <= FunctionId::Lgamma;
    return elementary || f == FunctionId::Pow || f == FunctionId::Atan2 || f == FunctionId::Hypot ||
           f == FunctionId::Arg || (f == FunctionId::Sqrt && is_complex(type));
  }

  const Problem& problem_;
  FactsByName facts_;
  std::map<std::string, Range> ranges_;
  bool may_be_infinite_ = false;
};

/// The coarsest floating-point type that the statement computes in.
bool uses_float32(const Problem& problem) {
  for (const auto& [name, operand] : problem.operands)
    if (real_part_type(operand.type) == Type::Float32) return true;
  const std::function<bool(const Expr&)> casts = [&](const Expr& e) {
    if (const auto* c = as<Cast>(e); c != nullptr && real_part_type(c->type) == Type::Float32) return true;
    const std::vector<Expr> below = children(e);
    return std::any_of(below.begin(), below.end(), casts);
  };
  return casts(problem.statement.rhs) || real_part_type(problem.result_type.value_or(Type::Int32)) == Type::Float32;
}

}  // namespace

std::optional<CompareOptions> tolerance_of(const Problem& problem) {
  try {
    const Range range = Judge(problem).run();
    CompareOptions options;
    if (!range.rough) {
      options.relative = 0;
      options.same_pattern = true;
      return options;
    }
    if (!std::isfinite(range.magnitude)) return std::nullopt;
    options.relative = uses_float32(problem) ? 1e-5 : 1e-9;
    options.absolute = options.relative * range.magnitude;
    return options;
  } catch (const Unjudgeable&) {
    return std::nullopt;
  }
}

}  // namespace lacuna::fuzz
