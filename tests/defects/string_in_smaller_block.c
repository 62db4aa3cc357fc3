/* Threads share a string in a block of the heap, whose size depends on the schedule. libc reads the string up to its terminator, which is the
 * block's last byte. simul took bytes together that were visible in the larger block, and reported a false heap overflow in the smaller one.
 * Found with exa and rmlint.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -DWIDE
 * check: complete never=overflow : --
 * check: bug kind=memory says=heap_overflow : -- unterminated
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#ifdef WIDE
typedef wchar_t unit;
enum { SMALL = 3, LARGE = 5, SHARED = 2 };
#else
typedef char unit;
enum { SMALL = 10, LARGE = 16, SHARED = 8 };
#endif

static atomic_int large;
static unit *text;

static void read_text(void)
{
#ifdef WIDE
	volatile size_t length = wcslen(text);
	(void)length;
#else
	access(text, F_OK);
#endif
}

static void *grow(void *unused)
{
	atomic_store(&large, 1);
	return unused;
}

static void *change(void *bytes)
{
	int units = (int)((size_t)bytes / sizeof(unit));

	text[SHARED - 1] = 'b';
	for (int i = SHARED; i < units - 1; i++)
		text[i] = 'b';
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	pthread_create(&a, NULL, grow, NULL);
	int units = atomic_load(&large) ? LARGE : SMALL;
	text = malloc((size_t)units * sizeof(unit));
	for (int i = 0; i < units; i++)
		text[i] = 'a';
	if (argc == 1)
		text[units - 1] = 0;
	pthread_create(&b, NULL, change, (void *)((size_t)units * sizeof(unit)));
	read_text();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	(void)argv;
	return 0;
}
