/* Read by NVRTC, with functions of the device where nothing else is said. */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#undef INFINITY
#undef NAN
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define __builtin_isnan(x) isnan(x)
#define __builtin_isinf(x) isinf(x)
#define __builtin_isfinite(x) isfinite(x)

#define restrict __restrict__
#define LACUNA_GLOBAL
#define LACUNA_SHARED
#define LACUNA_ROOM(bytes) __shared__ __align__(16) unsigned char lacuna_room[bytes]
#define LACUNA_WAIT() __syncthreads()
#define LACUNA_BARRIER(group) ((group) <= 32 ? __syncwarp() : __syncthreads())
#define LACUNA_IN_WARP(bits) ((bits) < 32)
#define LACUNA_SHUFFLE(value, bits) lacuna_shuffle(value, (int)(bits))
#define LACUNA_KERNEL(threads) extern "C" __global__ __launch_bounds__(threads)
#define LACUNA_BLOCK ((int64_t)blockIdx.x)
#define LACUNA_THREAD ((int64_t)threadIdx.x)

typedef unsigned int lacuna_bits_int32;
#define LACUNA_AS_int32(bits) ((int32_t)(bits))
#define LACUNA_BITS_int32(x) ((unsigned int)(x))
#define LACUNA_EXCHANGE_int32(place, old, now) atomicCAS(place, old, now)
typedef unsigned int lacuna_bits_uint32;
#define LACUNA_AS_uint32(bits) (bits)
#define LACUNA_BITS_uint32(x) (x)
#define LACUNA_EXCHANGE_uint32(place, old, now) atomicCAS(place, old, now)
typedef unsigned long long lacuna_bits_int64;
#define LACUNA_AS_int64(bits) ((int64_t)(bits))
#define LACUNA_BITS_int64(x) ((unsigned long long)(x))
#define LACUNA_EXCHANGE_int64(place, old, now) atomicCAS(place, old, now)
typedef unsigned long long lacuna_bits_uint64;
#define LACUNA_AS_uint64(bits) (bits)
#define LACUNA_BITS_uint64(x) (x)
#define LACUNA_EXCHANGE_uint64(place, old, now) atomicCAS(place, old, now)
typedef unsigned int lacuna_bits_float32;
#define LACUNA_AS_float32(bits) __uint_as_float(bits)
#define LACUNA_BITS_float32(x) __float_as_uint(x)
#define LACUNA_EXCHANGE_float32(place, old, now) atomicCAS(place, old, now)
typedef unsigned long long lacuna_bits_float64;
#define LACUNA_AS_float64(bits) __longlong_as_double((long long)(bits))
#define LACUNA_BITS_float64(x) ((unsigned long long)__double_as_longlong(x))
#define LACUNA_EXCHANGE_float64(place, old, now) atomicCAS(place, old, now)

/* Word by word, for values of any type. */
template <typename T>
static inline T lacuna_shuffle(T value, int bits) {
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof(T));
  for (unsigned int k = 0; k < sizeof(words) / 4; ++k) words[k] = __shfl_xor_sync(0xffffffffu, words[k], bits);
  memcpy(&value, words, sizeof(T));
  return value;
}

#define LACUNA_PAIR(name, part, bytes)                                          \
  struct alignas(bytes) name {                                                  \
    part x, y;                                                                  \
    name() = default;                                                           \
    name(part re, part im) : x(re), y(im) {}                                    \
    name operator+(name other) const { return name(x + other.x, y + other.y); } \
    name operator-(name other) const { return name(x - other.x, y - other.y); } \
    name operator-() const { return name(-x, -y); }                             \
    void operator+=(name other) { x += other.x, y += other.y; }                 \
    void operator-=(name other) { x -= other.x, y -= other.y; }                 \
  };
LACUNA_PAIR(lacuna_complex64_t, float, 8)
LACUNA_PAIR(lacuna_complex128_t, double, 16)
