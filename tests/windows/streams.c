/* Threads open a device through a stream, count, close it, and discard a page of theirs that they have written to.
   At its end, each discards another page, which it has written to at its beginning. So the descriptors and the
   memory of an execution change all the time, at each place where a window can begin. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#define ROUNDS 50

static int total;

static void *worker(void *arg)
{
	unsigned char *page = arg, *kept = page + 4096, c;
	*kept = 1;
	for (int i = 0; i < ROUNDS; i++) {
		FILE *f = fopen("/dev/zero", "r");
		assert(f && fread(&c, 1, 1, f) == 1 && !c);
		__atomic_add_fetch(&total, 1, __ATOMIC_SEQ_CST);
		fclose(f);
		assert(*kept && *page == i % 4);
		if (++*page == 4) {
			assert(!madvise(page, 4096, MADV_DONTNEED));
			assert(!*page);
		}
	}
	assert(!madvise(kept, 4096, MADV_DONTNEED));
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	char *pages = mmap(NULL, 6 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(pages != MAP_FAILED);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, pages + i * 8192);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(total == 3 * ROUNDS);
	return 0;
}
