/*
 * Three threads add to a counter twice, and nobody uses the old value or the flags: additions commute (M_ADD), so there is one trace. main reads the sum after the joins.
 * gcc makes `lock add` or `lock inc` of each. A plain binary is patched; under -fsanitize=thread the old value is returned by a call, so all (6)!/(2!)^3 = 90
 * orders are explored.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int n;

T(p)
{
	n++;
	atomic_fetch_add_explicit(&n, 2, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	RUN(p, p, p);
	return n != 9;
}
