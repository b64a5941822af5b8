/* Complex numbers on devices, whose languages have none: pairs x and y, which OpenCL adds and subtracts as vectors and
   for which cuda.h has operators. Written for complex128, with the name of C's type, which the printer replaces by that
   of the pair. */

static inline double _Complex lacuna_complex128(double re, double im) {
  double _Complex z;
  z.x = re;
  z.y = im;
  return z;
}

/* Of a number of the other precision. */
static inline double _Complex lacuna_widened_complex128(float _Complex a) {
  double _Complex z;
  z.x = (double)a.x;
  z.y = (double)a.y;
  return z;
}

static inline float _Complex lacuna_narrowed_complex64(double _Complex a) {
  float _Complex z;
  z.x = (float)a.x;
  z.y = (float)a.y;
  return z;
}

/* The parts one after the other: another thread may come between. */
static inline void lacuna_atomic_set_complex128(LACUNA_GLOBAL double _Complex *target, double _Complex value) {
  lacuna_atomic_set_float64((LACUNA_GLOBAL double *)target, value.x);
  lacuna_atomic_set_float64((LACUNA_GLOBAL double *)target + 1, value.y);
}

static inline void lacuna_atomic_add_complex128(LACUNA_GLOBAL double _Complex *target, double _Complex value) {
  lacuna_atomic_add_float64((LACUNA_GLOBAL double *)target, value.x);
  lacuna_atomic_add_float64((LACUNA_GLOBAL double *)target + 1, value.y);
}

static inline double lacuna_real_complex128(double _Complex a) { return a.x; }

static inline double lacuna_imag_complex128(double _Complex a) { return a.y; }

static inline double _Complex lacuna_conj_complex128(double _Complex a) { return lacuna_complex128(a.x, -a.y); }

static inline double _Complex lacuna_multiply_complex128(double _Complex a, double _Complex b) {
  return lacuna_complex128(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* By the larger part of the divisor, so that no product of parts overflows (Smith, "Algorithm 116: Complex division").
   What comes out as NaN beside NaN is an infinity or 0 where C says so (C11, Annex G.5.1). */
static inline double _Complex lacuna_divide_complex128(double _Complex a, double _Complex b) {
  double x, y;
  if (fabs(b.x) >= fabs(b.y)) {
    double ratio = b.y / b.x, scale = b.x + b.y * ratio;
    x = (a.x + a.y * ratio) / scale;
    y = (a.y - a.x * ratio) / scale;
  } else {
    double ratio = b.x / b.y, scale = b.x * ratio + b.y;
    x = (a.x * ratio + a.y) / scale;
    y = (a.y * ratio - a.x) / scale;
  }
  if (x != x && y != y) {
    if (b.x == 0 && b.y == 0 && (a.x == a.x || a.y == a.y)) {
      double infinity = copysign((double)INFINITY, b.x);
      x = infinity * a.x;
      y = infinity * a.y;
    } else if ((__builtin_isinf(a.x) || __builtin_isinf(a.y)) && __builtin_isfinite(b.x) && __builtin_isfinite(b.y)) {
      double p = copysign(__builtin_isinf(a.x) ? 1.0 : 0.0, a.x), q = copysign(__builtin_isinf(a.y) ? 1.0 : 0.0, a.y);
      x = INFINITY * (p * b.x + q * b.y);
      y = INFINITY * (q * b.x - p * b.y);
    } else if ((__builtin_isinf(b.x) || __builtin_isinf(b.y)) && __builtin_isfinite(a.x) && __builtin_isfinite(a.y)) {
      double p = copysign(__builtin_isinf(b.x) ? 1.0 : 0.0, b.x), q = copysign(__builtin_isinf(b.y) ? 1.0 : 0.0, b.y);
      x = 0.0 * (a.x * p + a.y * q);
      y = 0.0 * (a.y * p - a.x * q);
    }
  }
  return lacuna_complex128(x, y);
}

static inline double _Complex lacuna_square_complex128(double _Complex a) { return lacuna_multiply_complex128(a, a); }

static inline double _Complex lacuna_cube_complex128(double _Complex a) {
  return lacuna_multiply_complex128(lacuna_multiply_complex128(a, a), a);
}

static inline double lacuna_norm_complex128(double _Complex a) { return a.x * a.x + a.y * a.y; }

static inline double lacuna_abs_complex128(double _Complex a) { return hypot(a.x, a.y); }

static inline double lacuna_arg_complex128(double _Complex a) { return atan2(a.y, a.x); }

static inline int lacuna_equal_complex128(double _Complex a, double _Complex b) { return a.x == b.x && a.y == b.y; }

static inline int lacuna_is_nan_complex128(double _Complex a) { return __builtin_isnan(a.x) || __builtin_isnan(a.y); }

static inline int lacuna_is_inf_complex128(double _Complex a) { return __builtin_isinf(a.x) || __builtin_isinf(a.y); }

static inline int lacuna_is_finite_complex128(double _Complex a) {
  return __builtin_isfinite(a.x) && __builtin_isfinite(a.y);
}
