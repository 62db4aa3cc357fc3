/* Fails, and prints terminal control sequences. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *fail(void *unused)
{
	fputs("\033]0;title\007\033[2J \x9b" "31m \xe2\x80\xae \xe2\x80\xa8 \xc3\xa9\n", stdout);
	fflush(stdout);
	assert(!"\033[2J \x9b" "31m \xe2\x80\xae");
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, fail, NULL);
	pthread_join(t, NULL);
	return 0;
}
