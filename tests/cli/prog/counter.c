/* A lost update in a variable of main's frame and in one on the heap; how many threads: the first argument. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
	int n;
};

struct shared {
	int *local;
	struct box *box;
};

static void *add(void *arg)
{
	struct shared *s = arg;

	++*s->local;
	s->box->n++;
	return NULL;
}

int main(int argc, char **argv)
{
	int total = 0, n = argc > 1 ? atoi(argv[1]) : 2;
	struct shared s = { &total, calloc(1, sizeof(struct box)) };
	pthread_t t[8];

	for (int i = 0; i < n && i < 8; i++)
		pthread_create(&t[i], NULL, add, &s);
	for (int i = 0; i < n && i < 8; i++)
		pthread_join(t[i], NULL);
	assert(total == n || s.box->n == n);
	return 0;
}
