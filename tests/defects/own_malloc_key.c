/* An allocator of the program's own, as jemalloc is. Its first call sets a value of the thread. The loader made that call while simul
 * looked up functions, before simul knew the thread. The program ended with a segmentation fault in libsimul.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -DLIB -shared -fPIC -o @DIR@/libownmalloc.so @SRC@ && gcc -g -O1 -pthread -DPROGRAM -o @OUT@ @SRC@ -L@DIR@ -lownmalloc -Wl,-rpath,@DIR@
 * check: complete traces=1 : --
 * check: complete traces=1 : --isolation exec --
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern pthread_key_t key;
extern int begun;

#ifndef PROGRAM
pthread_key_t key;
int begun;
static char memory[64 << 20];
static uint64_t used;

static void begin(void)
{
	struct timespec now;

	begun = 1;
	begun += !pthread_key_create(&key, NULL) && !pthread_setspecific(key, &key);
	begun += !clock_gettime(CLOCK_MONOTONIC, &now);
	begun += sbrk(0) != NULL;
}

static void *take(uint64_t size, uint64_t align)
{
	if (!begun)
		begin();
	uint64_t at = (__atomic_fetch_add(&used, size + align + 16, __ATOMIC_RELAXED) + 16 + align - 1) & -align;
	if (at + size > sizeof(memory))
		return NULL;
	memcpy(memory + at - 8, &size, 8);
	return memory + at;
}

void *malloc(size_t size)
{
	return take(size, 16);
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t n, size_t size)
{
	return take(n * size, 16); /* never used before, so zero */
}

void *realloc(void *p, size_t size)
{
	uint64_t old = 0;
	void *q = take(size, 16);

	if (p && q) {
		memcpy(&old, (char *)p - 8, 8);
		memcpy(q, p, old < size ? old : size);
	}
	return q;
}

void *memalign(size_t align, size_t size)
{
	return take(size, align);
}

void *aligned_alloc(size_t align, size_t size)
{
	return take(size, align);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	*p = take(size, align);
	return 0;
}
#endif

#ifndef LIB
static void *thread(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t t;

	assert(malloc(1) && begun == 4 && pthread_getspecific(key) == &key);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
#endif
