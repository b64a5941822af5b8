"""NumPy's universal functions that Lacuna compiles, and the types of their results."""

from __future__ import annotations

import numpy as np

from . import _lazy
from ._core import Error

#: By name: how the call is written in index notation.
PATTERNS = {
    "add": _lazy.TERMS[0], "subtract": _lazy.TERMS[1], "multiply": _lazy.TIMES, "divide": "({}) / ({})",
    "true_divide": "({}) / ({})", "negative": _lazy.TERMS[2], "positive": _lazy.TERMS[3],
    "maximum": "max({}, {})", "minimum": "min({}, {})", "power": "pow({}, {})", "float_power": "pow({}, {})",
    "absolute": "abs({})", "fabs": "abs({})", "arctan2": "atan2({}, {})", "square": "square({})",
    "reciprocal": "1 / ({})", "conjugate": "conj({})", "bitwise_and": "and({}, {})", "bitwise_or": "or({}, {})", "invert": "not({})",
    "logical_xor": "ne(not({}), not({}))",
    "greater": "gt({}, {})", "less": "lt({}, {})", "greater_equal": "ge({}, {})", "less_equal": "le({}, {})",
    "equal": "eq({}, {})", "not_equal": "ne({}, {})",
    "logical_and": "and({}, {})", "logical_or": "or({}, {})", "logical_not": "not({})",
    **{name: name + "({})" for name in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin",
                                        "cos", "tan", "sinh", "cosh", "tanh", "floor", "ceil", "trunc", "rint", "sign",
                                        "isnan", "isinf", "isfinite")},
    **{name: name + "({}, {})" for name in ("hypot", "fmod", "copysign")},
    **{"arc" + name: "a" + name + "({})" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}

#: By name: the method that is their reduction.
REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_or": "any",
              "logical_and": "all"}

#: Types that NumPy computes in and Lacuna does not, and what takes their place.
_REPLACED = {np.dtype(np.float16): np.dtype(np.float32)}


def types_of(name: str, types: list) -> tuple[list[np.dtype], np.dtype]:
    """The element types in which a function takes its operands, and that of its result, as NumPy has them.

    ``types`` are dtypes, and ``int``, ``float`` or ``complex`` for Python's numbers, which take the type of the others.
    """
    try:
        found = getattr(np, name).resolve_dtypes((*types, None))
    except (TypeError, np.exceptions.DTypePromotionError):
        raise Error(f"{name} is not defined for {' and '.join(getattr(t, '__name__', str(t)) for t in types)}") from None
    found = [_REPLACED.get(t, t) for t in found]
    return found[:-1], found[-1]


def cast(text: str, given: np.dtype, wanted: np.dtype) -> str:
    """An operand's text in the type that a function takes it in."""
    return text if given == wanted else f"cast({wanted.name}, {text})"


def wrapped(text: str, dtype: np.dtype) -> str:
    """A result's text: index notation computes with small integers as with int32, which NumPy does not."""
    return f"cast({dtype.name}, {text})" if dtype.kind in "iub" and dtype.itemsize < 4 else text


def _kind(x) -> str:
    return (np.asarray(x) if np.isscalar(x) else x).dtype.kind


#: What goes by the order of numbers; kernels have none for complex ones.
ORDERS = {"greater", "less", "greater_equal", "less_equal", "maximum", "minimum"}
_COMPARISONS = {"greater", "less", "greater_equal", "less_equal", "equal", "not_equal"}


def is_whole_power(base, exponent) -> bool:
    """Whether a power of integers is a product of a few of them, of their own type."""
    whole = isinstance(exponent, (int, np.integer)) and not isinstance(exponent, (bool, np.bool_))
    return whole and 1 <= exponent <= 64 and not np.isscalar(base) and base.dtype.kind in "iu" and (
        isinstance(exponent, int) or np.result_type(base.dtype, exponent.dtype) == base.dtype)


def is_compiled(name: str, operands) -> bool:
    """Whether index notation has a function for operands of these types.

    It computes powers with floating-point numbers, which would lose digits of integers, has no bitwise operations,
    compares signed with unsigned integers as C does, and has no order of complex numbers.
    """
    if name in _COMPARISONS and {_kind(x) for x in operands} == {"i", "u"}:
        numbers = [x for x in operands if isinstance(x, int)]
        limits = [np.iinfo(x.dtype) for x in operands if not isinstance(x, int)]
        return len(numbers) == 1 == len(limits) and limits[0].min <= numbers[0] <= limits[0].max
    if name in ORDERS and any(_kind(x) == "c" for x in operands):
        return False
    if name == "power":
        return not all(_kind(x) in "iub" for x in operands)
    if name in ("bitwise_and", "bitwise_or", "invert"):
        return all(_kind(x) == "b" for x in operands)
    return name in PATTERNS


def whole_power(base, exponent: int):
    """By products, which are exact."""
    power, result = base, None
    while True:
        if exponent & 1:
            result = power if result is None else result * power
        exponent >>= 1
        if not exponent:
            return result
        power = power * power
