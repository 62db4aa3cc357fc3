/*
 * The bytes that stand for keys lie 8 bytes apart, since the shadow keeps what it knows for each 8 bytes. Like those of libc_state.c they have a
 * mapping of their own, and a rewind puts them back.
 */
#include "base/state_places.h"
#include "preload/accesses/key_state.h"

#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>

#include "preload/accesses/mem.h"
#include "preload/accesses/landing.h"
#include "preload/base/guard.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/memory/shadow.h"

#include "preload/base/rules.h"

static struct byte {
	uint8_t value, pad_[7];
} *bytes SEALED = NULL;
#define BYTES_AT ((void *)KEYS_AT)

void key_state_init(void)
{
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);

	bytes = sys_mmap(BYTES_AT, PTHREAD_KEYS_MAX * sizeof(*bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sys_failed((long)bytes))
		ctl_refuse("not enough address space to track thread-specific data (check the limit on address space: ulimit -v)");
	s->object[s->objects].addr = (uint64_t)bytes;
	s->object[s->objects].size = PTHREAD_KEYS_MAX * sizeof(*bytes);
	s->object[s->objects].each = sizeof(*bytes);
	snprintf(s->object[s->objects].name, sizeof(s->object[0].name), "the key");
	s->objects++;
}

void key_touch(unsigned key, unsigned flags, uintptr_t pc)
{
	if (bytes)
		range_touch(&bytes[key].value, 1, flags | MEM_ATOMIC | MEM_HELD, pc);
}

bool key_is_shared(unsigned key)
{
	return bytes && range_is_shared(&bytes[key].value, 1);
}

void key_is_new(unsigned key)
{
	if (bytes)
		shadow_forget((uintptr_t)&bytes[key], sizeof(*bytes));
}

void key_changed(unsigned key)
{
	if (bytes)
		bytes[key].value++;
}
