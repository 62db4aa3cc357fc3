/* Invalid frees: two owners that both think they are the last, in one order of their checks; a pointer into a block; an address that malloc never
 * returned.
 * check: bug kind=memory says=double_free.*frees_a_block_of_100_bytes replays=10 : --strategy optimal -- twice
 * check: bug kind=memory says=invalid_free._T0.1_frees_an_address_8_bytes_into_a_block_of_100_bytes : --strategy optimal -- inside
 * check: bug kind=memory says=invalid_free : --strategy optimal -- stack
 * check: bug kind=assert says=double_free : --no-memory-check --strategy optimal -- twice
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static atomic_int users = 2;
static char *block;
static volatile int inner = 8;
static void *twice(void *arg)
{
	atomic_fetch_sub(&users, 1);
	if (users == 0)
		free(block);
	return arg;
}
static void *inside(void *arg)
{
	if (atomic_fetch_sub(&users, 1) == 2)
		free(block + inner);
	return arg;
}
static void *stack(void *arg)
{
	char bytes[64];
	char *volatile p = bytes + 16;
	if (atomic_fetch_sub(&users, 1) == 2)
		free(p);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	(void)argc;
	block = malloc(100);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, !strcmp(argv[1], "twice") ? twice : !strcmp(argv[1], "inside") ? inside : stack, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
