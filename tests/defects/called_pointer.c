/*
 * A call reads the pointer to its function from memory, which another thread writes. Such a call had no hook if another call returned to it, or a short block
 * led to it, and the verdict was complete. So was that of jumps for a time.
 *
 * check: bug kind=assert : -- call
 * check: bug kind=assert : -- jump
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int done;

static void one(void)
{
	done = 1;
}

static void two(void)
{
	done = 2;
}

static void (*function)(void) = one;

static void *replace(void *arg)
{
	function = two;
	return arg;
}

static __attribute__((noinline)) void jump(void)
{
	__asm__ volatile("jmp *%0" : : "m"(function));
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	pthread_create(&t, NULL, replace, NULL);
	if (!strcmp(argv[1], "jump"))
		jump();
	else
		__asm__ volatile("call *%0" : : "m"(function) : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
	assert(done == 1);
	pthread_join(t, NULL);
}
