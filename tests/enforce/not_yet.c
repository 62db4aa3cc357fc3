/* Accesses that simul enforce cannot hold back yet. argv[1]: string (a function of the C library other than memcpy and memset), futex (by an instruction). */
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include "window.h"
static char text[8], what, copy[8];
static uint32_t word;

static void wake(uint32_t *at)
{
	long r = SYS_futex;
	register long none __asm__("r10") = 0;

	__asm__ volatile("syscall" : "+a"(r) : "D"(at), "S"(FUTEX_WAKE), "d"(1), "r"(none) : "rcx", "r11", "memory");
}

static void *work(void *p)
{
	if (what == 'f')
		wake(&word);
	else
		strcpy(copy, text);
	return p;
}

int main(int argc, char **argv)
{
	what = argv[1][0];
	return run_two(work, work);
}
