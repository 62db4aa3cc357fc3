/* Fails in some schedules, and what it says is no XML: control characters, bytes that are no UTF-8, the end of a CDATA section. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *set(void *arg)
{
	usleep(200000); /* natively it passes */
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, set, NULL);
	puts("\x01\x1b[1m <&]]> \xff \xed\xa0\x80 \xef\xbf\xbf \xc3\xbc");
	fflush(stdout);
	pthread_mutex_lock(&lock);
	assert(x == 0 && "<>&\"' \x02 ]]>");
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
