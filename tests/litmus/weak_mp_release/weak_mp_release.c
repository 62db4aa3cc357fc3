/*
 * weak_mp with release and acquire. Where the sensor knows the order (-fsanitize=thread) the flag follows the data. In machine code
 * both are plain movs: 4, as weak_mp.
 */
#include "../weak.h"

static atomic_int data, flag;
static int a, b;

T(p)
{
	ST(data, 1);
	atomic_store_explicit(&flag, 1, memory_order_release);
	return NULL;
}

T(q)
{
	a = atomic_load_explicit(&flag, memory_order_acquire);
	b = LD(data);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && b == 0;
}
