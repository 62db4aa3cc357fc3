#include "cli/segment/common_memory.h"
#include "cli/base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "sched/ids.h"
#include "sched/section.h"

#define PAGE UINT64_C(4096)

static uint64_t whole_pages(uint64_t n)
{
	return (n + PAGE - 1) / PAGE * PAGE;
}

int memory_of_size(const char *name, uint64_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), error;

	if (fd < 0 || (!ftruncate(fd, (off_t)bytes) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

bool common_memory_open(struct common_memory *c, uint64_t memory, char *why, size_t size)
{
	c->names = whole_pages(sizeof(struct session_common));
	c->names_size = whole_pages(sizeof(struct thread_names));
	c->sections = c->names + c->names_size;
	c->search = c->sections + whole_pages(sizeof(struct section_table));
	c->search_size = whole_pages(memory);
	c->size = c->search + c->search_size;
	c->fd = memory_of_size("simul-common", c->size);
	if (c->fd >= 0) {
		struct thread_names *names = mmap(NULL, c->names_size, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, (off_t)c->names);

		if (names != MAP_FAILED) {
			thread_names_init(names);
			munmap(names, c->names_size);
			return true;
		}
	}
	text_set(why, size, "cannot create the memory that workers share: %s%s%s", strerror(errno), limit_hint(errno),
		errno == EFBIG ? "" : "; try --jobs 1");
	common_memory_close(c);
	return false;
}

void common_memory_close(struct common_memory *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void common_memory_place(const struct common_memory *c, struct session_layout *l)
{
	l->common_off = l->size;
	l->common_size = c->size;
	l->common_names = c->names;
	l->names_size = c->names_size;
	l->sections_off = l->common_off + c->sections;
	l->common_search_off = l->common_off + c->search;
	l->common_search_size = c->search_size;
}

static bool put(char *at, uint64_t bytes, int fd, uint64_t off)
{
	return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)off) == at;
}

void *common_memory_map(const struct common_memory *c, int segment_fd, const struct session_layout *l)
{
	uint64_t size = l->size + l->common_size;
	char *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int error;

	if (at == MAP_FAILED)
		return NULL;
	if (put(at, l->size, segment_fd, 0) && put(at + l->common_off, l->common_size, c->fd, 0) &&
		put(at + l->names_off, c->names_size, c->fd, c->names))
		return at;
	error = errno;
	munmap(at, size);
	errno = error;
	return NULL;
}

bool common_memory_clear(const struct common_memory *c)
{
	return fallocate(c->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)c->search, (off_t)c->search_size) == 0;
}
