/*
 * Memory of files that simul sees only in part: a private and a shared mapping of one page, and calls on a file that is mapped. Nothing was said of it. The
 * verdict names it now, but only if several threads live. Shared mappings of one page are one memory (mapped_twice.c).
 *
 * check: complete never=except_for : -- mmap
 * check: complete never=except_for : -- mmap_in_thread
 * check: complete says=except_for_memory_that_is_mapped_at_two_addresses : -- private
 * check: complete never=except_for : -- mremap
 * check: complete never=except_for : -- moved
 * check: complete never=except_for : -- shmat
 * check: complete never=except_for : -- other_page
 * check: complete never=except_for : -- read_only
 * check: complete never=except_for : -- both_private
 * check: complete never=except_for : -- shmat_once
 * check: complete says=except_for_orders_of_calls_on_mapped_files : -- read
 * check: complete says=except_for_orders_of_calls_on_mapped_files : -- pread
 * check: complete says=except_for_orders_of_calls_on_mapped_files : -- write
 * check: complete says=except_for_orders_of_calls_on_mapped_files.*mapped.file.c.75 : -- pwrite
 * check: complete says=except_for_orders_of_calls_on_mapped_files : -- pwrite_private
 * check: complete says=except_for_orders_of_calls_on_mapped_files : -- fwrite
 * check: complete says=except_for_orders_of_calls_on_mapped_files : -- raw
 * check: complete never=except_for : -- read_private
 * check: complete never=except_for : -- read_read_only
 * check: complete never=except_for : -- length
 * check: complete never=except_for : -- before
 * check: complete never=except_for : -- unmapped
 * check: complete never=except_for : -- other_file
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

static int file, other;
static const char *how;
static volatile int *a, *b;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void *map(int prot, int flags, long offset)
{
	void *p = mmap(0, PAGE, prot, flags, file, offset);

	assert(p != MAP_FAILED);
	return p;
}

static void *run(void *unused)
{
	char c = 0;
	struct stat st;

	if (is("mmap_in_thread"))
		b = map(PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	else if (is("read") || is("read_private") || is("read_read_only") || is("unmapped"))
		read(file, &c, 1);
	else if (is("pread"))
		pread(file, &c, 1, 0);
	else if (is("write"))
		write(file, &c, 1);
	else if (is("pwrite") || is("pwrite_private"))
		pwrite(file, &c, 1, 0);
	else if (is("raw"))
		syscall(SYS_pwrite64, file, &c, 1, 0);
	else if (is("other_file"))
		pwrite(other, &c, 1, 0);
	else if (is("length"))
		fstat(file, &st), lseek(file, 0, SEEK_END);
	else if (is("fwrite")) {
		FILE *f = fdopen(file, "w");

		fputc(c, f);
		fclose(f);
	}
	return unused;
}

int main(int argc, char **argv)
{
	const int both = PROT_READ | PROT_WRITE;
	char path[] = "mapped_file.XXXXXX", c = 0;
	pthread_t t;

	how = argv[argc - 1];
	file = mkstemp(path);
	other = memfd_create("other", 0);
	unlink(path);
	ftruncate(file, 2 * PAGE);
	if (strstr(how, "read_only")) {
		char again[30];

		sprintf(again, "/proc/self/fd/%d", file);
		file = open(again, O_RDONLY);
	}
	a = map(strstr(how, "read_only") ? PROT_READ : both, strstr(how, "private") && !is("private") ? MAP_PRIVATE : MAP_SHARED, 0);
	if (is("mmap"))
		b = map(both, MAP_SHARED, 0);
	else if (is("private"))
		b = map(both, MAP_PRIVATE, 0);
	else if (is("both_private"))
		b = map(both, MAP_PRIVATE, 0);
	else if (is("read_only"))
		b = map(PROT_READ, MAP_SHARED, 0);
	else if (is("other_page"))
		b = map(both, MAP_SHARED, PAGE);
	else if (is("mremap"))
		b = mremap((void *)a, 0, PAGE, MREMAP_MAYMOVE);
	else if (is("moved")) { /* two pages; the first mapping grows to the second one */
		b = map(both, MAP_SHARED, PAGE);
		assert(mremap((void *)a, PAGE, 2 * PAGE, MREMAP_MAYMOVE) != MAP_FAILED);
	} else if (is("shmat") || is("shmat_once")) {
		int id = shmget(IPC_PRIVATE, PAGE, 0600);

		a = shmat(id, 0, 0);
		if (is("shmat"))
			b = shmat(id, 0, 0);
		shmctl(id, IPC_RMID, 0);
		assert(a != (void *)-1 && b != (void *)-1);
	} else if (is("before"))
		read(file, &c, 1);
	else if (is("unmapped"))
		munmap((void *)a, PAGE);
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
	return 0;
}
