/* A wild pointer into the memory without access is a crash of the program. With an argument, the thread pointer is set
   before. */
#include "own.h"

#define NOWHERE 0x1001c2000000 /* SYS_AWAY(7) + 32 MB, preload/control/thread_pointer.c */

static __thread long mine;
static int used;

static void *thread(void *arg)
{
	step();
	if (used)
		mine = (long)arg;
	if (arg == (void *)2)
		*(volatile char *)NOWHERE;
	return NULL;
}

int main(int argc, char **argv)
{
	used = argc > 1;
	in_threads(thread);
	return 0;
}
