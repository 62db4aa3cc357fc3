/* Functions with a variable number of arguments: general and vector registers, the stack, structures, copies. */
#include "case.h"

#include <stdarg.h>

struct pair { double a; int64_t b; };
struct big { int v[9]; };

static NOINLINE uint64_t sum(const char *format, ...)
{
	va_list ap, copy;
	uint64_t h = 0;
	va_start(ap, format);
	va_copy(copy, ap);
	for (int round = 0; round < 2; round++) {
		for (const char *f = format; *f; f++) {
			va_list *v = round ? &copy : &ap;
			switch (*f) {
			case 'i': h = mix(h, (uint64_t)va_arg(*v, int)); break;
			case 'l': h = mix(h, va_arg(*v, uint64_t)); break;
			case 'd': h = mix(h, (uint64_t)(va_arg(*v, double) * 1024)); break;
			case 'L': h = mix(h, (uint64_t)(va_arg(*v, long double) * 1024)); break;
			case 's': { const char *s = va_arg(*v, const char *); h = mix_bytes(h, s, strlen(s)); break; }
			case 'p': { struct pair p = va_arg(*v, struct pair); h = mix(h, (uint64_t)(p.a * 8) + (uint64_t)p.b); break; }
			case 'b': { struct big b = va_arg(*v, struct big); h = mix_bytes(h, &b, sizeof(b)); break; }
			}
		}
	}
	va_end(copy);
	va_end(ap);
	return h;
}

static NOINLINE int format(char *out, size_t n, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int r = vsnprintf(out, n, fmt, ap);
	va_end(ap);
	return r;
}

CASE(variadic)
{
	char text[256];
	struct pair p = {2.5, 77};
	struct big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
	result("registers", sum("iil", 1, -2, UINT64_C(3)));
	result("many", sum("iiiiiiiilll", 1, 2, 3, 4, 5, 6, 7, 8, UINT64_C(9), UINT64_C(10), UINT64_C(11)));
	result("doubles", sum("dddddddddddd", 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5));
	result("mixed", sum("idLspbid", 4, 1.25, 3.5L, "some text", p, b, -9, 0.5));
	int n = format(text, sizeof(text), "%d %5.3f %s %c %#lx %Lf %*d", 42, 3.25, "abc", 'z', 0xfedcUL, 1.5L, 7, 12);
	printf("%d %s\n", n, text);
}
