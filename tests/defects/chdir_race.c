/* The working directory belongs to the process: what getcwd finds depends on the order. It was not tried: one trace, complete.
 * getcwd comes before both chdir, between them, or after them.
 * check: bug kind=assert says=change_the_working_directory replays=3 :
 * check: bug traces=3 : --keep-going --strategy optimal
 * check: complete traces=1 : -- joined
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *w(void *x)
{
	chdir("/tmp");
	chdir("/");
	return x;
}

int main(int argc, char **argv)
{
	char b[100];
	pthread_t t;

	chdir("/");
	pthread_create(&t, 0, w, 0);
	if (argc > 1)
		pthread_join(t, 0);
	getcwd(b, sizeof b);
	if (argc < 2)
		pthread_join(t, 0);
	assert(!strcmp(b, "/"));
}
