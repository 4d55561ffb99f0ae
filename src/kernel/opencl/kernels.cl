// Products with a kernel, and sums of its derivatives, in OpenCL C 1.2. What stands before this text
// is made for one kernel on one device (kernel_source.cc):
//   SCALAR, INTEGER  float and int, or double and long; SUFFIX of constants
//   TILE             points in a tile
//   LANES            rows in a vector; 1, 2, 4, 8 or 16
//   FUSED            the device multiplies and adds in one step
//   COORDINATES      of a point, of all distances together
//   COLUMNS          right-hand sides
//   SUMS             that gradient forms consist of
//   GROUP            work-items in a group
//
// Each work-item has LANES rows in registers and goes through all points, a tile at a time in local
// memory. Sums within a tile run in their order and tiles are added with what rounding loses beside
// them: the bits of a row depend neither on LANES nor on the size of a work-group. No atomics.

#pragma OPENCL FP_CONTRACT OFF

#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)

typedef SCALAR scalar;
#if LANES == 1
#define VECTOR_OF(type) type
#define LOAD(from) (*(from))
#define STORE(value, to) (*(to) = (value))
#else
#define VECTOR_OF(type) JOINED(type, LANES)
#define LOAD(from) JOINED(vload, LANES)(0, from)
#define STORE(value, to) JOINED(vstore, LANES)(value, 0, to)
#endif
typedef VECTOR_OF(SCALAR) real;
typedef VECTOR_OF(INTEGER) integer;
#define AS_INTEGER JOINED(as_, VECTOR_OF(INTEGER))
#define AS_REAL JOINED(as_, VECTOR_OF(SCALAR))
#define ALL(value) ((real)(value))

#if FUSED
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

// 2^-s for s >= 0 or inf: s = -k + g with an integer k and |g| <= 1/2, 2^-g by a polynomial, and k
// added to the exponent's bits. s above LIMIT gives 0, not a subnormal.
real exp2_minus(real s) {
  s = s > ALL(LIMIT) ? ALL(ZERO) : s;
  const real shifted = ALL(ROUNDER) - s;
  const integer bits = AS_INTEGER(shifted) << MANTISSA;
  const real g = s + (shifted - ALL(ROUNDER));
  const scalar polynomial[] = {POLYNOMIAL};
  real p = ALL(polynomial[0]);
#pragma unroll
  for (int c = 1; c <= DEGREE; ++c) p = MULTIPLY_ADD(p, g, ALL(polynomial[c]));
  return AS_REAL(AS_INTEGER(p) + bits);
}

// A shape at t, the scaled squared distance, is a polynomial times 2^-b; e = 2^-b. Slopes are by t.
#define CONSTANT(value) ALL(JOINED(value, SUFFIX))
#define LN2 CONSTANT(0.69314718055994530942)
#define LN2_SQUARED_2ND CONSTANT(0.24022650695910071233)
#define LN2_SQUARED_3RD CONSTANT(0.16015100463940047489)
#define LN2_SQUARED_6TH CONSTANT(0.08007550231970023744)
#define HALF_LN2 CONSTANT(0.34657359027997265471)
#define EXPONENT_rbf(t) (t)
#define EXPONENT_matern12(t) sqrt(t)
#define EXPONENT_matern32(t) sqrt(t)
#define EXPONENT_matern52(t) sqrt(t)
#define POLYNOMIAL_rbf(t, b) ALL(1)
#define POLYNOMIAL_matern12(t, b) ALL(1)
#define POLYNOMIAL_matern32(t, b) MULTIPLY_ADD(b, LN2, ALL(1))
#define POLYNOMIAL_matern52(t, b) MULTIPLY_ADD(t, LN2_SQUARED_3RD, POLYNOMIAL_matern32(t, b))
#define SLOPE_rbf(t, b, e) (-LN2 * e)
// Infinite at 0, where only squared differences of 0 multiply it.
#define SLOPE_matern12(t, b, e) (b > ALL(0) ? -HALF_LN2 * e / b : ALL(0))
#define SLOPE_matern32(t, b, e) (-LN2_SQUARED_2ND * e)
#define SLOPE_matern52(t, b, e) (-LN2_SQUARED_6TH * POLYNOMIAL_matern32(t, b) * e)

