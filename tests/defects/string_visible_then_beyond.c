/* Threads share the first byte of a string in a block of the heap. In some executions it has no terminator, so libc reads beyond the block. Once
 * the first byte was known to be shared, simul did not check the others: `complete`.
 * check: bug kind=memory says=heap_overflow replays=1 : --
 * check: complete : -- terminated
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static atomic_int sometimes;

static void *change(void *unused)
{
	*(volatile char *)text = 'b';
	return unused;
}

static void *allow(void *unused)
{
	atomic_store(&sometimes, 1);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	text = malloc(40);
	memset(text, 'a', 40);
	text[39] = 0;
	pthread_create(&a, NULL, change, NULL);
	pthread_create(&b, NULL, allow, NULL);
	if (atomic_load(&sometimes) && argc == 1)
		text[39] = 'a';
	volatile size_t n = strlen(text);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	(void)n;
	(void)argv;
	return 0;
}
