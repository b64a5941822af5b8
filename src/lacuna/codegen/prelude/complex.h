/* Complex products. Written out, because C's own product repairs infinities, which costs a branch and is not what
   Lacuna's semantics say. Written for complex128; a kernel gets the same text for complex64. */
#ifndef LACUNA_PRELUDE_COMPLEX_H
#define LACUNA_PRELUDE_COMPLEX_H

static inline double _Complex lacuna_complex128(double re, double im) {
  double _Complex z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}

static inline double _Complex lacuna_multiply_complex128(double _Complex a, double _Complex b) {
  return lacuna_complex128(__real__ a * __real__ b - __imag__ a * __imag__ b,
                           __real__ a * __imag__ b + __imag__ a * __real__ b);
}

static inline double _Complex lacuna_square_complex128(double _Complex a) { return lacuna_multiply_complex128(a, a); }

static inline double _Complex lacuna_cube_complex128(double _Complex a) {
  return lacuna_multiply_complex128(lacuna_multiply_complex128(a, a), a);
}

static inline double lacuna_norm_complex128(double _Complex a) {
  return __real__ a * __real__ a + __imag__ a * __imag__ a;
}

static inline int lacuna_is_nan_complex128(double _Complex a) {
  return __builtin_isnan(__real__ a) || __builtin_isnan(__imag__ a);
}

static inline int lacuna_is_inf_complex128(double _Complex a) {
  return __builtin_isinf(__real__ a) || __builtin_isinf(__imag__ a);
}

static inline int lacuna_is_finite_complex128(double _Complex a) {
  return __builtin_isfinite(__real__ a) && __builtin_isfinite(__imag__ a);
}

#endif
