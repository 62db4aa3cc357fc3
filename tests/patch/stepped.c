/* What step.c steps through: each special form of new code at least once. */
#include <stdatomic.h>
#include <stdint.h>

void step_on(void);
void step_off(void);

static volatile int g[64];
static volatile long c;
static volatile unsigned char b;
static volatile short s;
static _Atomic long at;
char buf1[64], buf2[64];
static __thread volatile long tl[8];

static __attribute__((noinline)) int branches(int x)
{
	switch (x) {
	case 0: return g[1];
	case 1: c++; return 2;
	case 2: c ^= 5; return 1;
	case 3: return 9;
	case 4: s--; return 3;
	case 5: b += 3; return 4;
	case 6: return g[x];
	}
	return 0;
}

static __attribute__((noinline)) long special(void)
{
	long r = 0;
	unsigned long n = 20;
	void *d = buf1;
	const void *q = buf2;
	unsigned char z;
	int own = 0;
	__asm__ volatile("rep movsb" : "+D"(d), "+S"(q), "+c"(n)::"memory");
	n = 5, d = buf1 + 40;
	__asm__ volatile("std; rep stosb; cld" : "+D"(d), "+c"(n) : "a"('x') : "memory");
	n = 20, d = buf1, q = buf2;
	__asm__ volatile("repe cmpsb; sete %3" : "+D"(d), "+S"(q), "+c"(n), "=q"(z)::"memory", "cc");
	r += (long)n + z;
	n = 60, d = buf1;
	__asm__ volatile("repne scasb; sete %2" : "+D"(d), "+c"(n), "=q"(z) : "a"('x') : "memory", "cc");
	r += (long)n + z;
	n = 0, d = buf1;
	__asm__ volatile("repne scasb" : "+D"(d), "+c"(n) : "a"('x') : "memory", "cc");
	n = 3;
	__asm__ volatile("1: addl $1, (%1); loop 1b" : "+c"(n) : "r"(g) : "memory", "cc");
	n = 0;
	__asm__ volatile("jrcxz 1f; incl (%1); 1:" : "+c"(n) : "r"(g) : "memory", "cc");
	__asm__ volatile("stc; adcl $3, %0; rcll $1, %0; sbbl %%ecx, %0" : "+m"(g[3])::"cc", "ecx");
	__asm__ volatile("btsl %1, %0" : "+m"(g[4]) : "r"(70) : "cc", "memory");
	__asm__ volatile("shll %%cl, %0; notl %0; negw %1" : "+m"(g[5]), "+m"(s) : "c"(3) : "cc");
	__asm__ volatile("lock; cmpxchgl %1, %0" : "+m"(g[6]) : "r"(5), "a"(0) : "cc");
	__asm__ volatile("cmpxchgl %1, %0" : "+m"(g[6]) : "r"(7), "a"(5) : "cc");
	__asm__ volatile("xaddl %1, %0" : "+m"(g[6]) : "r"(7) : "cc");
	__asm__ volatile("addb %%ah, %0" : "+m"(b) : "a"(0x1234) : "cc");
	__asm__ volatile("push %0; pop %1" : "+m"(c), "=m"(at));
	__asm__ volatile("lea buf1(%%rip), %%rbx; mov $7, %%eax; xlat" ::: "rax", "rbx");
	__asm__ volatile("stc; mfence; adcl $0, %0; sfence; lock; orq $0, (%%rsp); lock; incl %1" : "+m"(g[7]), "+m"(own) : : "cc", "memory");
	return r + own;
}

/* Thread-local memory: with and without registers in the address, in operations that are split, in those that stay
   whole, in atomic ones. */
static __attribute__((noinline)) long thread_local_memory(void)
{
	long r = tl[1], i = 2, off;
	__asm__ volatile("mov %%fs:0, %0; neg %0; add %1, %0"
			 : "=&r"(off)
			 : "r"(tl)
			 : "cc");
	tl[i] = 5;
	tl[3] += 7;
	__asm__ volatile("stc; adcq $3, %%fs:(%0); movb $1, %%fs:9(%0); incw %%fs:18(%0); "
			 "notl %%fs:(%0,%1,8)" ::"r"(off),
			 "r"(i)
			 : "cc", "memory");
	__asm__ volatile("addl $4, %%fs:8(%0); movq %%fs:8(,%0), %0"
			 : "+D"(off)::"cc", "memory");
	r += off;
	__asm__ volatile("mov %%fs:0, %0; neg %0; add %1, %0"
			 : "=&r"(off)
			 : "r"(tl)
			 : "cc");
	__asm__ volatile("cmpxchgq %0, %%fs:24(%1); xaddq %0, %%fs:32(%1); lock; xaddq %0, %%fs:32(%1); "
			 "xchgq %0, %%fs:40(%1)"
			 : "+r"(i)
			 : "r"(off), "a"(7L)
			 : "cc", "memory");
	__asm__ volatile("lea -128(%%rsp), %%rsp; push %%fs:(%0); pop %%fs:8(%0); lea 128(%%rsp), %%rsp; "
			 "shll %%cl, %%fs:48(%0); lock; btsl $3, %%fs:48(%0)" ::"r"(off),
			 "c"(2)
			 : "cc", "memory");
	return r + i + tl[6];
}

static __attribute__((noinline)) int deep(int n)
{
	volatile int l[3] = {n, n + 1, n + 2};
	int *p = (int *)l;
	return n ? deep(n - 1) + p[n % 3] : 1;
}

static __attribute__((noinline)) void called(void)
{
	g[10]++;
}

static void (*table[3])(void) = {called, called, called};

/* Calls through pointers in memory to which other calls return. */
static __attribute__((noinline)) void calls(void)
{
	void (*volatile own[2])(void) = {called, called};
	called(); /* so the compiler does not use the red zone */
	__asm__ volatile("call *%0; call *%0; call *(%1); call *8(%1, %2, 8); call *%3; call *%3" : : "m"(table[1]), "r"(table), "r"(1L), "m"(own[1])
		: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
}

int main(void)
{
	long t = 0;
	step_on();
	for (int i = 0; i < 8; i++)
		t += branches(i);
	for (int i = 0; i < 8; i++) {
		g[i] += i;
		c -= g[i];
		atomic_fetch_add(&at, 2);
		b++;
		s += (short)i;
	}
	t += special() + thread_local_memory() + deep(5);
	calls();
	double x = (double)c;
	x *= 1.5;
	g[9] = (int)x;
	step_off();
	return 0;
}
