/* A string of the program that would change the direction of text on a terminal. */
#include <assert.h>
#include <pthread.h>

static char text[] = "a\xe2\x80\xae\x1b[31m\xe2\x80\xa8 end";

static void *fails(void *s)
{
	assert(!s);
	return s;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, fails, text);
	pthread_join(t, NULL);
	return 0;
}
