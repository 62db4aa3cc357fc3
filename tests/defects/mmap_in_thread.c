/* Threads map memory, protect a page of it and unmap it, as each thread of Rust does. No execution could be rewound, so all were many times slower.
 * "leave": they leave it mapped, in parts, with contents that the next execution must not find. "old": they change memory that was mapped before the
 * first thread started, which no process
 * could undo.
 * check: complete traces=90 isolation=rewind : --
 * check: complete traces=90 isolation=rewind : -- leave
 * check: complete traces=90 isolation=rewind : -- old
 * long: complete traces=90 : --isolation fork -- leave
 * long: complete traces=90 : --isolation exec -- leave
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define THREADS 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static char *old, *seen[THREADS];

/* It is all zero, so nothing of an earlier execution is in it. */
static char *map(int pages)
{
	char *p = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED);
	return p;
}

static void leave_in_parts(int i)
{
	char *p = map(9), *q;
	for (int k = 0; k < 9; k++)
		assert(!p[k * PAGE]);
	memset(p, 'x', 9 * PAGE);
	assert(!munmap(p + 2 * PAGE, 2 * PAGE));
	assert(!mprotect(p + 5 * PAGE, PAGE, PROT_NONE));
	q = mmap(p + 6 * PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	assert(q == p + 6 * PAGE && !q[0] && p[0] == 'x' && p[4 * PAGE] == 'x');
	assert(!madvise(p + 7 * PAGE, PAGE, MADV_DONTNEED) && !p[7 * PAGE]);
	assert(!munmap(p + 8 * PAGE, PAGE));
	seen[i] = p;
}

static void *work(void *which)
{
	int i = (int)(long)which;
	char *p;
	for (int k = 0; k < 2; k++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	if (!strcmp(how, "leave")) {
		leave_in_parts(i);
	} else if (!strcmp(how, "old")) {
		assert(!mprotect(old, PAGE, PROT_READ));
	} else {
		p = map(3);
		assert(!mprotect(p, PAGE, PROT_NONE) && !munmap(p, 3 * PAGE));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[THREADS];
	how = argc > 1 ? argv[1] : "unmap";
	old = map(2);
	old[0] = 'o';
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	assert(old[0] == 'o');
	if (strcmp(how, "leave"))
		return 0;
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < i; k++)
			assert(seen[i] != seen[k]);
	return 0;
}
