/* What cannot be held back yet. argv[1]: heap, once, copy, stack. */
#include <string.h>
#include "window.h"
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *heap, bytes[8], from[8] = {1};
static char what;
static void init(void) { }
static void *work(void *p)
{
	if (what == 'h')
		__atomic_fetch_add(heap, 1, __ATOMIC_SEQ_CST);
	else if (what == 'o')
		pthread_once(&once, init);
	else if (what == 's')
		__atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST);
	else
		memcpy(bytes, from, (size_t)(sizeof(bytes) / (what ? 1 : 2)));
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	int local = 0;

	what = argv[1][0];
	heap = calloc(1, sizeof(*heap));
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &local);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(heap);
	return 0;
}
