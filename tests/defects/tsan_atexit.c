/* ThreadSanitizer's runtime defines atexit, and a program built with it uses that definition. Under simul the program did not start ("undefined
 * symbol: atexit"). The same happened with sigsetjmp under its own name, and with functions of libm if the linker omits libm. The handlers must run
 * in reverse order, and their failures count.
 * build: gcc -g -O1 -pthread -fsanitize=thread
 * build: clang -g -O1 -pthread -fsanitize=thread -shared-libsan
 * libs: -Wl,--as-needed -lm
 * check: complete traces=2 : --
 * check: bug kind=assert replays=2 : -- 1
 */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#undef sigsetjmp
int sigsetjmp(sigjmp_buf env, int save) __attribute__((returns_twice));

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, wanted, steps;

static void last(void)
{
	assert(steps == 1);
	assert(sum == wanted);
}

static void before(void)
{
	steps++;
}

static void *add(void *unused)
{
	pthread_mutex_lock(&m);
	sum++;
	pthread_mutex_unlock(&m);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	sigjmp_buf env;
	double s, c;
	(void)argv;
	wanted = argc > 1 ? 3 : 2;
	atexit(last);
	atexit(before);
	sincos(argc - 1, &s, &c);
	assert(s * s + c * c > 0.99);
	if (!sigsetjmp(env, 1))
		siglongjmp(env, 1);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, add, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
