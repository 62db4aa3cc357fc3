/* What a constructor may do about signals before simul's constructor runs: block a signal that then is pending, ignore one, set an alternate stack,
 * start an interval timer and an alarm, and install a handler for a fault. Threads must find all of this as they do without simul. With an argument,
 * the handler that was installed calls abort in one of the two orders of two threads.
 * build: gcc -g -O1 -pthread -DLIB -shared -fPIC -o @DIR@/libctor.so @SRC@ && gcc -g -O1 -pthread -DPROGRAM -o @OUT@ @SRC@ -L@DIR@ -lctor -Wl,-rpath,@DIR@
 * build: gcc -g -O1 -pthread -DLIB -DPROGRAM -o @OUT@ @SRC@
 * check: complete : --isolation fork --
 * check: bug kind=assert replays=2 : -- 1
 * long: complete : --isolation exec --
 * long: complete : --isolation rewind --
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#define STACK 65536

extern volatile int usr1, usr2, alarms, faults, fails;
extern char *page;

#ifdef LIB
#include <sys/mman.h>
#include <string.h>

volatile int usr1, usr2, alarms, faults, fails;
char *page;

static void on_signal(int sig, siginfo_t *info, void *unused)
{
	(void)unused;
	if (sig == SIGUSR1 && ++usr1 && fails)
		abort();
	usr2 += sig == SIGUSR2;
	alarms += sig == SIGALRM;
	if (sig == SIGSEGV && ++faults)
		mprotect(page, 4096, PROT_READ | PROT_WRITE);
	assert(info->si_signo == sig);
}

__attribute__((constructor)) static void install(void)
{
	struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct itimerval in_an_hour = { { 7, 0 }, { 3600, 0 } };
	stack_t stack = { .ss_sp = malloc(STACK), .ss_size = STACK };
	sigset_t set;

	sigaddset(&sa.sa_mask, SIGTERM);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
	sigaction(SIGSEGV, &sa, NULL);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR2);
	sigaltstack(&stack, NULL);
	setitimer(ITIMER_REAL, &in_an_hour, NULL);
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
#endif

#ifdef PROGRAM
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first;
static pthread_t threads[2];

static void *thread(void *which)
{
	int i = (int)(long)which;
	pthread_mutex_lock(&m);
	if (!first)
		first = i + 1;
	fails = fails && first == 2;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void check_state(void)
{
	struct sigaction sa;
	struct itimerval left;
	sigset_t set;
	stack_t stack;

	assert(!sigaction(SIGUSR1, NULL, &sa) && (sa.sa_flags & SA_SIGINFO) && (sa.sa_flags & SA_RESTART));
	assert(sigismember(&sa.sa_mask, SIGTERM) && !sigismember(&sa.sa_mask, SIGHUP));
	assert(!sigaction(SIGHUP, NULL, &sa) && sa.sa_handler == SIG_IGN);
	assert(!sigaction(SIGTERM, NULL, &sa) && sa.sa_handler == SIG_DFL);
	assert(!sigpending(&set) && sigismember(&set, SIGUSR2) && !sigismember(&set, SIGUSR1));
	assert(!sigaltstack(NULL, &stack) && stack.ss_size == STACK && !(stack.ss_flags & SS_DISABLE));
	assert(!getitimer(ITIMER_REAL, &left) && left.it_interval.tv_sec == 7 && left.it_value.tv_sec > 3000);
}

int main(int argc, char **argv)
{
	struct itimerval now = { { 0, 0 }, { 0, 1 } };
	sigset_t set;
	(void)argv;
	fails = argc > 1;
	check_state();
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check_state();
	*(volatile char *)page = 1;
	assert(faults == 1);
	assert(!raise(SIGHUP) && !raise(SIGUSR1) && usr1 == 1 && usr2 == 0);
	sigfillset(&set);
	assert(!pthread_sigmask(SIG_UNBLOCK, &set, NULL) && usr2 == 1);
	setitimer(ITIMER_REAL, &now, NULL);
	usleep(1000);
	assert(alarms == 1);
	return 0;
}
#endif
