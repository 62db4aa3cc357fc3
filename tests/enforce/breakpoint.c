/* STOP=1 in the environment: a breakpoint instruction, or a handler for SIGSYS (STOP=2) or SIGTRAP (STOP=3). */
#include <signal.h>
#include "window.h"
static uint32_t n;

static void ignore(int sig)
{
}

static void *add(void *p)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
	return p;
}

int main(void)
{
	int stop = 0;

	for (char **v = environ; *v; v++) /* unlike getenv, this is not compared with the certificate */
		stop = strncmp(*v, "STOP=", 5) ? stop : atoi(*v + 5);
	if (stop == 2)
		signal(SIGSYS, ignore);
	if (stop == 3)
		signal(SIGTRAP, ignore);
	run_two(add, add);
	if (stop == 1)
		__asm__ volatile("int3");
	return n != 2;
}
