/* Functions of index notation that C's library lacks. Written for float64 and, where only integers differ, int32; a
   kernel gets the same text for the types that it needs. */
#ifndef LACUNA_PRELUDE_MATH_H
#define LACUNA_PRELUDE_MATH_H

#include <stdint.h>

/* A NaN beside a number: the first argument is the result. */
static inline double lacuna_min_float64(double a, double b) { return b < a ? b : a; }

static inline double lacuna_max_float64(double a, double b) { return a < b ? b : a; }

/* The most negative integer is its own. */
static inline int32_t lacuna_abs_int32(int32_t a) { return a < 0 ? (int32_t)(0 - (uint64_t)a) : a; }

/* -1, 0 (for NaN, too) or 1. */
static inline double lacuna_sign_float64(double a) { return (double)((a > 0) - (a < 0)); }

static inline uint32_t lacuna_sign_uint32(uint32_t a) { return a > 0; }

static inline double lacuna_heaviside_float64(double a, double at_zero) { return a < 0 ? 0 : a == 0 ? at_zero : 1; }

static inline uint32_t lacuna_heaviside_uint32(uint32_t a, uint32_t at_zero) { return a == 0 ? at_zero : 1; }

static inline double lacuna_square_float64(double a) { return a * a; }

static inline double lacuna_cube_float64(double a) { return a * a * a; }

static inline int lacuna_is_nan_float64(double a) { return __builtin_isnan(a); }

static inline int lacuna_is_inf_float64(double a) { return __builtin_isinf(a) != 0; }

static inline int lacuna_is_finite_float64(double a) { return __builtin_isfinite(a); }

#endif
