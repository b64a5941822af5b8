#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;

#define INT8_MIN CHAR_MIN
#define INT8_MAX CHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULONG_MAX

typedef float2 lacuna_complex64_t;
typedef double2 lacuna_complex128_t;

#define LACUNA_GLOBAL __global
#define LACUNA_SHARED __local
#define LACUNA_ROOM(bytes) __local unsigned char lacuna_room[bytes] __attribute__((aligned(16)))
#define LACUNA_WAIT() barrier(CLK_LOCAL_MEM_FENCE)
#define LACUNA_BARRIER(group) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define LACUNA_IN_WARP(bits) 0
#define LACUNA_SHUFFLE(value, bits) (value)
#define LACUNA_KERNEL(threads) __kernel __attribute__((reqd_work_group_size(threads, 1, 1)))
#define LACUNA_BLOCK ((int64_t)get_group_id(0))
#define LACUNA_THREAD ((int64_t)get_local_id(0))

typedef uint lacuna_bits_int32;
#define LACUNA_AS_int32(bits) as_int(bits)
#define LACUNA_BITS_int32(x) as_uint(x)
#define LACUNA_EXCHANGE_int32(place, old, now) atomic_cmpxchg(place, old, now)
typedef uint lacuna_bits_uint32;
#define LACUNA_AS_uint32(bits) (bits)
#define LACUNA_BITS_uint32(x) (x)
#define LACUNA_EXCHANGE_uint32(place, old, now) atomic_cmpxchg(place, old, now)
typedef ulong lacuna_bits_int64;
#define LACUNA_AS_int64(bits) as_long(bits)
#define LACUNA_BITS_int64(x) as_ulong(x)
#define LACUNA_EXCHANGE_int64(place, old, now) atom_cmpxchg(place, old, now)
typedef ulong lacuna_bits_uint64;
#define LACUNA_AS_uint64(bits) (bits)
#define LACUNA_BITS_uint64(x) (x)
#define LACUNA_EXCHANGE_uint64(place, old, now) atom_cmpxchg(place, old, now)
typedef uint lacuna_bits_float32;
#define LACUNA_AS_float32(bits) as_float(bits)
#define LACUNA_BITS_float32(x) as_uint(x)
#define LACUNA_EXCHANGE_float32(place, old, now) atomic_cmpxchg(place, old, now)
typedef ulong lacuna_bits_float64;
#define LACUNA_AS_float64(bits) as_double(bits)
#define LACUNA_BITS_float64(x) as_ulong(x)
#define LACUNA_EXCHANGE_float64(place, old, now) atom_cmpxchg(place, old, now)

/* Functions of C's library are overloaded here, and arguments of another type would be ambiguous. */
#define LACUNA_UNARY(name)                                         \
  static inline double lacuna_##name(double x) { return name(x); } \
  static inline float lacuna_##name##f(float x) { return name(x); }
#define LACUNA_BINARY(name)                                                     \
  static inline double lacuna_##name(double x, double y) { return name(x, y); } \
  static inline float lacuna_##name##f(float x, float y) { return name(x, y); }
LACUNA_UNARY(sqrt)
LACUNA_UNARY(cbrt)
LACUNA_UNARY(exp)
LACUNA_UNARY(exp2)
LACUNA_UNARY(expm1)
LACUNA_UNARY(log)
LACUNA_UNARY(log2)
LACUNA_UNARY(log10)
LACUNA_UNARY(log1p)
LACUNA_UNARY(sin)
LACUNA_UNARY(cos)
LACUNA_UNARY(tan)
LACUNA_UNARY(asin)
LACUNA_UNARY(acos)
LACUNA_UNARY(atan)
LACUNA_UNARY(sinh)
LACUNA_UNARY(cosh)
LACUNA_UNARY(tanh)
LACUNA_UNARY(asinh)
LACUNA_UNARY(acosh)
LACUNA_UNARY(atanh)
LACUNA_UNARY(erf)
LACUNA_UNARY(erfc)
LACUNA_UNARY(tgamma)
LACUNA_UNARY(lgamma)
LACUNA_UNARY(floor)
LACUNA_UNARY(ceil)
LACUNA_UNARY(round)
LACUNA_UNARY(trunc)
LACUNA_UNARY(rint)
LACUNA_UNARY(fabs)
LACUNA_BINARY(pow)
LACUNA_BINARY(atan2)
LACUNA_BINARY(hypot)
LACUNA_BINARY(fmod)
LACUNA_BINARY(remainder)
LACUNA_BINARY(copysign)
LACUNA_BINARY(fdim)
static inline double lacuna_fma(double x, double y, double z) { return fma(x, y, z); }
static inline float lacuna_fmaf(float x, float y, float z) { return fma(x, y, z); }
#define sqrt lacuna_sqrt
#define sqrtf lacuna_sqrtf
#define cbrt lacuna_cbrt
#define cbrtf lacuna_cbrtf
#define exp lacuna_exp
#define expf lacuna_expf
#define exp2 lacuna_exp2
#define exp2f lacuna_exp2f
#define expm1 lacuna_expm1
#define expm1f lacuna_expm1f
#define log lacuna_log
#define logf lacuna_logf
#define log2 lacuna_log2
#define log2f lacuna_log2f
#define log10 lacuna_log10
#define log10f lacuna_log10f
#define log1p lacuna_log1p
#define log1pf lacuna_log1pf
#define sin lacuna_sin
#define sinf lacuna_sinf
#define cos lacuna_cos
#define cosf lacuna_cosf
#define tan lacuna_tan
#define tanf lacuna_tanf
#define asin lacuna_asin
#define asinf lacuna_asinf
#define acos lacuna_acos
#define acosf lacuna_acosf
#define atan lacuna_atan
#define atanf lacuna_atanf
#define sinh lacuna_sinh
#define sinhf lacuna_sinhf
#define cosh lacuna_cosh
#define coshf lacuna_coshf
#define tanh lacuna_tanh
#define tanhf lacuna_tanhf
#define asinh lacuna_asinh
#define asinhf lacuna_asinhf
#define acosh lacuna_acosh
#define acoshf lacuna_acoshf
#define atanh lacuna_atanh
#define atanhf lacuna_atanhf
#define erf lacuna_erf
#define erff lacuna_erff
#define erfc lacuna_erfc
#define erfcf lacuna_erfcf
#define tgamma lacuna_tgamma
#define tgammaf lacuna_tgammaf
#define lgamma lacuna_lgamma
#define lgammaf lacuna_lgammaf
#define floor lacuna_floor
#define floorf lacuna_floorf
#define ceil lacuna_ceil
#define ceilf lacuna_ceilf
#define round lacuna_round
#define roundf lacuna_roundf
#define trunc lacuna_trunc
#define truncf lacuna_truncf
#define rint lacuna_rint
#define rintf lacuna_rintf
#define fabs lacuna_fabs
#define fabsf lacuna_fabsf
#define pow lacuna_pow
#define powf lacuna_powf
#define atan2 lacuna_atan2
#define atan2f lacuna_atan2f
#define hypot lacuna_hypot
#define hypotf lacuna_hypotf
#define fmod lacuna_fmod
#define fmodf lacuna_fmodf
#define remainder lacuna_remainder
#define remainderf lacuna_remainderf
#define copysign lacuna_copysign
#define copysignf lacuna_copysignf
#define fdim lacuna_fdim
#define fdimf lacuna_fdimf
#define fma lacuna_fma
#define fmaf lacuna_fmaf
#define __builtin_isnan(x) isnan(x)
#define __builtin_isinf(x) isinf(x)
#define __builtin_isfinite(x) isfinite(x)
