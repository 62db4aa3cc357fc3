/* 128-bit integers, x87, binary128, complex numbers, rounding modes that must survive. */
#include "case.h"

#include <complex.h>
#include <fenv.h>
#include <math.h>

static unsigned __int128 u;
static __int128 s;
static long double ld[4];
static __float128 q;
static double complex z;
static float f[16];

static NOINLINE void integers(unsigned n)
{
	u = u * 12345678901234567ull + n;
	u ^= u >> 37;
	s -= (__int128)(u >> 3);
	s = s / 7 + s % 13;
	u <<= n & 63;
	u += (unsigned __int128)s;
}
static NOINLINE void x87(int n)
{
	ld[0] = ld[0] * 1.25L + n;
	ld[1] += ld[0] / 3;
	ld[2] = sqrtl(ld[1] * ld[1] + 2);
	ld[3] = (ld[3] - ld[2]) * (long double)f[n & 15];
	f[(n + 1) & 15] = (float)(ld[0] - (int)ld[0]);
	if (ld[0] > 1e10L)
		ld[0] = 1;
}
static NOINLINE int64_t to_integer(long double v) { return (int64_t)v; }
static NOINLINE double third(double x) { volatile double y = x / 3; return y + f[3] - f[3]; }

CASE(wide)
{
	u = opaque(3), s = -(__int128)opaque(5), ld[0] = (long double)opaque(1), q = (__float128)opaque(2), z = (double)opaque(1);
	for (unsigned i = 0; i < 500; i++) {
		integers(i);
		x87((int)i);
		q = q * 3 / 7 + i;
		z = z * (0.5 + 0.25 * I) + i;
	}
	result("u", (uint64_t)u ^ (uint64_t)(u >> 64));
	result("s", (uint64_t)s ^ (uint64_t)((unsigned __int128)s >> 64));
	printf("%.15Lg %.15Lg %.15Lg %.12Lg\n", ld[0], ld[1], ld[2], ld[3]);
	printf("%.15g %.12g %.12g\n", (double)q, creal(z), cimag(z));
	printf("%lld %lld\n", (long long)to_integer(1e17L + 0.75L), (long long)to_integer(-2.5L));
	static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
	volatile long double lone = 1, lthree = 3;
	for (int i = 0; i < 4; i++) {
		fesetround(modes[i]);
		double t = third((double)opaque(1));
		long double lt = lone / lthree;
		fesetround(FE_TONEAREST);
		printf("%.20g %.22Lg\n", t, lt);
	}
	feclearexcept(FE_ALL_EXCEPT);
	volatile double zero = 0, one = 1;
	volatile double inf = one / zero;
	printf("%d %d\n", fetestexcept(FE_DIVBYZERO) != 0, isinf(inf) != 0);
}
