/* Many short executions, for a test that kills the search in the middle. No execution fails. */
#include "check.h"

static int counter;

static void *body(void *arg)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&check_lock);
		counter++;
		pthread_mutex_unlock(&check_lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	CHECK(counter == 0);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, body, NULL) == 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	CHECK(counter == 15);
	return 0;
}
