/* What every room of preload/ may read; see state.h. */
#include "preload/base/frames.h"
#include "preload/base/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/exit_codes.h"
#include "preload/base/guard.h"
#include "preload/base/operations.h"
#include "preload/base/outside.h"
#include "preload/base/running.h"
#include "preload/base/sys.h"
#include "sched/section.h"
#include "preload/base/rules.h"

#define ARENA_BYTES (UINT64_C(1) << 32) /* reserved address space; a page takes memory at its first use */

int ctl_state SEALED = CTL_OFF;
int ctl_inside;
struct session *ctl_session SEALED = NULL;
int ctl_session_fd SEALED = -1;
struct world *ctl_world SEALED = NULL;
struct hb *ctl_hb SEALED = NULL;
struct trace ctl_trace;
bool ctl_past_checkpoint SEALED = false;
bool ctl_avx SEALED = false;

uint64_t ctl_sp;

struct fiber *fiber_cur, *fiber_first;
uint64_t mem_stack_lo, mem_stack_hi;
uint64_t mem_local_hi, mem_local_bytes;
bool mem_on, mem_dirty, ctl_entered, ctl_returning, what_if_on, ctl_sections;
bool frames_damaged;

const char *rewind_tainted;
bool rewind_passes;
bool snapshot_tainted, snapshot_armed;
bool outside_standard_streams, outside_touched;

static struct arena *arena SEALED = NULL;

/* ---- memory ---- */

void ctl_out_of_memory(void)
{
	ctl_refuse("the program's threads and synchronisation objects need more memory than simul has "
		   "reserved for its model of them");
}

void *ctl_alloc(size_t size)
{
	void *p = arena_ptr(arena, arena_alloc(arena, size));
	if (!p)
		ctl_out_of_memory();
	return p;
}

void ctl_free(void *p, size_t size)
{
	arena_free(arena, (aref)(((char *)p - (char *)arena) / 8), size);
}

struct arena *ctl_arena_begin(void)
{
	void *region = sys_mmap(SYS_AWAY(8), ARENA_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed((long)region))
		ctl_refuse("no room for simul's own memory in the program's address space (is there a limit, "
			   "ulimit -v?)");
	arena = arena_init(region, ARENA_BYTES);
	guard_add(region, ARENA_BYTES);
	return arena;
}

uint64_t ctl_arena_start(void)
{
	return (uintptr_t)arena;
}

#define CHECKED_BYTES 4096 /* bytes that are checked after the used part of the arena; a page takes a tenth of a microsecond */

void ctl_arena_check(void)
{
	uint64_t *most = &ctl_session->ctl.facts.arena_most, any = 0;
	if (*most < arena->used)
		*most = arena->used;
	uint64_t from = (*most + 7) & ~UINT64_C(7);
	for (uint64_t at = from; at < from + CHECKED_BYTES && at < ARENA_BYTES; at += 8)
		any |= *(const uint64_t *)((const char *)arena + at);
	if (any)
		ctl_session->ctl.facts.arena_written = 1;
}

/* ---- the end of the session ---- */

void ctl_no_sections(void)
{
	if (ctl_session->config.sections)
		sections_off(ctl_segment(ctl_session->layout.sections_off));
}

void ctl_uncontrolled(const char *what)
{
	struct session_control *c = &ctl_session->ctl;
	ctl_no_sections();
	if (!c->facts.uncontrolled++) {
		strncpy(c->facts.uncontrolled_what, what, sizeof c->facts.uncontrolled_what - 1);
	}
}

static void __attribute__((noreturn)) stop_session(void)
{
	struct session_control *c = &ctl_session->ctl;
	__atomic_store_n(&c->handshake.state, STATE_REFUSED, __ATOMIC_RELEASE);
	__atomic_add_fetch(&c->handshake.doorbell, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&c->handshake.doorbell, 1);
	sys_exit_group(SIMUL_EXIT_INTERNAL);
}

void ctl_refuse(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(ctl_session->ctl.failure.refusal, SESSION_MESSAGE, fmt, ap);
	va_end(ap);
	stop_session();
}

void check_failed(const char *file, int line, const char *expr, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!ctl_session)
		sys_exit_group(SIMUL_EXIT_INTERNAL);
	snprintf(ctl_session->ctl.failure.internal_error, SESSION_MESSAGE, "%s:%d: %s: %s", file, line, expr, text);
	stop_session();
}

/* ---- what others would see ---- */

void outside_note(const char *fmt, ...)
{
	snapshot_tainted = true;
	if (!ctl_session || ctl_state != CTL_ON || !ctl_session->layout.common_size)
		return;
	struct session_control *c = &ctl_session->ctl;
	if (c->facts.outside && !ctl_session->ctl.requests.shared_search)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(c->facts.outside_what, sizeof c->facts.outside_what, fmt, ap);
	va_end(ap);
	__atomic_store_n(&c->facts.outside, 1, __ATOMIC_RELEASE);
	if (!ctl_session->ctl.requests.shared_search)
		return;
	ctl_force_enter(); /* first of all: else the kernel would dispatch simul's own system calls (dispatch.c) */
	for (;;)
		operations.hand_over(STATE_ALONE);
}

bool ctl_pages_changed;
