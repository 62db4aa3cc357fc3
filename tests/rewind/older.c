/*
 * older HOW: executions change private mappings from before the first thread. Each must find them as they were, and the calls must have the
 * effects that they have natively. HOW:
 *   unmap     unmaps all of a mapping; its place is free afterwards
 *   holes     unmaps parts that overlap                  several   unmaps several mappings with one call
 *   replace   maps over a part                           refused   asks to map over a part in a way that the kernel refuses
 *   again     unmaps a part, maps there and unmaps that  large     unmaps a gigabyte
 *   file      unmaps and replaces parts of a private mapping of a file
 *   protect   makes a part inaccessible and unmaps it    discard   discards a part (madvise)
 *   shared    unmaps shared memory: such executions are not rewound
 *   use       unmaps a part in one thread and reads it in another: a bug
 *   commit    makes reserved memory writable: such executions are not rewound
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define PAGE 4096u
#define PAGES 64u
#define LARGE (1u << 30)

static unsigned char *memory, *file, *reserved, *large, *shared;

static unsigned char at_first(unsigned page)
{
	return (unsigned char)(page * 7 + 1);
}

static bool mapped(const void *p)
{
	unsigned char in;
	return mincore((void *)p, PAGE, &in) == 0 || errno != ENOMEM;
}

static void *map(void *at, unsigned pages, int flags)
{
	return mmap(at, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void unmap(unsigned char *p, unsigned from, unsigned to)
{
	CHECK(munmap(p + from * PAGE, (to - from) * PAGE) == 0 && !mapped(p + from * PAGE) && !mapped(p + (to - 1) * PAGE));
}

static void check_all(const unsigned char *p)
{
	for (unsigned i = 0; i < PAGES; i++)
		CHECK(p[i * PAGE] == at_first(i) && p[i * PAGE + PAGE - 1] == at_first(i));
}

static void act(const char *how)
{
	if (!strcmp(how, "unmap")) {
		unmap(memory, 0, PAGES);
		CHECK(mprotect(memory, PAGE, PROT_READ) == -1 && errno == ENOMEM);
		CHECK(munmap(memory, PAGE) == 0); /* nothing is mapped there: no error */
	} else if (!strcmp(how, "holes")) {
		memory[8 * PAGE] = 0;
		unmap(memory, 8, 16);
		unmap(memory, 24, 32);
		unmap(memory, 4, 40);
		CHECK(memory[3 * PAGE] == at_first(3) && memory[40 * PAGE] == at_first(40));
	} else if (!strcmp(how, "several")) {
		CHECK(mprotect(memory + 8 * PAGE, PAGE, PROT_NONE) == 0);
		unmap(memory, 0, PAGES / 2);
		unmap(memory, 0, PAGES);
	} else if (!strcmp(how, "replace")) {
		memory[9 * PAGE] = 3;
		CHECK(map(memory + 8 * PAGE, 4, MAP_FIXED_NOREPLACE) == MAP_FAILED && errno == EEXIST && memory[9 * PAGE] == 3);
		CHECK(map(memory + 8 * PAGE, 4, MAP_FIXED) == memory + 8 * PAGE && memory[9 * PAGE] == 0);
		memory[9 * PAGE] = 4;
	} else if (!strcmp(how, "refused")) {
		CHECK(mmap(memory, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, 0x7fff, 0) == MAP_FAILED);
		CHECK(mmap(memory, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 1) == MAP_FAILED);
		CHECK(munmap(memory + 1, PAGE) == -1 && munmap(memory, 0) == -1);
		check_all(memory);
	} else if (!strcmp(how, "again")) {
		unmap(memory, 8, 16);
		CHECK(map(memory + 8 * PAGE, 4, MAP_FIXED_NOREPLACE) == memory + 8 * PAGE && memory[8 * PAGE] == 0);
		memory[8 * PAGE] = 5;
		unmap(memory, 8, 12);
		CHECK(map(memory + 6 * PAGE, 1, MAP_FIXED) == memory + 6 * PAGE && memory[6 * PAGE] == 0);
		CHECK(map(memory + 15 * PAGE, 1, 0) == memory + 15 * PAGE); /* as wished */
	} else if (!strcmp(how, "large")) {
		CHECK(large[LARGE - 1] == 9);
		CHECK(munmap(large, LARGE) == 0 && !mapped(large) && !mapped(large + LARGE - PAGE));
	} else if (!strcmp(how, "file")) {
		file[5 * PAGE] = 77;
		unmap(file, 4, 8);
		CHECK(map(file + 20 * PAGE, 2, MAP_FIXED) == file + 20 * PAGE && file[20 * PAGE] == 0);
	} else if (!strcmp(how, "protect")) {
		memory[8 * PAGE] = 6;
		CHECK(mprotect(memory + 8 * PAGE, 8 * PAGE, PROT_NONE) == 0 && mprotect(memory + 12 * PAGE, 2 * PAGE, PROT_READ) == 0);
		CHECK(memory[12 * PAGE] == at_first(12));
		unmap(memory, 10, 13);
	} else if (!strcmp(how, "discard")) {
		CHECK(madvise(memory + 8 * PAGE, 8 * PAGE, MADV_DONTNEED) == 0 && memory[8 * PAGE] == 0 && memory[16 * PAGE] == at_first(16));
		memory[9 * PAGE] = 1;
		CHECK(madvise(file, 2 * PAGE, MADV_DONTNEED) == 0 && file[0] == at_first(0));
		CHECK(madvise(memory + 32 * PAGE, PAGE, MADV_FREE) == 0);
		CHECK(madvise(memory, PAGES * PAGE, MADV_RANDOM) == 0);
	} else if (!strcmp(how, "shared")) {
		unmap(shared, 0, 4);
	} else if (!strcmp(how, "commit")) {
		CHECK(mprotect(reserved, PAGE, PROT_READ | PROT_WRITE) == 0 && reserved[0] == 0);
		reserved[0] = 1;
	}
}

static const char *how;

static void *body(void *arg)
{
	take_turns(3);
	if (!strcmp(how, "use")) {
		if (arg)
			munmap(memory + PAGE, PAGE);
		else
			CHECK(memory[PAGE] == at_first(1));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	char name[] = "/tmp/simul-older-XXXXXX";
	int fd = mkstemp(name);

	how = argv[1];
	memory = map(NULL, PAGES, 0);
	reserved = mmap(NULL, 8 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	large = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	shared = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(fd >= 0 && unlink(name) == 0 && memory != MAP_FAILED && reserved != MAP_FAILED && large != MAP_FAILED && shared != MAP_FAILED);
	for (unsigned i = 0; i < PAGES; i++)
		memset(memory + i * PAGE, at_first(i), PAGE);
	large[LARGE - 1] = 9;
	CHECK(write(fd, memory, PAGES * PAGE) == (ssize_t)(PAGES * PAGE));
	file = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	CHECK(file != MAP_FAILED);
	if (!strcmp(how, "several"))
		CHECK(mprotect(memory + 16 * PAGE, 8 * PAGE, PROT_READ) == 0);
	run_two(body);
	if (strcmp(how, "use")) {
		check_all(memory);
		check_all(file);
	}
	act(how);
	return 0;
}
