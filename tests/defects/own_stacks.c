/* Coroutines that switch stacks without swapcontext: by setcontext, and by assembly. The verdict must say that their
 * order was the program's own: once it was "complete" without a word about them. Other stacks get no such words: the
 * alternate stack of a signal handler, a stack that the program gave a thread, and deep ones.
 * build: gcc -g -O1 -pthread
 * check: complete traces=2 says=coroutines.only_in_the_program.s_own_order : --strategy optimal -- set
 * check: complete traces=2 says=coroutines.only_in_the_program.s_own_order : --strategy optimal -- assembly
 * check: complete traces=2 says=coroutines.only_in_the_program.s_own_order : --strategy optimal -- silent
 * check: complete traces=2 never=the_program.s_own_order : --strategy optimal -- handler
 * check: complete traces=2 never=the_program.s_own_order : --strategy optimal -- given
 * check: complete traces=2 never=the_program.s_own_order : --strategy optimal -- deep
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
static ucontext_t scheduler, coroutine;
static char stack[65536] __attribute__((aligned(64)));
static atomic_int shared, ran;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int left;

static void visible(void)
{
	pthread_mutex_lock(&m);
	ran++;
	pthread_mutex_unlock(&m);
}
static void body(void)
{
	visible();
	left = 1;
	setcontext(&scheduler);
}
static void by_setcontext(void)
{
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = sizeof stack;
	makecontext(&coroutine, body, 0);
	getcontext(&scheduler);
	if (!left)
		setcontext(&coroutine);
}
/* The only visible operation is an access of an atomic variable, by patched code. */
static void count(void)
{
	shared = 1;
}
static void on_other_stack(void (*f)(void))
{
#if defined(__x86_64__)
	__asm__ volatile("mov %%rsp, %%rbx\n\tmov %1, %%rsp\n\tcall *%0\n\tmov %%rbx, %%rsp"
			 :
			 : "r"(f), "r"(stack + sizeof stack)
			 : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
#else
	(void)f;
	by_setcontext();
#endif
}
static void handler(int sig)
{
	(void)sig;
	visible();
}
static void by_handler(void)
{
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	sigaltstack(&ss, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
}
static void deep(int n)
{
	volatile char frame[4096];
	frame[0] = (char)n;
	if (n)
		deep(n - 1);
	else
		visible();
	frame[1] = frame[0];
}
static const char *what;
static void *run(void *argument)
{
	if (argument)
		visible();
	if (!argument || strcmp(what, "silent"))
		shared = argument ? 1 : 2;
	if (argument && !strcmp(what, "set"))
		by_setcontext();
	if (argument && !strcmp(what, "assembly"))
		on_other_stack(visible);
	if (argument && !strcmp(what, "silent"))
		on_other_stack(count);
	if (argument && !strcmp(what, "handler"))
		by_handler();
	if (argument && !strcmp(what, "deep"))
		deep(300);
	return argument;
}
int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t t[2];
	what = argc > 1 ? argv[1] : "set";
	pthread_attr_init(&attr);
	if (!strcmp(what, "given"))
		pthread_attr_setstack(&attr, aligned_alloc(4096, 1 << 20), 1 << 20);
	pthread_create(&t[0], NULL, run, NULL);
	pthread_create(&t[1], &attr, run, &ran);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