// t plus the squared differences of the coordinates from `first` on, up to `end`.
real add_numbers(real t, const real* mine, __local const scalar* theirs, int first, int end) {
#pragma unroll
  for (int k = first; k < end; ++k) {
    const real difference = mine[k] - ALL(theirs[k * TILE]);
    t = MULTIPLY_ADD(difference, difference, t);
  }
  return t;
}

// The squared difference of one coordinate, at most `most`: any two values of a category are as far
// apart as any others.
real capped(const real* mine, __local const scalar* theirs, int k, scalar most) {
  const real difference = mine[k] - ALL(theirs[k * TILE]);
  return min(difference * difference, ALL(most));
}

// Squares may overflow, and infinity times 0 is not a number. 2^-b is 0 from GONE on, where
// polynomials are small enough to be multiplied.
#define NOT_BEYOND(t) min(t, ALL(GONE))

// At the end of this text, made for the kernel: its value between two points, as a share of its
// variance; and its derivatives, in the order of the sums of gradient forms.
real value(const real* mine, __local const scalar* theirs, __constant scalar* constants);
void slopes(const real* mine, __local const scalar* theirs, __constant scalar* constants,
            real* out);

#define COPY_TILE(to, from, tile, width)                                    \
  for (int p = get_local_id(0); p < TILE * (width); p += get_local_size(0)) \
    (to)[p] = (from)[(size_t)(tile) * (TILE * (width)) + p]

// Vectors of LANES rows in blocks of TILE rows, (width, TILE) each.
#define PLACE(row, width, c) (((size_t)((row) / TILE) * (width) + (c)) * TILE + (row) % TILE)

// high + low + sum, high as near as it can be.
void add_tile(real* high, real* low, real sum) {
  const real total = *high + sum;
  const real part = total - *high;
  *low += (*high - (total - part)) + (sum - part);
  *high = total;
}

#define EACH(c, count) _Pragma("unroll") for (int c = 0; c < (count); ++c)
#define LOAD_ROWS(to, from, width) EACH(c, width)(to)[c] = LOAD((from) + PLACE(row, width, c))
#define SET_ZERO(sums, count) EACH(c, count)(sums)[c] = ALL(0)
#define ADD_TILES(count) EACH(c, count) add_tile(high + c, low + c, sums[c])
#define STORE_ROWS(count)                            \
  EACH(c, count) {                                   \
    STORE(high[c], high_out + PLACE(row, count, c)); \
    STORE(low[c], low_out + PLACE(row, count, c));   \
  }

#define KERNEL __attribute__((reqd_work_group_size(GROUP, 1, 1))) __kernel
#define ROWS const int row = (int)get_global_id(0) * LANES

// Calls STEP for each point: j within its tile of points and of v, rows of COLUMNS. Sums of `count`
// values are left in high and low.
#define FOR_EACH_POINT(count, STEP)                 \
  SET_ZERO(high, count);                            \
  SET_ZERO(low, count);                             \
  for (int tile = 0; tile < tiles; ++tile) {        \
    barrier(CLK_LOCAL_MEM_FENCE);                   \
    COPY_TILE(x_tile, x, tile, COORDINATES);        \
    COPY_TILE(v_tile, v, tile, COLUMNS);            \
    barrier(CLK_LOCAL_MEM_FENCE);                   \
    SET_ZERO(sums, count);                          \
    for (int j = 0; j < TILE; ++j) {                \
      STEP(x_tile + j, v_tile + j * COLUMNS, sums); \
    }                                               \
    ADD_TILES(count);                               \
  }

#define PRODUCT(theirs, right, sums)                            \
  const real k = value(mine, theirs, constants);                \
  EACH(c, COLUMNS) sums[c] = MULTIPLY_ADD(k, ALL((right)[c]), sums[c])

