/* Fences of each kind, TIMES times each. tests/patch.sh counts how many of them the patcher hooks. */
#include <stdint.h>

#define TIMES 100

static __thread int tls;
static int shared;

/* no address of its stack is taken: other accesses of it get no hook */
static __attribute__((noinline)) int on_stack(int n)
{
	int own = n;
	__asm__ volatile("lock; incl %0" : "+m"(own)::"cc");
	return own;
}

static __attribute__((noinline)) int exchange(int n)
{
	int own = n;
	__asm__ volatile("xchgl %0, %1" : "+m"(own), "+r"(n));
	return own + n;
}

static __attribute__((noinline)) int stays_an_access(void)
{
	int seen;
	__asm__ volatile("lock; incl %0; lfence; movl %0, %1" : "+m"(shared), "=r"(seen)::"cc");
	__asm__ volatile("lock; incl %0"
			 : "+m"(tls)::"cc");
	return seen;
}

int main(void)
{
	unsigned a = 0, b, c = 0, d, carries = 0;
	long sum = 0;
	for (unsigned i = 0; i < TIMES; i++) {
		__asm__ volatile("stc; mfence; adcl $0, %0" : "+r"(carries)::"cc", "memory");
		__asm__ volatile("clc; sfence; adcl $0, %0" : "+r"(carries)::"cc", "memory");
		__asm__ volatile("lock; orq $0, (%%rsp)" ::: "cc", "memory");
		__asm__ volatile("lock; addl $0, -64(%%rsp)" ::: "cc", "memory");
		__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
		a = c = 0;
		sum += on_stack((int)i) + exchange(1) + stays_an_access();
	}
	return carries != TIMES || tls != TIMES || shared != TIMES ||
	       sum != TIMES * (TIMES + 1) / 2 * 2 + TIMES * 2;
}
