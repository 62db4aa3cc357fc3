/* Locks once more on a machine whose file `kind` says so. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int kind, count;

static void *add(void *unused)
{
	for (int i = 0; i < 6 + kind; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	FILE *f = fopen("kind", "r");
	pthread_t t[3];

	if (!f || fscanf(f, "%d", &kind) != 1)
		return 2;
	fclose(f);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
