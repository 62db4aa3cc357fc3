/* Reports the accesses of calls of libc; see accesses.h. */
#include "preload/libc/accesses.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "preload/control/ctl.h"
#include "preload/accesses/landing.h"
#include "preload/memory/constants.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/failure/stack.h"
#include "preload/kernel/effects.h"
#include "preload/memory/child_reads.h"
#include "preload/base/rules.h"

#define ALL SIZE_MAX
#define ENORMOUS ((size_t)1 << 46) /* a size larger than any memory: either the call fails, or it accesses fewer bytes */

/* Memory of libc to which a function returned a pointer. The next call of the function writes to the same memory. */
static struct {
	void *p;
	size_t n;
} latest[LIBC_OBJECTS];

/* ---- arguments ---- */

uint64_t libc_argument(const struct libc_call *c, unsigned i)
{
	switch (i) {
	case STDIN:
		return (uint64_t)stdin;
	case STDOUT:
		return (uint64_t)stdout;
	case STDERR:
		return (uint64_t)stderr;
	}
	return i < 6 ? c->arg[i] : c->stack[i - 6];
}

/* Returns argument i as a size; with AS_INT, a negative int is 0. */
static size_t number(const struct libc_call *c, unsigned i)
{
	uint64_t x = libc_argument(c, i & ~AS_INT);

	if (!(i & AS_INT))
		return x;
	return (int)x > 0 ? (size_t)(int)x : 0;
}

size_t libc_size(const struct libc_call *c, const struct role *r)
{
	size_t n = 1, a;

	if (r->a == NO_ARG)
		return r->k;
	a = number(c, r->a);
	if (!r->k)
		return (a + 4095) / 4096;
	if (r->b != NO_ARG)
		n = number(c, r->b);
	if (__builtin_mul_overflow(n, a, &n) || __builtin_mul_overflow(n, (size_t)r->k, &n))
		return ALL;
	return n;
}

static size_t size_at(const struct libc_call *c, const struct role *r, const void *p)
{
	if (r->a == NO_ARG && r->k == 0xfffe)
		return real_strlen(p) + 1;
	if (r->a == NO_ARG && r->k == 0xffff)
		return (real_wcslen(p) + 1) * sizeof(wchar_t);
	return libc_size(c, r);
}

/* The last addresses stand for something else (FE_DFL_ENV). */
void libc_touch(const void *p, size_t n, unsigned flags, uintptr_t pc)
{
	if (p && (uintptr_t)p < -(uintptr_t)4096 && n < ENORMOUS)
		range_touch(p, n, flags, pc);
}

/* ---- numbers ---- */

static bool in_number(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.' || c == ',' ||
		c == '(' || c == ')' || c == '_' || c == '\'';
}

static bool is_space(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reports the read of a number and the character after it. */
static void number_read(const void *s, size_t unit, uintptr_t pc)
{
	bool begun = false;
	size_t k = 0;

	if (!s)
		return;
	for (;; k++) {
		uint32_t ch = unit == 1 ? ((const unsigned char *)s)[k] : ((const uint32_t *)s)[k];

		begun |= !is_space(ch);
		if (begun && !in_number(ch))
			break;
	}
	range_read(s, (k + 1) * unit, pc);
}

/* ---- before the call ---- */

/* Replaces argument `arg` by a buffer of n bytes for libc to read or write. Returns the buffer; NULL: there is none. */
static void *substitute(struct libc_call *c, unsigned arg, size_t n)
{
	void *at;

	if (c->landing || arg >= 6 || n > 1 << 20)
		return NULL;
	at = sys_mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sys_failed((long)at))
		return NULL;
	c->landing = at;
	c->landing_size = n;
	c->destination = (void *)c->arg[arg];
	c->arg[arg] = (uint64_t)at;
	return at;
}

static bool is_written_too(const struct role *roles, unsigned arg)
{
	for (; roles->kind; roles++)
		if ((roles->kind == ROLE_OUT || roles->kind == ROLE_WRITTEN) && roles->arg == arg)
			return true;
	return false;
}

/* Reports the read of a string. If other threads may change the string meanwhile, libc gets a copy with the reported values. */
static enum libc_way string_before(struct libc_call *c, const struct role *r)
{
	const char *s = (const char *)libc_argument(c, r->arg);
	struct kept k;
	const void *data;
	char *copy;

	if (!s || constants_has((uintptr_t)s))
		return LIBC_GO_ON;
	size_t n = range_string(s, ALL, 1, c->pc, &k, &data);

