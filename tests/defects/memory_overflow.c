/* Accesses one byte beyond a heap block, some only if another thread was faster. The program does not fail otherwise, since no block contains these
 * bytes.
 * check: bug kind=memory says=heap_overflow._T0.*_writes_1_byte_directly_behind_the_end_of_a_block_of_2_bytes : --strategy optimal -- race
 * check: bug kind=memory says=heap_overflow..*reads_14_bytes : --strategy optimal -- string
 * check: bug kind=memory says=heap_underflow..*writes_1_byte_1_byte_before_a_block_of_24_bytes : --strategy optimal -- before
 * check: bug kind=memory says=heap_overflow..*block_of_12_bytes : --strategy optimal -- shrunk
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static atomic_int next;
static volatile char *slots;
static const char *how;
volatile size_t length;
static void *work(void *arg)
{
	if (!strcmp(how, "race")) {
		int mine = next; /* not taken at once: two threads may have the same, and a third then one too many */
		if (mine < 2) {
			next++;
			slots[next - 1] = 1;
		}
	} else if (arg && !strcmp(how, "string")) {
		char *s = malloc(13);
		memset(s, 'x', 13);
		length = strlen(s);
	} else if (arg && !strcmp(how, "before")) {
		volatile char *s = malloc(24);
		s[-1] = 0;
	} else if (arg && !strcmp(how, "shrunk")) {
		volatile char *s = malloc(16);
		s[13] = 1;
		s = realloc((void *)s, 12);
		s[13] = 1;
	}
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	(void)argc;
	how = argv[1];
	next = !strcmp(how, "race") ? 1 : 0;
	slots = malloc(2);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, i ? argv : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
