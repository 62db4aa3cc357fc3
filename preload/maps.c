#include "preload/maps.h"

#include <fcntl.h>
#include <string.h>

#include "preload/sys.h"
#include "preload/rules.h"

bool maps_open(struct maps *m)
{
	m->at = m->end = 0;
	m->fd = (int)sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	return m->fd >= 0;
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
	while ((c = next_byte(m)) > ' ' && c != '-')
		v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	*last = c;
	return v;
}

/* Is what is left of the line the name of the stack? */
static bool rest_is_stack(struct maps *m)
{
	static const char name[] = "[stack]\n";
	size_t same = 0;
	int c;
	do {
		c = next_byte(m);
		same = same < sizeof name - 1 && c == name[same] ? same + 1 : c == name[0];
	} while (c != '\n' && c != -1);
	return same == sizeof name - 1;
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
	out->stack = rest_is_stack(m);
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
