/* One thread frees memory that another thread still reads. This fails in one order only: the reader takes the pointer, then the other thread removes
 * it and frees the block. Natively the read mostly finds the old contents.
 * check: bug kind=memory says=use_after_free._T0.1_reads_4_bytes_8_bytes_into_a_block_of_16_bytes replays=100 : --strategy optimal --
 * long: bug kind=memory says=use_after_free : --strategy optimal -- strlen
 * long: bug kind=memory says=use_after_free._T0.1_writes : --model tso -- write
 * check: complete never=MEMORY : --no-memory-check --strategy optimal --
 * long: bug kind=memory : --isolation fork --
 * long: bug kind=memory : --threads kernel --
 * long: bug kind=memory : --strategy random --executions 100 --
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct item { long head; int value; char text[4]; };
static _Atomic(struct item *) current;
static const char *what;
volatile size_t length;
static void *reader(void *arg)
{
	struct item *i = current;
	if (!i)
		return NULL;
	if (!strcmp(what, "strlen"))
		length = strlen((char *)i);
	else if (!strcmp(what, "write"))
		i->value = 3;
	else
		length = (size_t)i->value;
	return arg;
}
static void *remover(void *arg)
{
	struct item *i = atomic_exchange(&current, NULL);
	free(i);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t a, b;
	struct item *i = calloc(1, sizeof *i);
	what = argc > 1 ? argv[1] : "read";
	strcpy((char *)i, "abc");
	current = i;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, remover, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
