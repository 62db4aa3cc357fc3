#include "preload/base/maps.h"

#include <fcntl.h>
#include <string.h>

#include "preload/base/sys.h"
#include "preload/base/rules.h"

static bool open_at(struct maps *m, const char *path)
{
	m->at = m->end = 0;
	m->fd = (int)sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	return m->fd >= 0;
}

bool maps_open(struct maps *m)
{
	return open_at(m, "/proc/self/maps");
}

bool maps_open_of(struct maps *m, const char *pid)
{
	char path[32] = "/proc/";
	size_t n = strlen(pid);
	m->fd = -1;
	if (n > 10)
		return false;
	memcpy(path + 6, pid, n);
	memcpy(path + 6 + n, "/maps", 6);
	return open_at(m, path);
}

void maps_close(struct maps *m)
{
	if (m->fd >= 0)
		sys_close(m->fd);
}

/* The next byte, or -1. */
static int next_byte(struct maps *m)
{
	if (m->at == m->end) {
		ssize_t n = sys_read(m->fd, m->buf, sizeof m->buf);
		if (n <= 0)
			return -1;
		m->at = 0;
		m->end = (size_t)n;
	}
	return (unsigned char)m->buf[m->at++];
}

static uint64_t hex(struct maps *m, int *last)
{
	uint64_t v = 0;
	int c;
	while ((c = next_byte(m)) > ' ' && c != '-' && c != ':')
		v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	*last = c;
	return v;
}

/* The offset, the device and the inode: "00000000 fd:01 1234". */
static void read_file(struct maps *m, struct mapping *out)
{
	int c = next_byte(m); /* the space before the offset */
	out->offset = hex(m, &c);
	out->dev = hex(m, &c) << 32;
	out->dev |= hex(m, &c);
	out->ino = 0;
	while ((c = next_byte(m)) >= '0' && c <= '9')
		out->ino = out->ino * 10 + (uint64_t)(c - '0');
	out->name[0] = 0;
	while (c == ' ')
		c = next_byte(m);
	size_t n = 0;
	for (; c != '\n' && c != -1; c = next_byte(m))
		if (n < sizeof out->name - 1)
			out->name[n++] = (char)c;
	out->name[n] = 0;
}

bool maps_next(struct maps *m, struct mapping *out)
{
	int c;
	out->lo = hex(m, &c);
	out->hi = hex(m, &c);
	if (c != ' ')
		return false;
	out->readable = next_byte(m) == 'r';
	out->writable = next_byte(m) == 'w';
	out->executable = next_byte(m) == 'x';
	out->shared = next_byte(m) == 's';
	read_file(m, out);
	out->stack = !strcmp(out->name, "[stack]");
	return true;
}

int pages_open(void)
{
	return (int)sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
}

uint64_t pages_read(int fd, uint64_t lo, uint64_t n, uint64_t *entry)
{
	long got = sys_call4(SYS_pread64, fd, (long)entry, (long)(n * 8), (long)(lo / PAGE_BYTES * 8));
	return got > 0 ? (uint64_t)got / 8 : 0;
}
