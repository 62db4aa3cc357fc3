/* What calls of libc do with state that libc keeps between calls; see libc.def and accesses.h. */
#include "preload/libc/accesses.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "preload/accesses/libc_state.h"
#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/control/ctl.h"
#include "preload/hooks/cancel.h"
#include "preload/hooks/stdio_lock.h"
#include "preload/kernel/unsafe_calls.h"
#include "preload/base/rules.h"

/* NULL address: libm is not loaded. */
extern int signgam_of_libm __asm__("signgam") __attribute__((weak));

/* Changes of libc's state do not wait in a store buffer, unlike the program's own stores. */
#define UPDATE (MEM_READ | MEM_WRITE)

/* ---- locks of libc in the model ---- */

static void perform(enum event_kind kind, const char *lock, uintptr_t pc)
{
	struct op op = ctl_op(kind, (const void *)pc);

	op.obj[0] = ctl_object(OBJ_MUTEX, lock);
	ctl_perform(&op);
	ctl_leave();
}

/* Takes the lock of this state, if threads use the state. Returns it; NULL: it was not taken. */
static const char *take(enum libc_object object, uintptr_t pc)
{
	const char *lock = libc_object_lock(object);

	if (!lock || !ctl_enter_event())
		return NULL;
	perform(EV_MUTEX_LOCK, lock, pc);
	return lock;
}

/* ---- the events ---- */

void libc_variables(enum role_variables which, uintptr_t pc)
{
	size_t n = 0;

	switch (which) {
	case VARIABLES_SIGNGAM:
		libc_touch(&signgam_of_libm, sizeof(signgam_of_libm), MEM_WRITE, pc);
		break;
	case VARIABLES_ENVIRON: /* the pointer, and the array of strings with its end */
		while (environ && environ[n])
			n++;
		libc_touch(environ, (n + 1) * sizeof(*environ), UPDATE, pc);
		libc_touch(&environ, sizeof(environ), UPDATE, pc);
		break;
	case VARIABLES_OPTIND:
		libc_touch(&optarg, sizeof(optarg), UPDATE, pc);
		libc_touch(&optopt, sizeof(optopt), UPDATE, pc);
		libc_touch(&optind, sizeof(optind), UPDATE, pc);
		break;
	case VARIABLES_TIMEZONE:
		libc_touch(&timezone, sizeof(timezone), UPDATE, pc);
		libc_touch(&daylight, sizeof(daylight), UPDATE, pc);
		libc_touch(tzname, sizeof(tzname), UPDATE, pc);
		break;
	}
}

static void before(struct libc_call *c, const struct role *r)
{
	uint64_t arg = libc_argument(c, r->arg);

	switch (r->kind) {
	case ROLE_READS:
		libc_touch_object(r->extent, MEM_READ, c->pc);
		break;
	case ROLE_UPDATES:
		unsafe_call(c->pc);
		libc_touch_object(r->extent, UPDATE, c->pc);
		break;
	case ROLE_ORDERED:
		unsafe_call(c->pc);
		libc_touch_object(r->extent, UPDATE | MEM_ATOMIC, c->pc);
		break;
	case ROLE_LOCKS:
		c->locks = true;
		if (r->extent != LIBC_OBJECTS)
			c->lock = take(r->extent, c->pc);
		break;
	case ROLE_ASKS:
		unsafe_call(c->pc);
		libc_touch_object(r->extent, MEM_READ | MEM_ATOMIC, c->pc);
		break;
	case ROLE_UPDATES_IF_NULL:
		if (!arg)
			libc_touch_object(r->extent, UPDATE, c->pc);
		break;
	case ROLE_LOCALE_CHANGE:
		libc_touch_object(r->extent, arg ? UPDATE : MEM_READ, c->pc);
		break;
	case ROLE_STATE:
		if (!arg)
			libc_touch_object(r->extent, UPDATE, c->pc);
		break;
	case ROLE_CANCELS:
		cancel_before((const void *)c->pc);
		break;
	case ROLE_STREAM:
	case ROLE_USES:
	case ROLE_LOOKS:
	case ROLE_CLEARS:
	case ROLE_FLUSHES:
	case ROLE_TAKES:
	case ROLE_CLOSES:
	case ROLE_UNLOCKED:
		if (libc_use_stream(r->kind, arg, c->pc))
			c->shared = (void *)arg;
		break;
	case ROLE_DIRECTORY:
	case ROLE_USES_DIRECTORY:
		libc_touch((void *)arg, 1, r->kind == ROLE_DIRECTORY ? UPDATE : MEM_READ, c->pc);
		break;
	case ROLE_VARIABLES:
		libc_variables(r->extent, c->pc);
		break;
	case ROLE_WRITES:
		libc_write_descriptor(r->extent ? r->extent : (int)arg, c->pc);
		break;
	case ROLE_OUTSIDE:
		outside_touched = true;
		ctl_opaque();
		break;
	case ROLE_UNSEEN:
		outside_touched = true;
		libc_unseen(c->function->name, c->pc);
		break;
	}
}

void libc_state_before(struct libc_call *c)
{
	for (const struct role *r = c->function->roles; r->kind; r++)
		before(c, r);
}

void libc_state_again(struct libc_call *c)
{
	for (const struct role *r = c->function->roles; r->kind; r++)
		if (r->kind == ROLE_READS || r->kind == ROLE_ASKS || r->kind == ROLE_UPDATES || r->kind == ROLE_ORDERED)
			before(c, r);
}

void libc_state_after(struct libc_call *c)
{
	if (c->lock && ctl_enter_event())
		perform(EV_MUTEX_UNLOCK, c->lock, c->pc);
	if (c->shared)
		stream_release(c->shared, (const void *)c->pc);
	c->lock = NULL;
	c->shared = NULL;
}
