/* SSE, AVX2 and AVX-512 where the processor has them: plain, unaligned, masked, gathered, scattered, non-temporal. */
#include "case.h"

#include <immintrin.h>

static _Alignas(64) uint32_t in[256], out[256];
static _Alignas(64) double d[64], e[64];

static NOINLINE void fill(void)
{
	for (unsigned i = 0; i < 256; i++)
		in[i] = i * 2654435761u, out[i] = 0;
	for (unsigned i = 0; i < 64; i++)
		d[i] = i * 0.75, e[i] = 0;
	BARRIER();
}

static NOINLINE uint64_t sse(void)
{
	__m128i acc = _mm_setzero_si128();
	for (unsigned i = 0; i + 8 < 256; i += 3) {
		__m128i v = _mm_loadu_si128((const __m128i *)(in + i));
		acc = _mm_add_epi32(acc, _mm_xor_si128(v, _mm_load_si128((const __m128i *)(in + (i & ~3u)))));
		_mm_storeu_si128((__m128i *)(out + i), acc);
	}
	_mm_stream_si128((__m128i *)out, acc);
	_mm_stream_si32((int *)out + 5, 77);
	_mm_maskmoveu_si128(acc, _mm_set_epi8(-1, 0, -1, 0, 0, 0, -1, -1, 0, 0, -1, 0, -1, -1, 0, 0), (char *)out + 101);
	_mm_sfence();
	__m128d p = _mm_add_pd(_mm_load_sd(d + 3), _mm_loadh_pd(_mm_setzero_pd(), d + 4));
	return mix_bytes((uint64_t)_mm_cvtsd_si64(_mm_add_sd(p, _mm_unpackhi_pd(p, p))), out, sizeof(out));
}

__attribute__((target("avx2,fma"))) static NOINLINE uint64_t avx2(void)
{
	__m256i acc = _mm256_setzero_si256(), index = _mm256_set_epi32(7, 50, 3, 200, 11, 90, 1, 0);
	for (unsigned i = 0; i < 32; i++) {
		acc = _mm256_add_epi32(acc, _mm256_i32gather_epi32((const int *)in + i, index, 4));
		acc = _mm256_xor_si256(acc, _mm256_loadu_si256((const __m256i *)(in + 3 * i)));
		_mm256_storeu_si256((__m256i *)(out + 5 * i), acc);
		_mm256_maskstore_epi32((int *)out + i + 170, index, acc);
	}
	__m256d s = _mm256_setzero_pd();
	for (unsigned i = 0; i < 60; i += 4)
		s = _mm256_fmadd_pd(_mm256_loadu_pd(d + i), _mm256_broadcast_sd(d + i + 1), s);
	_mm256_storeu_pd(e + 1, s);
	_mm256_stream_pd(e + 8, s);
	_mm_sfence();
	_mm256_zeroupper();
	return mix_bytes(mix_bytes(0, out, sizeof(out)), e, sizeof(e));
}

__attribute__((target("avx512f,avx512bw,avx512vl"))) static NOINLINE uint64_t avx512(void)
{
	__m512i acc = _mm512_setzero_si512();
	__m512i index = _mm512_set_epi32(0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 239);
	__mmask16 m = 0xa5c3;
	for (unsigned i = 0; i < 8; i++) {
		acc = _mm512_add_epi32(acc, _mm512_i32gather_epi32(index, (const int *)in + i, 4));
		acc = _mm512_mask_xor_epi32(acc, m, acc, _mm512_loadu_si512(in + 5 * i));
		_mm512_i32scatter_epi32((int *)out + i, index, acc, 4);
		_mm512_mask_storeu_epi32(out + 16 * i + 3, m, acc);
		m = (__mmask16)(m << 1 | m >> 15);
		_mm512_mask_compressstoreu_epi32(out + 100 + i, m, acc);
	}
	__mmask16 gt = _mm512_cmpgt_epi32_mask(acc, _mm512_loadu_si512(in));
	return mix_bytes((uint64_t)gt, out, sizeof(out));
}

/* Loops for the compiler to make vectors of; live across the accesses are registers that no call may change. */
static NOINLINE double dot(const double *a, const double *b, unsigned n)
{
	double s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4;
	for (unsigned i = 0; i < n; i++) {
		s0 += a[i] * b[i];
		s1 += s0 * 0.5;
		s2 -= a[n - 1 - i];
		s3 += s2 * b[i];
		s4 = s4 * 0.25 + s3;
	}
	return s0 + s1 + s2 + s3 + s4;
}

CASE(vectors)
{
	fill();
	result("sse", sse());
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
		fill();
		result("avx2", avx2());
	}
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
		fill();
		result("avx512", avx512());
	}
	fill();
	for (unsigned i = 0; i < 64; i++)
		e[i] = i + 0.5;
	BARRIER();
	printf("%.12g %.12g\n", dot(d, e, 64), dot(d + 1, e + 3, 61));
}
