/* See landing.h. */
#include "preload/accesses/landing.h"

#include <limits.h>
#include <sys/mman.h>

#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/memory/aliases.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define PAGE 4096u

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static const struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

void range_touch(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	unsigned kind = flags & MEM_ATOMIC ? flags : flags | MEM_PLAIN;
	struct mem_access a = { .addr = (uintptr_t)p, .size = n, .flags = kind, .pc = pc };

	if (n && mem_note_call(a.addr, n, a.flags, pc))
		mem_perform(&a);
}

bool range_is_shared(const void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p, end = at + n;

	while (at < end) {
		uintptr_t next = (at | (PAGE - 1)) + 1;

		next = next < end ? next : end;
		if (memory_page_find(table(), alias_key(at)) && mem_is_visible(at, next - at))
			return true;
		at = next;
	}
	return false;
}

void range_vectors_read(const struct iovec *v, size_t n, uintptr_t pc)
{
	range_touch(v, v ? n * sizeof(*v) : 0, MEM_READ, pc);
	for (size_t i = 0; v && i < n; i++)
		range_touch(v[i].iov_base, v[i].iov_len, MEM_READ, pc);
}

void range_vectors_write(const struct iovec *v, size_t n, uintptr_t pc)
{
	range_touch(v, v ? n * sizeof(*v) : 0, MEM_READ, pc);
	for (size_t i = 0; v && i < n; i++)
		if (range_is_shared(v[i].iov_base, v[i].iov_len))
			range_touch(v[i].iov_base, v[i].iov_len, MEM_WRITE, pc);
}

void range_vectors_written(const struct iovec *v, size_t n, ssize_t got, uintptr_t pc)
{
	size_t left = got > 0 ? (size_t)got : 0;

	for (size_t i = 0; v && i < n && left; i++) {
		size_t part = least(v[i].iov_len, left);

		if (!range_is_shared(v[i].iov_base, v[i].iov_len))
			range_touch(v[i].iov_base, part, MEM_WRITE, pc);
		left -= part;
	}
}

void *landing_begin(struct landing *l, void *to, size_t n, uintptr_t pc)
{
	l->to = l->at = to;
	l->n = n;
	l->reported = false;
	if (!watched() || !n || !range_is_shared(to, n))
		return to;
	l->at = n <= KEPT ? l->bytes : sys_mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sys_failed((long)l->at)) {
		range_touch(to, n, MEM_WRITE, pc);
		l->reported = true;
		l->at = to;
	}
	return l->at;
}

void landing_end(struct landing *l, ssize_t got, uintptr_t pc)
{
	size_t n = got > 0 ? least((size_t)got, l->n) : 0;

	if (l->at != l->to && n)
		range_put(l->to, l->at, n, pc);
	else if (watched() && n && !l->reported)
		range_touch(l->to, n, MEM_WRITE, pc);
	if (l->at != l->to && l->at != l->bytes)
		sys_munmap(l->at, l->n);
}

/* Returns the size of all pieces if the call can use one buffer instead, else 0. The kernel rejects more than IOV_MAX
   pieces and sizes that overflow; such calls must reach it unchanged. */
static size_t size_for_buffer(const struct iovec *v, size_t n)
{
	size_t total = 0;
	bool shared = false;

	if (!v || n > IOV_MAX)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (v[i].iov_len > INT_MAX || total > INT_MAX)
			return 0;
		total += v[i].iov_len;
		shared |= range_is_shared(v[i].iov_base, v[i].iov_len);
	}
	return shared ? total : 0;
}

const struct iovec *vector_landing_begin(struct vector_landing *l, const struct iovec *to, size_t *n, uintptr_t pc)
{
	*l = (struct vector_landing){ .to = to, .n = *n };
	if (!watched())
		return to;
	size_t total = size_for_buffer(to, *n);
	void *at = total ? sys_mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;

	if (!total || sys_failed((long)at)) {
		if (*n <= IOV_MAX)
			range_vectors_write(to, *n, pc);
		return to;
	}
	range_touch(to, *n * sizeof(*to), MEM_READ, pc);
	l->buffer = (struct iovec){ at, total };
	*n = 1;
	return &l->buffer;
}

void vector_landing_end(struct vector_landing *l, ssize_t got, uintptr_t pc)
{
	size_t left = got > 0 ? (size_t)got : 0;
	const char *from = l->buffer.iov_base;

	if (!from) {
		if (watched())
			range_vectors_written(l->to, l->n, got, pc);
		return;
	}
	for (size_t i = 0; i < l->n && left; i++) {
		size_t part = least(l->to[i].iov_len, left);

		if (part)
			range_put(l->to[i].iov_base, from, part, pc);
		from += part;
		left -= part;
	}
	sys_munmap(l->buffer.iov_base, l->buffer.iov_len);
}
