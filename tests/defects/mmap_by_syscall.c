/* A library defines mmap, munmap and mremap itself and makes them with syscall(), as tcmalloc does. The first call recursed until the stack was full.
 * build: gcc -g -O1 -pthread -DLIBRARY -fPIC -shared -o @DIR@/libmaps.so @SRC@ && gcc -g -O1 -pthread -o @OUT@ @SRC@ -L@DIR@ -Wl,--no-as-needed -lmaps -Wl,-rpath,@DIR@
 * check: complete traces=90 isolation=rewind : --
 * check: complete traces=90 : -- move
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

#ifdef LIBRARY
int wrapped;

void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	wrapped++;
	return (void *)syscall(SYS_mmap, addr, size, prot, flags, fd, offset);
}

int munmap(void *addr, size_t size)
{
	return (int)syscall(SYS_munmap, addr, size);
}

void *mremap(void *addr, size_t size, size_t new_size, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	void *at = flags & MREMAP_FIXED ? va_arg(ap, void *) : NULL;
	va_end(ap);
	return (void *)syscall(SYS_mremap, addr, size, new_size, flags, at);
}
#else
extern int wrapped;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int move;

static void *work(void *unused)
{
	char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED && !p[0]);
	p[0] = 'x';
	for (int k = 0; k < 2; k++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	if (move)
		p = mremap(p, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
	assert(p != MAP_FAILED && p[0] == 'x');
	assert(!munmap(p, PAGE));
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	move = argc > 1 && !strcmp(argv[1], "move");
	assert(p != MAP_FAILED && wrapped == 1 && !munmap(p, PAGE));
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	work(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
#endif
