/* A library or the executable has an allocator of its own, and threads share a block of it. In a replay the loader got memory for one more library from
 * this allocator, so the block had another address, and the failure did not replay.
 * build: gcc -g -O1 -pthread -DALLOCATOR -fPIC -shared -o @DIR@/libown.so @SRC@ && gcc -g -O1 -pthread -DPROGRAM -o @OUT@ @SRC@ -L@DIR@ -Wl,--no-as-needed -lown -Wl,-rpath,@DIR@
 * build: gcc -g -O1 -pthread -DALLOCATOR -DPROGRAM -rdynamic
 * check: bug kind=assert replays=3 : --
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef ALLOCATOR
static char memory[1 << 24] __attribute__((aligned(16)));
static size_t used;

void *malloc(size_t size)
{
	size_t at = __atomic_fetch_add(&used, (size + 31) & ~(size_t)15, __ATOMIC_SEQ_CST);
	*(size_t *)(memory + at) = size;
	return memory + at + 16;
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t n, size_t each)
{
	return malloc(n * each);
}

void *memalign(size_t align, size_t size)
{
	char *p = malloc(size + align + 16), *q = (char *)(((uintptr_t)p + 16 + align - 1) & -align);
	*(size_t *)(q - 16) = size;
	return q;
}

void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	*p = memalign(align, size);
	return 0;
}

void *realloc(void *old, size_t size)
{
	void *p = malloc(size);
	size_t had = old ? *(size_t *)((char *)old - 16) : 0;
	if (had)
		memcpy(p, old, had < size ? had : size);
	return p;
}
#endif

#ifdef PROGRAM
struct shared {
	int ready, data;
};

static void *give(void *arg)
{
	struct shared *s = arg;
	s->ready = 1;
	s->data = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct shared *s = calloc(1, sizeof *s);
	pthread_create(&t, NULL, give, s);
	assert(!s->ready || s->data);
	pthread_join(t, NULL);
	return 0;
}
#endif
