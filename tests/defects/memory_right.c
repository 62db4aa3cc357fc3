/* Programs that use memory correctly in ways that look wrong: a block that realloc moves; a block that is freed and allocated again by the same
 * thread; the program's own list of free nodes; a pool that cuts nodes out of one block; coroutines on a heap block and on the thread's own stack;
 * strings read in 16 aligned bytes at a time; malloc_usable_size.
 * build: gcc -g -O1 -pthread
 * check: complete traces=2 : --strategy optimal -- realloc
 * check: complete traces=2 : --strategy optimal -- again
 * check: complete traces=4 : --strategy optimal -- list
 * check: complete traces=2 : --strategy optimal -- pool
 * check: complete traces=2 : --strategy optimal -- coroutine
 * check: complete traces=2 : --strategy optimal -- vector
 * check: complete traces=2 : --strategy optimal -- usable
 * check: complete traces=2 : --strategy optimal -- libc
 * check: complete traces=2 : --strategy optimal -- lent
 */
#include <emmintrin.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *what;
static char *block;
struct node { struct node *next; long value; };
static struct node *unused;
static __thread ucontext_t back, there;
static __thread int *shared_local;
static __thread volatile long sum;
static void coroutine(void) { sum += *shared_local; swapcontext(&there, &back); sum += *shared_local; swapcontext(&there, &back); }
static __attribute__((noinline)) void run_coroutine(char *stack, size_t size)
{
	int local = 3;
	shared_local = &local;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = size;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);
	local = 4;
	swapcontext(&back, &there);
}
static __attribute__((noinline)) size_t length16(const char *s)
{
	const char *at = (const char *)((size_t)s & ~(size_t)15);
	unsigned bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i *)at), _mm_setzero_si128())) >> (s - at) << (s - at);
	while (!bits) {
		at += 16;
		bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i *)at), _mm_setzero_si128()));
	}
	return (size_t)(at - s) + (size_t)__builtin_ctz(bits);
}
static void list(void)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		struct node *n = unused;
		unused = n->next;
		pthread_mutex_unlock(&m);
		n->value++;
		if (i == 0) { /* back on the list, which is not freed */
			pthread_mutex_lock(&m);
			n->next = unused;
			unused = n;
			pthread_mutex_unlock(&m);
		}
	}
}
static void *work(void *arg)
{
	int me = arg != NULL;
	if (!strcmp(what, "list") && me == 0) {
		list();
		return NULL;
	}
	if (!strcmp(what, "again"))
		for (int i = 0; i < 1000; i++) {
			char *volatile p = malloc(40);
			memset(p, i, 40);
			free(p);
		}
	if (!strcmp(what, "coroutine")) {
		char *heap = malloc(65536), own[32768];
		run_coroutine(heap, 65536);
		free(heap);
		run_coroutine(own, sizeof own);
	}
	if (!strcmp(what, "vector")) {
		for (size_t n = 0; n < 70; n++) {
			char *s = malloc(n + 1);
			memset(s, 'x', n);
			s[n] = 0;
			if (length16(s) != n)
				abort();
			free(s);
		}
	}
	if (!strcmp(what, "usable")) {
		char *volatile p = malloc(13);
		size_t n = malloc_usable_size(p);
		memset(p, 1, n);
		p[n - 1]++;
		free(p);
	}
	if (!strcmp(what, "libc")) {
		char *text = NULL, *line = NULL;
		size_t size = 0, room = 0;
		FILE *f = open_memstream(&text, &size);
		for (int i = 0; i < 300; i++)
			fprintf(f, "%d\n", i);
		fclose(f);
		f = fmemopen(text, size, "r");
		while (getline(&line, &room, f) > 0)
			sum += line[0];
		fclose(f);
		free(line);
		free(text);
		if (asprintf(&text, "%s", "abc") > 0)
			sum += (long)strlen(text);
		line = strdup(text);
		free(text);
		free(line);
	}
	pthread_mutex_lock(&m);
	if (!strcmp(what, "realloc")) {
		for (size_t i = 0; i < 12; i++) {
			block = realloc(block, 16u << i);
			block[(16u << i) - 1] = (char)i;
		}
		block = realloc(block, 16);
	}
	if (!strcmp(what, "pool") || !strcmp(what, "lent"))
		((struct node *)(void *)block)[me].value++;
	sum++;
	pthread_mutex_unlock(&m);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	struct node lent[2] = { { NULL, 0 }, { NULL, 0 } }; /* a frame that main does not leave */
	(void)argc;
	what = argv[1];
	block = !strcmp(what, "lent") ? (char *)lent : calloc(4, sizeof(struct node));
	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->next = unused;
		unused = n;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, i ? argv : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
