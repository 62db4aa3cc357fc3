/* Threads that use four pages, two of them by two addresses, and make calls that change what is mapped there. An outcome has what the operations returned. mappings.py compares. */
#include "tests/lib/orders.h"

#include <fcntl.h>
#include <sys/mman.h>

#define PAGE 4096
#define BOTH (PROT_READ | PROT_WRITE)
#define NEW (MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED)

static int file;
static volatile char *a, *f, *g; /* two pages each: anonymous memory, and a file that is mapped twice with MAP_SHARED */

static char status(int result)
{
	return result ? '-' : '+';
}

static char mapped(const void *p)
{
	return p == MAP_FAILED ? '-' : '+';
}

static char seen(char value)
{
	return value ? value : '0';
}

static char set(volatile char *p, char to)
{
	*p = to;
	return '.';
}

/* Maps the file once more, and reads or writes its first page there. */
static char by_another(char op, char value)
{
	volatile char *p = mmap(0, PAGE, BOTH, MAP_SHARED, file, 0);

	if (p == MAP_FAILED)
		return '-';
	return op == 'r' ? seen(p[8]) : set(p + 8, value);
}

static char perform(int t, char op)
{
	char value = (char)('1' + t);

	switch (op) {
	case 'r': return seen(a[8]);
	case 'R': return seen(a[PAGE + 8]);
	case 'w': return set(a + 8, value);
	case 'W': return set(a + PAGE + 8, value);
	case 'u': return status(munmap((void *)a, PAGE));
	case 'U': return status(munmap((void *)a, 2 * PAGE));
	case 'm': return mapped(mmap((void *)a, PAGE, BOTH, NEW, -1, 0));
	case 'M': return mapped(mmap((void *)a, 2 * PAGE, BOTH, NEW, -1, 0));
	case 'p': return status(mprotect((void *)a, PAGE, PROT_NONE));
	case 'o': return status(mprotect((void *)a, PAGE, PROT_READ));
	case 'q': return status(mprotect((void *)a, PAGE, BOTH));
	case 'Q': return status(mprotect((void *)a, 2 * PAGE, BOTH));
	case 'd': return status(madvise((void *)a, PAGE, MADV_DONTNEED));
	case 'D': return status(madvise((void *)a, 2 * PAGE, MADV_DONTNEED));
	case 'v': return mapped(mremap((void *)a, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(a + PAGE)));
	case 's': return mapped(mremap((void *)a, 2 * PAGE, PAGE, 0));
	case 'x': return mapped(mremap((void *)a, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, (void *)(a + PAGE)));
	case 'f': return seen(f[8]);
	case 'F': return seen(f[PAGE + 8]);
	case 'g': return set(f + 8, value);
	case 'G': return set(f + PAGE + 8, value);
	case 't': return status(ftruncate(file, 0));
	case 'T': return status(ftruncate(file, PAGE));
	case 'e': return status(ftruncate(file, 2 * PAGE));
	case 'h': return status(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, PAGE, PAGE));
	case 'l': return status(posix_fallocate(file, 0, 2 * PAGE));
	case 'n': return status(munmap((void *)f, 2 * PAGE));
	case 'N': return mapped(mmap((void *)f, 2 * PAGE, BOTH, MAP_SHARED | MAP_FIXED, file, 0));
	case 'i': return seen(g[8]);
	case 'I': return seen(g[PAGE + 8]);
	case 'j': return set(g + 8, value);
	case 'J': return set(g + PAGE + 8, value);
	case 'k': return status(munmap((void *)g, 2 * PAGE));
	case 'b': return status(mprotect((void *)g, PAGE, PROT_READ));
	case 'B': return status(mprotect((void *)g, PAGE, BOTH));
	case 'z': return mapped(mmap((void *)g, PAGE, BOTH, NEW, -1, 0));
	case 'Z': return mapped(mmap((void *)g, 2 * PAGE, BOTH, MAP_SHARED | MAP_FIXED, file, 0));
	case 'c': return by_another('r', 0);
	case 'C': return by_another('w', value);
	case 'y': return mapped(mmap((void *)f, PAGE, BOTH, NEW, -1, 0));
	default: abort();
	}
}

static void prepare(void)
{
	a = mmap(0, 4 * PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	file = memfd_create("file", 0);
	must(a != MAP_FAILED && file >= 0 && ftruncate(file, 2 * PAGE) == 0, "memory");
	f = mmap(0, 2 * PAGE, BOTH, MAP_SHARED, file, 0);
	g = mmap(0, 2 * PAGE, BOTH, MAP_SHARED, file, 0);
	must(f != MAP_FAILED && g != MAP_FAILED, "mmap");
	a += PAGE; /* nothing else is beside these pages */
	for (int i = 0; i < 2; i++)
		a[i * PAGE + 8] = f[i * PAGE + 8] = 'i';
}

static void finish(int fd)
{
	char line[300] = "";

	for (int t = 0; t < n; t++)
		strcat(strcat(line, results[t]), " ");
	strcat(line, "\n");
	must(write(fd, line, strlen(line)) == (ssize_t)strlen(line), "write");
}
