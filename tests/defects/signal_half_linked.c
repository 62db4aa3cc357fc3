/* Like signal_half_made. The first thread moves an element to the front of a list. The handler, on its alternate stack, walks the list and finds
 * that an element is missing. With 1 it leaves the handler by siglongjmp before it looks. With 2 the thread blocks the signal.
 * check: bug kind=assert replays=20 : -- 0
 * check: complete : -- 1
 * check: complete : -- 2
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static struct node {
	struct node *volatile next;
} a, b = {&a}, c = {&b};
static struct node *volatile head = &c;
static pthread_t first;
static sigjmp_buf out;
static int how;

static void handler(int sig)
{
	int n = 0;
	if (how == 1)
		siglongjmp(out, 1);
	for (struct node *p = head; p; p = p->next)
		n++;
	assert(n == 3);
}

static void *sender(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return NULL;
}

int main(int argc, char **argv)
{
	stack_t stack = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ};
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	sigset_t set;
	pthread_t t;
	how = atoi(argv[1]);
	first = pthread_self();
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigsetjmp(out, 1) == 0) {
		pthread_create(&t, NULL, sender, NULL);
		if (how == 2)
			pthread_sigmask(SIG_BLOCK, &set, NULL);
		head = &b;
		c.next = &b;
		b.next = &a;
		head = &c;
		if (how == 2)
			pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	}
	pthread_sigmask(SIG_BLOCK, &set, NULL); /* a jump from here on would join twice, or to a frame that is gone */
	pthread_join(t, NULL);
	return 0;
}