	if (data == s || r->extent || is_written_too(c->function->roles, r->arg) || !(copy = substitute(c, r->arg, n + 1)))
		return LIBC_GO_ON;
	real_memcpy(copy, data, n);
	return LIBC_CALL;
}

/* Reports the write of a visible destination before the call, or has libc write to a buffer. */
static enum libc_way out_upto_before(struct libc_call *c, const struct role *r)
{
	void *p = (void *)libc_argument(c, r->arg);
	size_t n = libc_size(c, r);

	if (!p || n >= ENORMOUS || !range_is_shared(p, n))
		return LIBC_CALL;
	/* a result with one of these extents (getpwnam_r) has pointers into itself, so it cannot be copied */
	if (r->extent == BY_ALL_IF_0 || r->extent == BY_ALL_IF_RESULT || !substitute(c, r->arg, n))
		range_touch(p, n, MEM_WRITE, c->pc);
	return LIBC_CALL;
}

static enum libc_way vectors_before(struct libc_call *c, const struct role *r)
{
	const struct iovec *v = (const struct iovec *)libc_argument(c, r->arg);
	size_t n = number(c, r->a | AS_INT);

	if (r->kind == ROLE_VECTORS_IN)
		range_vectors_read(v, n, c->pc);
	else
		range_vectors_write(v, n, c->pc);
	return r->kind == ROLE_VECTORS_OUT ? LIBC_CALL : LIBC_GO_ON;
}

static void line_before(struct libc_call *c, const struct role *r)
{
	char **line = (char **)libc_argument(c, r->arg);
	size_t *room = (size_t *)libc_argument(c, r->a);

	if (!line || !room)
		return;
	libc_touch(line, sizeof(*line), MEM_READ, c->pc);
	libc_touch(line, sizeof(*line), MEM_WRITE, c->pc);
	libc_touch(room, sizeof(*room), MEM_READ, c->pc);
	libc_touch(room, sizeof(*room), MEM_WRITE, c->pc);
	if (*line && range_is_shared(*line, *room))
		libc_touch(*line, *room, MEM_WRITE, c->pc);
}

static void at_before(struct libc_call *c, const struct role *r)
{
	void *p = (void *)libc_argument(c, r->arg), *size = (void *)libc_argument(c, r->a);
	uint32_t n;

	if (!p || !size)
		return;
	if (r->extent) {
		real_memcpy(&n, size, sizeof(n));
		libc_touch(p, (size_t)n * r->extent, MEM_WRITE, c->pc);
	} else if (*(void **)p)
		libc_touch(*(void **)p, *(size_t *)size, r->kind == ROLE_IN_AT ? MEM_READ : MEM_WRITE, c->pc);
}

/* Reports reads of text whose length is found only by reading it. */
static void text_before(struct libc_call *c, const struct role *r, void *p)
{
	size_t n;

	switch (r->kind) {
	case ROLE_WIDE_STRING:
		if (p)
			range_string(p, ALL, sizeof(wchar_t), c->pc, NULL, NULL);
		break;
	case ROLE_STRING_UPTO:
		if (p)
			range_string(p, libc_size(c, r), 1, c->pc, NULL, NULL);
		break;
	case ROLE_WIDE_STRING_UPTO:
		if (p)
			range_string(p, libc_size(c, r), sizeof(wchar_t), c->pc, NULL, NULL);
		break;
	case ROLE_CHARACTER:
		n = libc_size(c, r);
		if (p)
			range_string(p, n < 6 ? n : 6, 1, c->pc, NULL, NULL);
		break;
	case ROLE_NUMBER:
		number_read(p, 1, c->pc);
		break;
	case ROLE_WIDE_NUMBER:
		number_read(p, sizeof(wchar_t), c->pc);
		break;
	case ROLE_STRINGS:
		for (char **s = p; s; s++) {
			libc_touch(s, sizeof(*s), MEM_READ, c->pc);
			if (!*s)
				break;
			range_string(*s, ALL, 1, c->pc, NULL, NULL);
		}
		break;
	case ROLE_ENTRY_NAME:
		libc_touch(p, 8, MEM_READ, c->pc);
		range_string((*(struct dirent **)p)->d_name, ALL, 1, c->pc, NULL, NULL);
		break;
	}
}

/* Reports accesses to the program's memory before the call. */
static enum libc_way memory_before(struct libc_call *c, const struct role *r)
{
	void *p = (void *)libc_argument(c, r->arg);

