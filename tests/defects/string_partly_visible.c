/* A string of which other threads change one byte in every execution, and another one only in some. A thread reads it by functions of libc.
 * Once the first byte was known to be shared, simul recorded no read of the others, so it never noticed that the second one is shared, too:
 * `complete`, without the executions in which the reader sees it between two writes.
 * build: gcc -g -O1 -pthread -fno-builtin -DREAD=1
 * build: gcc -g -O1 -pthread -fno-builtin -DREAD=2
 * build: gcc -g -O1 -pthread -fno-builtin -DREAD=3
 * build: gcc -g -O1 -pthread -fno-builtin -DREAD=4
 * build: gcc -g -O1 -pthread -fno-builtin -DREAD=5
 * check: bug kind=assert replays=1 : --
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char text[32] __attribute__((aligned(16))) = "aaaaaaaaaaaaaaaa";
static atomic_int sometimes;

static void put(volatile char *at, char c)
{
	*at = c;
}

static void *change(void *unused)
{
	put(text + 1, 'a');
	put(text, 'b');
	if (atomic_load(&sometimes)) {
		put(text + 9, 0);
		put(text + 9, 'a');
	}
	return unused;
}

static void *allow(void *unused)
{
	atomic_store(&sometimes, 1);
	return unused;
}

/* Returns whether the string looks as if a byte in it were 0. */
static int is_short(void)
{
	switch (READ) {
	case 1: return strlen(text) != 16;
	case 2: return strchr(text, 0) != text + 16;
	case 3: return strspn(text, "ab") != 16;
	case 4: return memchr(text, 0, 17) != text + 16;
	default: return strcmp(text + 1, "aaaaaaaaaaaaaaa") != 0;
	}
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, change, NULL);
	pthread_create(&b, NULL, allow, NULL);
	assert(!is_short());
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
