#include "preload/failure/values.h"

#include <string.h>

#include "base/state_places.h"
#include "preload/base/state.h"
#include "preload/base/safe_read.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

bool values_open;

static uint32_t open_event;
static uint64_t open_addr;
static uint32_t call_event; /* index of the latest read or write of a descriptor, if call_open */
static bool call_open;      /* the result of that call is not known yet */
static bool pieces;  /* the next operation belongs to an access that is made later */
static uint8_t old[SESSION_VALUE]; /* the bytes that an UPDATE is about to replace */
static bool old_known;

static bool wanted(void)
{
	return ctl_session->config.keep_stacks && ctl_past_checkpoint;
}

/* Returns the record of event i; NULL: there is no room for it. */
static struct session_value *value_of(uint32_t i)
{
	const struct session_layout *l = &ctl_session->layout;
	return i < l->values_cap ? (struct session_value *)ctl_segment(l->values_off) + i : NULL;
}

/* Reads memory safely: the program's access may be about to crash there. */
static bool read_memory(uint64_t addr, uint8_t *to, unsigned size)
{
	return safe_read(addr, to, size) == size;
}

/* Sets *addr and *size to the bytes of memory that an event accesses. Returns false if there are none or too many. */
static bool place_of(const struct event *e, uint64_t *addr, uint8_t *size)
{
	uint64_t lo, hi;
	if (!event_bytes(e, &lo, &hi) || hi - lo >= SESSION_VALUE)
		return false;
	*addr = memory_address(ctl_segment(ctl_session->layout.memory_off), e->obj[0]) + (e->span & 15);
	*size = (uint8_t)(hi - lo + 1);
	return !stands_for_state(*addr); /* such values mean nothing */
}

void values_none(uint32_t i)
{
	struct session_value *v = value_of(i);
	if (v)
		v->size = v->known = 0;
}

void values_coming(thread_id t)
{
	uint64_t addr;
	uint8_t size;
	if (!wanted())
		return;
	const struct op *op = is_agent(t) ? NULL : world_pending(ctl_world, t);
	const struct event *update = is_agent(t) ? &ctl_trace.pending[t] : NULL;
	pieces = op && op->more;
	old_known = update && place_of(update, &addr, &size) && read_memory(addr, old, size);
}

static void updated(struct session_value *v, uint64_t addr)
{
	memcpy(v->before, old, sizeof old);
	v->known = old_known | (read_memory(addr, v->after, v->size) ? 2 : 0);
}

void values_performed(const struct step *st)
{
	const struct event *e = &st->event;
	struct session_value *v;
	uint64_t addr;
	uint8_t size;
	call_open = wanted() && ctl_trace.n && (e->kind == EV_FD_READ || e->kind == EV_FD_WRITE) && st->outcome == STEP_DONE;
	call_event = ctl_trace.n - 1;
	if (!wanted() || event_kind_object(e->kind) != OBJ_MEMORY || pieces || !ctl_trace.n || !(v = value_of(ctl_trace.n - 1)) ||
		!place_of(e, &addr, &size))
		return;
	v->size = size;
	if (e->kind == EV_UPDATE) {
		updated(v, addr);
	} else if (st->outcome == STEP_DONE) {
		open_event = ctl_trace.n - 1;
		open_addr = addr;
		values_open = true;
	}
}

void values_before_access(void)
{
	struct session_value *v = value_of(open_event);
	if (v && read_memory(open_addr, v->before, v->size))
		v->known |= 1;
}

void values_returned(int64_t result)
{
	struct session_value *v = call_open ? value_of(call_event) : NULL;
	call_open = false;
	if (!v)
		return;
	v->size = sizeof result;
	v->known = 2;
	memcpy(v->after, &result, sizeof result);
}

void values_after_access(void)
{
	struct session_value *v = value_of(open_event);
	values_open = false;
	if (v && ctl_trace.event[open_event].kind != EV_LOAD && read_memory(open_addr, v->after, v->size))
		v->known |= 2;
}