	switch (r->kind) {
	case ROLE_IN:
		libc_touch(p, p ? size_at(c, r, p) : 0, MEM_READ, c->pc);
		break;
	case ROLE_OUT:
		libc_touch(p, p ? size_at(c, r, p) : 0, MEM_WRITE, c->pc);
		break;
	case ROLE_STATE:
		libc_touch(p, 8, MEM_READ, c->pc);
		libc_touch(p, 8, MEM_WRITE, c->pc);
		break;
	case ROLE_STRING:
		return string_before(c, r);
	case ROLE_OUT_UPTO:
		return out_upto_before(c, r);
	case ROLE_RESULT_IF_NULL:
		if (p)
			break;
		/* fallthrough */
	case ROLE_RESULT:
		libc_touch(latest[r->extent].p, latest[r->extent].n, MEM_WRITE, c->pc);
		return r->arg || r->kind == ROLE_RESULT_IF_NULL ? LIBC_CALL : LIBC_GO_ON;
	case ROLE_LINE:
		line_before(c, r);
		return LIBC_CALL;
	case ROLE_IN_AT:
	case ROLE_OUT_AT:
		at_before(c, r);
		break;
	case ROLE_VECTORS_IN:
	case ROLE_VECTORS_OUT:
		return vectors_before(c, r);
	case ROLE_WRITTEN:
	case ROLE_ENTRY:
	case ROLE_VARIABLES:
		return LIBC_CALL;
	default:
		text_before(c, r, p);
	}
	return LIBC_GO_ON;
}

/* In a child of fork: reports the reads of memory, and nothing else. */
static void child_before(struct libc_call *c)
{
	for (const struct role *r = c->function->roles; r->kind; r++)
		switch (r->kind) {
		case ROLE_OUT:
		case ROLE_OUT_UPTO:
		case ROLE_OUT_AT:
		case ROLE_RESULT:
		case ROLE_RESULT_IF_NULL:
		case ROLE_LINE:
		case ROLE_VECTORS_OUT:
		case ROLE_WRITTEN:
		case ROLE_ENTRY:
			break;
		case ROLE_FORMAT:
			libc_format(c, r);
			break;
		default:
			memory_before(c, r);
		}
}

_Static_assert(sizeof(struct libc_call) == 256, "x86_64/entry.S has room for it");

uint32_t libc_before(struct libc_call *c)
{
	enum libc_way way = LIBC_GO_ON;
	const struct role *format = NULL;

	c->landing = c->shared = NULL;
	c->lock = NULL;
	c->locks = false;
	if (stack_is_simul(c->pc)) /* the caller is simul: a hook prints before ctl_enter */
		return LIBC_GO_ON;
	if (child_reads_on) {
		child_before(c);
		return LIBC_GO_ON;
	}
	if (c->function->outside)
		ctl_opaque();
	libc_state_before(c);
	uint64_t steps = world_steps(ctl_world);
	for (const struct role *r = c->function->roles; r->kind; r++)
		if (r->kind == ROLE_FORMAT)
			format = r;
		else if (memory_before(c, r) == LIBC_CALL)
			way = LIBC_CALL;
	if (world_steps(ctl_world) != steps)
		libc_state_again(c);
	if (c->function->effects) /* last, so that no other thread runs before the call */
		effects_before(c->function->effects, c->arg, (const void *)c->pc);
	if (format)
		way = libc_format(c, format);
	if (way == LIBC_DONE)
		libc_state_after(c);
	mem_locked = c->locks;
	return c->shared || c->locks ? LIBC_CALL : way;
}

