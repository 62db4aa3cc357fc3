/* String functions, which compilers expand in place (rep movs, rep stos, repe cmps, repne scas with -minline-all-stringops). */
#include "case.h"

#include <ctype.h>

static char buffer[4][300];

static NOINLINE uint64_t work(const char *s, unsigned n)
{
	uint64_t h = strlen(s);
	strcpy(buffer[0], s);
	strcat(buffer[0], "+tail");
	strncpy(buffer[1], s, n);
	memcpy(buffer[2], buffer[0], n + 3);
	memmove(buffer[2] + 2, buffer[2], n);
	memmove(buffer[2], buffer[2] + 1, n);
	memset(buffer[3], (int)n, n * 2);
	BARRIER();
	h = mix(h, (uint64_t)(strchr(buffer[0], '+') - buffer[0]));
	h = mix(h, (uint64_t)(strcmp(buffer[0], buffer[1]) > 0));
	h = mix(h, (uint64_t)(memcmp(buffer[2], buffer[0], n) < 0));
	h = mix(h, (uint64_t)((char *)memchr(buffer[0], '+', 300) - buffer[0]));
	h = mix(h, strspn(s, "abcdefghij"));
	return mix_bytes(h, buffer, sizeof(buffer));
}
static NOINLINE uint64_t zero(void *p, unsigned n) { memset(p, 0, n); BARRIER(); return mix_bytes(n, p, n); }
static NOINLINE uint64_t constant_sizes(char *a, const char *b)
{
	memcpy(a, b, 1); memcpy(a + 1, b, 2); memcpy(a + 3, b, 13); memcpy(a + 20, b, 32); memcpy(a + 60, b, 63); memcpy(a + 130, b, 128);
	memset(a + 270, 'x', 17);
	BARRIER();
	return mix_bytes(0, a, 290) + (uint64_t)!memcmp(a + 20, b, 32) + (uint64_t)!strcmp(a + 270, "x");
}

CASE(strings)
{
	char text[200];
	for (unsigned n = 0; n < 100; n += 7) {
		for (unsigned i = 0; i < n; i++)
			text[i] = (char)('a' + (i * 5 + n) % 26);
		text[n] = 0;
		result("work", work(text, n));
	}
	for (unsigned n = 1; n < 200; n = n * 2 + 1)
		result("zero", zero(text, n));
	memset(text, 'y', sizeof(text));
	result("constant", constant_sizes(buffer[0], text));
	unsigned upper = 0;
	for (unsigned i = 0; i < sizeof(text); i++)
		upper += (unsigned)toupper((unsigned char)text[i]);
	result("upper", upper);
	long v = strtol("-12345xyz", NULL, 10);
	double d = strtod("3.25e2", NULL);
	printf("%ld %g\n", v, d);
}
