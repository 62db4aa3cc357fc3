/*
 * Writes over one of the writable mappings that belong only to simul: those in /proc/self/maps without the mappings of the program, its stacks
 * and heaps, libc and the dynamic linker. Natively there is none. Two threads also have a bug, which every undisturbed search finds. So no
 * search with the write may end without a bug.
 *
 *   wild list                       names the mappings
 *   wild NUMBER KIND SEED [late]    writes over mapping NUMBER modulo their number; late: after the threads were joined
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 400
#define LONGEST (64ul << 20)

static int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned number, kind, seed;
static int late;

static struct {
	unsigned long lo, hi;
	char name[80];
} found[MOST];
static unsigned n;

static int holds(unsigned long lo, unsigned long hi, const void *p)
{
	return (unsigned long)p >= lo && (unsigned long)p < hi;
}

/* Shared memory also has the name of a file. */
static int is_file(const char *name)
{
	return name[0] == '/' && !strstr(name, "/memfd:") && strcmp(name, "/dev/zero");
}

static void *stack[3]; /* an address in each */

/* Returns whether the program has this mapping without simul too. The dynamic linker has small ones without a name. */
static int native(unsigned long lo, unsigned long hi, const char *name, unsigned long last_hi, int last_native)
{
	static void *block;

	block = block ? block : malloc(16);
	if (strstr(name, "libsimul"))
		return 0;
	if (is_file(name))
		return 1;
	if (name[0] == '[')
		return 1;
	for (int i = 0; i < 3; i++)
		if (holds(lo, hi, stack[i]))
			return 1;
	if (lo == last_hi && last_native >= 0)
		return last_native; /* variables of a library */
	return holds(lo, hi, &x) || holds(lo, hi, (void *)pthread_self()) || holds(lo, hi, block) || (!name[0] && hi - lo <= 3 * 4096);
}

static void look(void)
{
	static char text[400000];
	int fd = open("/proc/self/maps", O_RDONLY), length = 0, r, last_native = -1; /* -1: the last mapping was no file */
	unsigned long last_hi = 0;

	while ((r = (int)read(fd, text + length, sizeof(text) - 1 - (size_t)length)) > 0)
		length += r;
	close(fd);
	text[length] = 0;
	n = 0;
	for (char *line = text; line && *line;) {
		char *end = strchr(line, '\n'), access[8], name[80] = "";
		unsigned long lo, hi;

		if (end)
			*end = 0;
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %79s", &lo, &hi, access, name) >= 3) {
			int own = native(lo, hi, name, last_hi, last_native);

			if (access[1] == 'w' && n < MOST && !own) {
				found[n].lo = lo;
				found[n].hi = hi;
				strcpy(found[n++].name, name);
			}
			last_hi = hi;
			last_native = is_file(name) ? own : -1;
		}
		line = end ? end + 1 : NULL;
	}
}

static unsigned next_random(void)
{
	return seed = seed * 1103515245 + 12345;
}

/* Returns a word that is not zero; the seed says which. */
static volatile unsigned *used(volatile char *a, unsigned long length)
{
	volatile unsigned *w = (volatile unsigned *)a;
	unsigned long words = length / sizeof(*w), many = 0, which, i;

	for (i = 0; i < words; i++)
		many += w[i] != 0;
	which = many ? (seed * 2654435761u >> 8) % many : 0;
	for (i = 0; i + 1 < words && !(w[i] && which-- == 0); i++)
		;
	return w + i;
}

static void write_over(volatile char *a, unsigned long length)
{
	unsigned long i;

	switch (kind % 12) {
	case 0: /* all of it */
		for (i = 0; i < length; i += 8)
			*(volatile unsigned long *)(a + i) = 0;
		break;
	case 1:
		for (i = 0; i < length; i++)
			a[i] = -1;
		break;
	case 2:
		for (i = 0; i < length; i += 8)
			*(volatile unsigned *)(a + i) = next_random();
		break;
	case 3: /* scattered bytes */
		for (i = 0; i < 20; i++)
			a[(((unsigned long)next_random() << 12) ^ seed >> 3) % length] = (char)(seed >> 16);
		break;
	case 4: /* the first page */
		for (i = 0; i < length && i < 4096; i += 4)
			*(volatile unsigned *)(a + i) = 0x41414141;
		break;
	case 5: /* a word in each page */
		for (i = 0; i < length; i += 4096)
			*(volatile unsigned long *)(a + i + seed * 8 % 4096) = 0x7fffffffffffffff;
		break;
	case 6: /* adds */
		for (i = 0; i < length / 512; i++)
			++*(volatile unsigned *)(a + ((((unsigned long)next_random() << 12) ^ seed >> 3) % length & ~3ul));
		break;
	case 7: /* every 16th page */
		for (i = seed % 16 * 4096; i < length; i += 16 * 4096)
			for (unsigned long j = 0; j < 4096; j += 4)
				*(volatile unsigned *)(a + i + j) = (unsigned)(i + j);
		break;
	case 8: /* by the kernel, which no sensor sees */
		(void)!pread(open("/proc/self/exe", O_RDONLY), (char *)a, length, 0);
		break;
	case 9: /* one word that is in use */
		*used(a, length) = 0;
		break;
	case 10:
		*used(a, length) = 1;
		break;
	case 11:
		++*used(a, length);
		break;
	}
}

static void wild(void)
{
	look();
	if (!n)
		return;
	unsigned long length = found[number % n].hi - found[number % n].lo;

	write_over((volatile char *)found[number % n].lo, length < LONGEST ? length : LONGEST);
}

/* The lock makes the bug visible without memory accesses, too. */
static void set(int *p)
{
	pthread_mutex_lock(&lock);
	*p = 1;
	pthread_mutex_unlock(&lock);
}

static void *get(const int *p)
{
	pthread_mutex_lock(&lock);
	long value = *p;
	pthread_mutex_unlock(&lock);
	return (void *)value;
}

static void *first(void *unused)
{
	stack[1] = &unused;
	set(&x);
	if (!late)
		wild();
	return get(&y);
}

static void *second(void *unused)
{
	stack[2] = &unused;
	set(&y);
	return get(&x);
}

int main(int argc, char **argv)
{
	int list = argc == 2 && !strcmp(argv[1], "list");
	pthread_t a, b;
	void *r, *s;

	stack[0] = &a;
	number = argc > 3 ? (unsigned)atoi(argv[1]) : 0;
	kind = argc > 3 ? (unsigned)atoi(argv[2]) : 0;
	seed = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	late = argc != 4;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, &r);
	pthread_join(b, &s);
	if (list) {
		look();
		for (unsigned i = 0; i < n; i++)
			fprintf(stderr, "%u %lx-%lx %s\n", i, found[i].lo, found[i].hi, found[i].name);
	} else if (late) {
		wild();
	}
	assert(!(r && s));
	return 0;
}
