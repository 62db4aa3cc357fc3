/*
 * Visitors of a museum are counted at two doors.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int visitors;

static void *door(void *arg)
{
	int people = *(int *)arg;

	for (int i = 0; i < people; i++)
		visitors++;
	return NULL;
}

int main(void)
{
	pthread_t doors[2];
	int people[2] = { 2, 1 };

	for (int i = 0; i < 2; i++)
		pthread_create(&doors[i], NULL, door, &people[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(doors[i], NULL);
	printf("%d visitors\n", visitors);
	assert(visitors == 3);
	return 0;
}
