/*
 * pages HOW: four megabytes are filled before the first thread exists. Each execution writes to 16 of their pages, which depend on the
 * order of the threads, and must find the original contents there. HOW says what else it does:
 *   order    nothing                huge     the memory was asked to be of huge pages
 *   shared   writes to shared memory beside them, too
 *   stack    needs half a megabyte more of the first thread's stack, each time
 *   read     lets the kernel write to them (pread)
 *   away     gives some of them back to the kernel (madvise), so that they are 0
 *   protect  changes their protection, and changes it back
 *   move     moves them (mremap)    process  starts a process, which writes to them as well
 */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "check.h"

#define BYTES (4u << 20)
#define PAGE 4096u
#define SOME 16u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;
static volatile unsigned char *memory;

static void *rounds(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		order = order * 31 + (unsigned)(uintptr_t)arg;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static unsigned char at_first(unsigned at)
{
	return (unsigned char)(at / PAGE * 7 + 1);
}

static void write_some(unsigned at, unsigned char by)
{
	for (unsigned i = at; i < at + SOME * PAGE; i += PAGE) {
		CHECK(memory[i] == at_first(i));
		memory[i] += by;
	}
}

static int __attribute__((noinline)) deep(void)
{
	volatile char room[512 << 10];

	for (unsigned i = 0; i < sizeof(room); i += PAGE)
		room[i] = (char)i;
	return room[PAGE];
}

static void act(const char *how, unsigned at)
{
	void *p = (void *)(memory + at);

	if (!strcmp(how, "stack")) {
		CHECK(deep() == 0);
	} else if (!strcmp(how, "read")) {
		int fd = open("/dev/zero", O_RDONLY);
		CHECK(fd >= 0 && pread(fd, p, SOME * PAGE, 0) == SOME * PAGE && close(fd) == 0 && memory[at] == 0);
	} else if (!strcmp(how, "away")) {
		CHECK(madvise(p, SOME * PAGE, MADV_DONTNEED) == 0 && memory[at] == 0);
	} else if (!strcmp(how, "protect")) {
		CHECK(mprotect(p, SOME * PAGE, PROT_READ) == 0 && mprotect(p, SOME * PAGE, PROT_READ | PROT_WRITE) == 0);
	} else if (!strcmp(how, "move")) {
		unsigned char *q = mremap((void *)memory, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, memory + 16 * BYTES);
		CHECK(q == memory + 16 * BYTES);
		memory = q;
	} else if (!strcmp(how, "process")) {
		pid_t pid = fork();
		if (pid == 0) {
			write_some(at, 2);
			_exit(0);
		}
		int status;
		CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[3];
	const char *how = argv[1];
	unsigned *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned char *all = mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(all != MAP_FAILED && shared != MAP_FAILED);
	memory = all + (-(uintptr_t)all & (BYTES - 1));
	if (!strcmp(how, "huge"))
		madvise((void *)memory, BYTES, MADV_HUGEPAGE); /* may be switched off */
	for (unsigned i = 0; i < BYTES; i += PAGE)
		memory[i] = at_first(i);
	for (uintptr_t i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, rounds, (void *)(i + 1)) == 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	unsigned at = order * 2654435761u % (BYTES / PAGE - SOME) * PAGE;
	if (!strcmp(how, "shared"))
		shared[at % 8]++;
	if (strcmp(how, "process"))
		write_some(at, 1);
	act(how, at);
	return 0;
}
