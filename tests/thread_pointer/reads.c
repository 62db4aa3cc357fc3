/* The system call that reads the thread pointer gives the thread's own. */
#include "own.h"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *thread(void *arg)
{
	for (int i = 0; i < 2; i++) {
		unsigned long value = 0;
		step();
		assert(!syscall(SYS_arch_prctl, ARCH_GET_FS, &value));
		assert(value == (unsigned long)pthread_self());
	}
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
