/*
 * weak_sb. While p's store is in the buffer, libc overwrites the variable, in code that no sensor sees. p must then see what libc wrote, and
 * so must every other thread in the end.
 */
#include <wchar.h>

#include "../weak.h"

static volatile char text[4];
static atomic_int flag;
static int a;
static char b, own;

T(p)
{
	const wchar_t *wide = L"23";
	mbstate_t state = {0};

	text[0] = '1';
	wcsrtombs((char *)text, &wide, sizeof text, &state);
	a = LD(flag);
	own = text[0];
	return NULL;
}

T(q)
{
	ST(flag, 1);
	b = text[0];
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (own != '2' || text[0] != '2' || (b != 0 && b != '2'))
		abort();
	return a == 0 && b == 0;
}
