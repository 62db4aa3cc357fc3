/*
 * Bytes of simul's memory that stand for the state that libc keeps between calls, and their names. The search sees accesses to these bytes.
 */
#include "preload/accesses/libc_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/accesses/key_state.h"
#include "base/state_places.h"
#include "preload/control/ctl.h"
#include "base/callers.h"
#include "preload/base/guard.h"
#include "preload/accesses/landing.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/memory/constants.h"
#include "preload/memory/footprint.h"
#include "preload/memory/unforeseen.h"
#include "sched/world.h"

static const char *const names[] = {
#define OBJECT(id, name) name,
#include "preload/base/libc.def"
};

/* comes after libc.def, which contains names that the rules forbid */
#include "preload/base/rules.h"

/* ---- objects ---- */

/* One byte stands for each object. These bytes have a mapping of their own, because an access of the program to simul's variables is an
   error (guard.h). The mapping is private, so a rewind puts it back like the program's memory. */
static struct object {
	char byte[16];
} *objects SEALED = NULL;
#define OBJECTS_AT ((void *)LIBC_STATE_AT) /* after the memory that guard.h protects */
_Static_assert(LIBC_STATE_AT == SYS_AWAY_AT(13) && RESOURCES_AT == SYS_AWAY_AT(14) && KEYS_AT == SYS_AWAY_AT(15), "sys.h knows these places");

char **libc_strtok_place(void)
{
	static char *without_objects; /* for the time before control begins, and for programs that the program starts */

	return objects ? (char **)(void *)objects[LIBC_strtok].byte : &without_objects;
}

void libc_touch_object(enum libc_object object, unsigned flags, uintptr_t pc)
{
	if (flags & MEM_WRITE)
		value_unforeseen();
	range_touch(objects[object].byte, 1, flags, pc);
}

const char *libc_object_lock(enum libc_object object)
{
	return range_is_shared(objects[object].byte, 1) ? &objects[object].byte[1] : NULL;
}

/* Bytes in the unused end of a FILE stand for the stream: one for its existence and for use without the lock, one for its position, one for flockfile.
   Closing the stream frees them with the rest. */
void libc_touch_stream(uint64_t stream, size_t at, unsigned flags, uintptr_t pc)
{
	if (stream)
		range_touch((char *)stream + offsetof(FILE, _unused2) + at, 1, flags, pc);
}

bool libc_stream_visible(uint64_t stream, size_t at)
{
	return range_is_shared((char *)stream + offsetof(FILE, _unused2) + at, 1);
}

/* ---- for the supervisor ---- */

void libc_unseen(const char *name, uint64_t pc)
{
	struct session_unseen *u = &ctl_session->ctl.facts.unseen;
	uint32_t i = 0;

	footprint_unknown();
	ctl_opaque();
	if (!mem_on || world_live_threads(ctl_world) < 2)
		return;
	while (i < u->n && i < SESSION_UNSEEN && real_strncmp(u->name[i], name, sizeof(u->name[i]) - 1))
		i++;
	if (i == u->n && i < SESSION_UNSEEN)
		real_strncpy(u->name[i], name, sizeof(u->name[i]) - 1);
	if (i < SESSION_UNSEEN)
		callers_add(&u->at[i], pc);
	if (i == u->n)
		u->n = i + 1;
}

static void name_stream(struct session_sensors *s, const FILE *stream, const char *name)
{
	s->object[s->objects].addr = (uint64_t)stream;
	s->object[s->objects].size = sizeof(*stream);
	real_strncpy(s->object[s->objects].name, name, sizeof(s->object[0].name) - 1);
	s->objects++;
}

void libc_init(void)
{
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);
	char *piece = *libc_strtok_place();

	objects = sys_mmap(OBJECTS_AT, LIBC_OBJECTS * sizeof *objects, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sys_failed((long)objects))
		ctl_refuse("not enough address space to track libc's internal state (check the limit on address space: ulimit -v)");
	*libc_strtok_place() = piece;
	_Static_assert(LIBC_OBJECTS + 4 <= SESSION_OBJECTS, "room for their names");
	for (unsigned i = 0; i < LIBC_OBJECTS; i++) {
		s->object[i].addr = (uint64_t)objects[i].byte;
		s->object[i].size = sizeof(objects[i].byte);
		real_strncpy(s->object[i].name, names[i], sizeof(s->object[i].name) - 1);
	}
	s->objects = LIBC_OBJECTS;
	constants_begin();
	name_stream(s, stdin, "stdin");
	name_stream(s, stdout, "stdout");
	name_stream(s, stderr, "stderr");
	key_state_init();
}
