/* A library whose constructor installs a handler before simul's constructor runs. The handler was lost, and simul reported that the program fails on
 * its own. If everything is in the program, the constructor runs after simul's.
 * build: gcc -g -O1 -pthread -DLIB -shared -fPIC -o @DIR@/libctor.so @SRC@ && gcc -g -O1 -pthread -DPROGRAM -o @OUT@ @SRC@ -L@DIR@ -lctor -Wl,-rpath,@DIR@
 * build: gcc -g -O1 -pthread -DLIB -DPROGRAM -o @OUT@ @SRC@
 * check: complete traces=1 : --
 * check: complete traces=1 : --isolation exec --
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

extern volatile int got;

#ifdef LIB
volatile int got;

static void on_signal(int sig)
{
	got += sig == SIGUSR1;
}

__attribute__((constructor)) static void install(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	sigaction(SIGUSR1, &sa, NULL);
}
#endif

#ifdef PROGRAM
static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_kill(pthread_self(), SIGUSR1);
	assert(got == 1);
	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	return 0;
}
#endif