// high_out + low_out = kernel times v.
KERNEL void product(int tiles, __global const scalar* restrict x, __constant scalar* constants,
                    __global const scalar* restrict v, __global scalar* restrict high_out,
                    __global scalar* restrict low_out) {
  __local scalar x_tile[TILE * COORDINATES], v_tile[TILE * COLUMNS];
  ROWS;
  real mine[COORDINATES], sums[COLUMNS], high[COLUMNS], low[COLUMNS];
  LOAD_ROWS(mine, x, COORDINATES);
  FOR_EACH_POINT(COLUMNS, PRODUCT);
  STORE_ROWS(COLUMNS);
}

#define SLOPES(theirs)  \
  real slope[SUMS];     \
  slopes(mine, theirs, constants, slope)
#define FORMS(theirs, right, sums)                                               \
  SLOPES(theirs);                                                                \
  real w = ALL(0);                                                               \
  EACH(c, COLUMNS) w = MULTIPLY_ADD(left[c], ALL((right)[c]), w);                \
  EACH(s, SUMS) sums[s] = MULTIPLY_ADD(w, slope[s], sums[s])

// high_out + low_out = for each row i the sums over j of u_i'v_j times the derivatives.
KERNEL void forms(int tiles, __global const scalar* restrict x, __constant scalar* constants,
                  __global const scalar* restrict u, __global const scalar* restrict v,
                  __global scalar* restrict high_out, __global scalar* restrict low_out) {
  __local scalar x_tile[TILE * COORDINATES], v_tile[TILE * COLUMNS];
  ROWS;
  real mine[COORDINATES], left[COLUMNS], sums[SUMS], high[SUMS], low[SUMS];
  LOAD_ROWS(mine, x, COORDINATES);
  LOAD_ROWS(left, u, COLUMNS);
  FOR_EACH_POINT(SUMS, FORMS);
  STORE_ROWS(SUMS);
}

#define FORMS_BY_COLUMN(theirs, right, sums)                                         \
  SLOPES(theirs);                                                                    \
  EACH(c, COLUMNS) {                                                                 \
    const real w = left[c] * ALL((right)[c]);                                        \
    EACH(s, SUMS) sums[c * SUMS + s] = MULTIPLY_ADD(w, slope[s], sums[c * SUMS + s]); \
  }

// The same for each column alone.
KERNEL void forms_by_column(int tiles, __global const scalar* restrict x,
                            __constant scalar* constants, __global const scalar* restrict u,
                            __global const scalar* restrict v, __global scalar* restrict high_out,
                            __global scalar* restrict low_out) {
  __local scalar x_tile[TILE * COORDINATES], v_tile[TILE * COLUMNS];
  ROWS;
  real mine[COORDINATES], left[COLUMNS];
  real sums[COLUMNS * SUMS], high[COLUMNS * SUMS], low[COLUMNS * SUMS];
  LOAD_ROWS(mine, x, COORDINATES);
  LOAD_ROWS(left, u, COLUMNS);
  FOR_EACH_POINT(COLUMNS * SUMS, FORMS_BY_COLUMN);
  STORE_ROWS(COLUMNS * SUMS);
}

// out = values between the rows and `count` chosen points.
KERNEL void columns(int count, __global const scalar* restrict x, __constant scalar* constants,
                    __global const scalar* restrict chosen, __global scalar* restrict out) {
  __local scalar x_tile[TILE * COORDINATES];
  ROWS;
  real mine[COORDINATES];
  LOAD_ROWS(mine, x, COORDINATES);
  for (int first = 0; first < count; first += TILE) {
    barrier(CLK_LOCAL_MEM_FENCE);
    COPY_TILE(x_tile, chosen, first / TILE, COORDINATES);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int here = min(TILE, count - first);
    for (int j = 0; j < here; ++j) {
      STORE(value(mine, x_tile + j, constants), out + PLACE(row, count, first + j));
    }
  }
}
