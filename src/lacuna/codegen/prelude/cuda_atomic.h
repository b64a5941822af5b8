/* Atomic updates that CUDA has instructions for, in place of those of device.h. */

static inline void lacuna_atomic_add_int32(int32_t *target, int32_t value) {
  atomicAdd((lacuna_bits_int32 *)target, (lacuna_bits_int32)value);
}

static inline void lacuna_atomic_add_float64(double *target, double value) { atomicAdd(target, value); }

static inline void lacuna_atomic_or_int32(int32_t *target, int32_t value) {
  atomicOr((lacuna_bits_int32 *)target, (lacuna_bits_int32)value);
}