/* ---- after the call ---- */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns how many of the `room` bytes at p the call wrote. */
static size_t extent(const struct libc_call *c, const struct role *r, const void *p, size_t room)
{
	int64_t result = (int64_t)c->rax;
	size_t n = result > 0 ? (size_t)result : 0;

	switch (r->extent) {
	case BY_RESULT:
		return least(n, room);
	case BY_RESULT_TIMES_4:
		return least((size_t)((int)result > 0 ? (int)result : 0) * 4, room);
	case BY_RESULT_TIMES_8:
		return least((size_t)((int)result > 0 ? (int)result : 0) * 8, room);
	case BY_ITEMS_1:
	case BY_ITEMS_2:
		return least(n * libc_argument(c, r->extent == BY_ITEMS_1 ? 1 : 2), room);
	case BY_TEXT:
		return result ? least(real_strnlen(p, room) + 1, room) : 0;
	case BY_TEXT_IF_0:
		return (int)result ? 0 : least(real_strnlen(p, room) + 1, room);
	case BY_TEXT_THERE:
		return result == (int64_t)p ? least(real_strnlen(p, room) + 1, room) : 0;
	case BY_WIDE_TEXT:
		return result ? least((real_wcsnlen(p, room / sizeof(wchar_t)) + 1) * sizeof(wchar_t), room) : 0;
	case BY_LENGTH:
		return least((size_t)((int)result >= 0 ? (int)result + 1 : 0), room);
	case BY_LENGTH_AND_0:
		return least(n, room);
	case BY_COUNT:
		return result == -1 ? 0 : least(n + 1, room);
	case BY_WIDE_COUNT:
		return result == -1 ? 0 : least((n + 1) * sizeof(wchar_t), room);
	case BY_ALL_IF_0:
		return (int)result ? 0 : room;
	case BY_ALL_IF_RESULT:
		return result ? room : 0;
	case BY_ALL_UNLESS_NEGATIVE:
		return (int)result < 0 ? 0 : room;
	case BY_ENTRY:
		return (int)result ? 0 : least(((const struct dirent *)p)->d_reclen, room);
	}
	return 0;
}

static void out_upto_after(struct libc_call *c, const struct role *r)
{
	void *p = (void *)libc_argument(c, r->arg);
	size_t room = libc_size(c, r), n;

	if (!p)
		return;
	n = extent(c, r, p, room);
	if (p == c->landing && n)
		range_put(c->destination, p, n, c->pc);
	else if (p != c->landing && !(range_is_shared(p, n) && (r->extent == BY_ALL_IF_0 || r->extent == BY_ALL_IF_RESULT)))
		libc_touch(p, n, MEM_WRITE, c->pc);
}

/* Records where the result lies. At the first call of the function this was not known before, so the write is reported now. No other thread
   can have known the memory before. */
static void result_after(struct libc_call *c, const struct role *r)
{
	void *p = (void *)c->rax;

	if (!p)
		return;
	size_t n = size_at(c, r, p);
	if (latest[r->extent].p == p && n <= latest[r->extent].n)
		return;
	latest[r->extent].p = p;
	latest[r->extent].n = n;
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);

	s->object[r->extent].result = (uint64_t)p;
	s->object[r->extent].bytes = n;
	libc_touch(p, n, MEM_WRITE, c->pc);
}

static void after(struct libc_call *c, const struct role *r)
{
	void *p = (void *)libc_argument(c, r->arg);

	switch (r->kind) {
	case ROLE_OUT_UPTO:
		out_upto_after(c, r);
		break;
	case ROLE_WRITTEN:
		if (p && c->rax && r->extent == BY_WIDE_TEXT)
			libc_touch(p, (real_wcslen(p) + 1) * sizeof(wchar_t), MEM_WRITE, c->pc);
		else if (p && c->rax)
			libc_touch(p, real_strlen(p) + 1, MEM_WRITE, c->pc);
		break;
	case ROLE_RESULT:
		if (r->arg)
			result_after(c, r);
		break;
	case ROLE_RESULT_IF_NULL:
		if (!p)
			result_after(c, r);
		break;
	case ROLE_LINE:
		if (p && (int64_t)c->rax > 0)
			libc_touch(*(char **)p, c->rax + 1, MEM_WRITE, c->pc);
		break;
	case ROLE_VARIABLES:
		libc_variables(r->extent, c->pc);
		break;
	case ROLE_ENTRY:
		if (c->rax)
			libc_touch((void *)c->rax, ((struct dirent *)c->rax)->d_reclen, MEM_WRITE, c->pc);
		break;
	case ROLE_VECTORS_OUT:
		range_vectors_written((const struct iovec *)p, number(c, r->a | AS_INT), (ssize_t)c->rax, c->pc);
		break;
	}
}

void libc_after(struct libc_call *c)
{
	mem_locked = false;
	for (const struct role *r = c->function->roles; r->kind; r++)
		after(c, r);
	libc_state_after(c);
	if (!c->landing)
		return;
	/* libc's result points into the buffer; the program needs the same place in its own memory */
	if (c->rax - (uint64_t)c->landing < c->landing_size)
		c->rax += (uint64_t)c->destination - (uint64_t)c->landing;
	sys_munmap(c->landing, c->landing_size);
}
