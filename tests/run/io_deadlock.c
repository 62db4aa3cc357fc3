/* Each thread reads the pipe that the other would write to next. No other process has these pipes open. */
#include <pthread.h>
#include <unistd.h>

static int a[2], b[2];

static void *other(void *arg)
{
	char c;

	if (read(a[0], &c, 1) == 1)
		return (void *)write(b[1], &c, 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;

	if (pipe(a) || pipe(b))
		return 1;
	pthread_create(&t, NULL, other, NULL);
	if (read(b[0], &c, 1) == 1)
		return (int)write(a[1], &c, 1) - 1;
	pthread_join(t, NULL);
	return 0;
}
