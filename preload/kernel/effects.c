/* Evaluates effects.def; see effects.h. */
#include "preload/kernel/effects.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/base/state.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/mapped_files.h"
#include "preload/kernel/process.h"
#include "preload/kernel/resource_files.h"
#include "preload/memory/unforeseen.h"

/* The words of effects.def. */
#define HERE NO_ARGUMENT
#define PROCESS(resource, how) {.kind = EFFECT_PROCESS, .at = RESOURCE_##resource, .flags = NO_ARGUMENT, .use = RESOURCE_##how},
#define PROCESS_IF(argument, resource, how) {.kind = EFFECT_PROCESS, .at = RESOURCE_##resource, .flags = argument, .use = RESOURCE_##how},
#define PROCESS_ASKED(question, resource)                                                          \
	{.kind = EFFECT_QUESTION, .at = RESOURCE_##resource, .flags = question, .use = RESOURCE_READ},
#define PATH(dir, path, ...) {.kind = EFFECT_PATH, .at = path, .directory = dir, __VA_ARGS__},
#define FINDS(dir, path) PATH(dir, path, .use = RESOURCE_READ, .attributes = RESOURCE_READ, .follow = true)
#define READS_LINK(dir, path) PATH(dir, path, .use = RESOURCE_READ)
#define DESCRIBES(dir, path) PATH(dir, path, .use = RESOURCE_READ, .contents = RESOURCE_READ, .attributes = RESOURCE_READ, .follow = true)
#define DESCRIBES_LINK(dir, path) PATH(dir, path, .use = RESOURCE_READ, .contents = RESOURCE_READ, .attributes = RESOURCE_READ)
#define CREATES(dir, path) PATH(dir, path, .use = RESOURCE_CHANGE, .names = RESOURCE_ADD) PROCESS(mask, READ)
#define REMOVES(dir, path) PATH(dir, path, .use = RESOURCE_CHANGE, .attributes = RESOURCE_ADD, .names = RESOURCE_ADD)
#define REMOVES_DIRECTORY(dir, path) PATH(dir, path, .use = RESOURCE_CHANGE, .contents = RESOURCE_READ, .names = RESOURCE_ADD)
#define LINKS(dir, path) PATH(dir, path, .use = RESOURCE_READ, .attributes = RESOURCE_ADD)
#define LISTS(dir, path) PATH(dir, path, .use = RESOURCE_READ, .contents = RESOURCE_READ, .follow = true)
#define WRITES(dir, path) PATH(dir, path, .use = RESOURCE_READ, .contents = RESOURCE_ADD, .attributes = RESOURCE_READ, .follow = true)
#define SETS(dir, path) PATH(dir, path, .use = RESOURCE_READ, .attributes = RESOURCE_ADD, .follow = true)
#define SETS_LINK(dir, path) PATH(dir, path, .use = RESOURCE_READ, .attributes = RESOURCE_ADD)
#define ADDS_NAME(dir, path) PATH(dir, path, .use = RESOURCE_READ, .names = RESOURCE_ADD)
#define OPENS(dir, path, how) {.kind = EFFECT_OPEN, .at = path, .directory = dir, .flags = how}, PROCESS(mask, READ) OPENS_NUMBERS_AS(how)
#define OPENS_NEW(dir, path) {.kind = EFFECT_OPEN, .at = path, .directory = dir, .flags = NO_ARGUMENT}, PROCESS(mask, READ) OPENS_NUMBERS
#define OPENS_STREAM(path, mode) {.kind = EFFECT_STREAM, .at = path, .directory = HERE, .flags = mode}, PROCESS(mask, READ) OPENS_NUMBER(CLOEXEC_MODE, mode)
#define OPENS_SHARED(path, how) {.kind = EFFECT_SHARED, .at = path, .flags = how}, PROCESS(mask, READ) OPENS_CLOEXEC
#define REMOVES_SHARED(path) {.kind = EFFECT_SHARED, .at = path, .flags = NO_ARGUMENT},
#define FILE_OF(fd, ...) {.kind = EFFECT_FILE, .at = fd, __VA_ARGS__},
#define READS_AT(fd) FILE_OF(fd, .contents = RESOURCE_READ)
#define READS_ON(fd) FILE_OF(fd, .contents = RESOURCE_READ, .position = RESOURCE_CHANGE)
#define WRITES_AT(fd) FILE_OF(fd, .contents = RESOURCE_ADD)
#define WRITES_ON(fd) FILE_OF(fd, .contents = RESOURCE_ADD, .position = RESOURCE_ADD)
#define DESCRIBES_FILE(fd) FILE_OF(fd, .contents = RESOURCE_READ, .attributes = RESOURCE_READ, .length = true)
#define SETS_FILE(fd) FILE_OF(fd, .attributes = RESOURCE_ADD)
#define ASKS_FILE(fd) FILE_OF(fd, .attributes = RESOURCE_READ)
#define USES_FILE(fd) {.kind = EFFECT_FILE, .at = fd},
#define SETTING(of, object, settings, how)                                                         \
	{.kind = of, .at = object, .flags = SETTINGS_OF_##settings, .use = RESOURCE_##how},
#define SETS_OF(settings, fd) SETTING(EFFECT_SETTINGS, fd, settings, ADD)
#define ASKS_OF(settings, fd) SETTING(EFFECT_SETTINGS, fd, settings, READ)
#define SETS_THREAD(settings, thread) SETTING(EFFECT_THREAD, thread, settings, ADD)
#define ASKS_THREAD(settings, thread) SETTING(EFFECT_THREAD, thread, settings, READ)
#define SETS_ID(settings, id) SETTING(EFFECT_THREAD_ID, id, settings, ADD)
#define ASKS_ID(settings, id) SETTING(EFFECT_THREAD_ID, id, settings, READ)
#define SEEKS(fd, whence) {.kind = EFFECT_SEEK, .at = fd, .flags = whence},
#define LISTS_STREAM(dir) {.kind = EFFECT_LISTING, .at = dir},
#define CUTS(fd, to) FILE_OF(fd, .contents = RESOURCE_ADD, .length = true) {.kind = EFFECT_CUT, .at = fd, .flags = to},
#define CUTS_PATH(path, to) WRITES(HERE, path) {.kind = EFFECT_CUT_PATH, .at = path, .flags = to},
#define MAKES_HOLES(fd) FILE_OF(fd, .contents = RESOURCE_ADD, .length = true) {.kind = EFFECT_HOLE, .at = fd},
#define GROWS(fd) FILE_OF(fd, .contents = RESOURCE_ADD, .length = true) {.kind = EFFECT_GROW, .at = fd},
#define OPENS_NUMBER(cloexec, argument) {.kind = EFFECT_NUMBERS, .at = cloexec, .flags = argument},
#define OPENS_NUMBERS OPENS_NUMBER(CLOEXEC_NEVER, NO_ARGUMENT)
#define OPENS_NUMBERS_AS(flags) OPENS_NUMBER(CLOEXEC_FLAG, flags)
#define OPENS_MEMORY(flags) OPENS_NUMBER(CLOEXEC_MEMFD, flags)
#define OPENS_CLOEXEC OPENS_NUMBER(CLOEXEC_ALWAYS, NO_ARGUMENT)
#define NOTHING_SHARED
#define CALL(name, ...) const struct effect_of_call effects_of_##name[] = {__VA_ARGS__ {.kind = EFFECT_END}};
#include "preload/kernel/effects.def"

/* comes after the list, which contains names that the rules forbid */
#include "preload/base/rules.h"

/* ---- opening ---- */

static void open_path(struct resources *r, int dir, const char *path, int flags)
{
	struct path_use how = {
		.entry = RESOURCE_READ,
		.attributes = RESOURCE_READ,
		.contents = flags & O_TRUNC ? RESOURCE_ADD : RESOURCE_UNUSED,
		.follow = !(flags & O_NOFOLLOW) && !((flags & O_CREAT) && (flags & O_EXCL)),
	};

	how.creates = flags & O_CREAT;
	resource_path(r, dir, path, &how);
}

/* Returns the flags of open for a mode of fopen. */
static int flags_of(const char *mode)
{
	int flags = *mode == 'r' ? 0 : *mode == 'w' ? O_CREAT | O_TRUNC : O_CREAT;

	for (; *mode && *mode != ','; mode++) /* a comma ends the mode: the character set follows */
		flags |= *mode == 'x' ? O_EXCL : 0;
	return flags;
}

static bool mode_has(const char *mode, char c)
{
	while (*mode && *mode != ',' && *mode != c)
		mode++;
	return *mode == c;
}

static bool shared_path(char *path, size_t n, const char *name)
{
	while (name && *name == '/')
		name++;
	return name && *name && snprintf(path, n, "/dev/shm/%s", name) < (int)n;
}

/* flags -1: the name is removed. */
static void shared_memory(struct resources *r, const char *name, int flags)
{
	char path[300];

	if (!shared_path(path, sizeof(path), name))
		return;
	if (flags == -1)
		resource_path(r, AT_FDCWD, path, &(struct path_use){.entry = RESOURCE_CHANGE, .attributes = RESOURCE_ADD});
	else
		open_path(r, AT_FDCWD, path, flags);
}

/* ---- one effect ---- */

/* Timers are not inherited, nor is what libc keeps, and descriptors are counted one by one. */
static bool is_inherited(unsigned resource)
{
	return resource != RESOURCE_timers && resource != RESOURCE_posix_timers && resource != RESOURCE_defaults &&
	       resource != RESOURCE_descriptors;
}

/* Returns whether exec closes the descriptor that a call makes. flags: its argument that says so. */
static bool closed_by_exec(enum cloexec how, uint64_t flags)
{
	switch (how) {
	case CLOEXEC_FLAG:
		return flags & O_CLOEXEC; /* EFD_CLOEXEC, SOCK_CLOEXEC and others have the same value */
	case CLOEXEC_MEMFD:
		return flags & MFD_CLOEXEC;
	case CLOEXEC_MODE:
		return flags && mode_has((const char *)flags, 'e');
	case CLOEXEC_ALWAYS:
		return true;
	case CLOEXEC_NEVER:
		break;
	}
	return false;
}

static void add(struct resources *r, const struct effect_of_call *e, const uint64_t arg[6])
{
	uint64_t at = arg[e->at < 6 ? e->at : 0], flags = e->flags < 6 ? arg[e->flags] : 0;
	int dir = e->directory < 6 ? (int)arg[e->directory] : AT_FDCWD;
	struct path_use path = {.entry = e->use, .contents = e->contents, .attributes = e->attributes, .directory = e->names, .follow = e->follow};
	struct file_use file = {e->contents, e->attributes, e->position, .length = e->length};
	const struct fiber *f;
	thread_id t;

	switch ((enum effect_kind)e->kind) {
	case EFFECT_END:
		break;
	case EFFECT_PROCESS:
		if (e->flags != NO_ARGUMENT && !flags)
			break;
		resources_add(r, e->at, e->use, NULL);
		if (e->use == RESOURCE_CHANGE && is_inherited(e->at))
			resources_inherited(r, false);
		break;
	case EFFECT_QUESTION:
		resources_add(r, e->at, e->use, NULL);
		break;
	case EFFECT_PATH:
		resource_path(r, dir, (const char *)at, &path);
		break;
	case EFFECT_OPEN:
		open_path(r, dir, (const char *)at, e->flags == NO_ARGUMENT ? O_CREAT | O_TRUNC : (int)flags);
		break;
	case EFFECT_STREAM:
		if (at && flags)
			open_path(r, AT_FDCWD, (const char *)at, flags_of((const char *)flags));
		break;
	case EFFECT_SHARED:
		shared_memory(r, (const char *)at, e->flags == NO_ARGUMENT ? -1 : (int)flags);
		break;
	case EFFECT_FILE:
		resources_number(r, (int)at, RESOURCE_READ);
		resource_file(r, (int)at, &file);
		break;
	case EFFECT_SETTINGS:
		resources_number(r, (int)at, RESOURCE_READ);
		resources_settings(r, e->flags, resource_open_file((int)at), e->use);
		break;
	case EFFECT_THREAD:
		f = fiber_by_handle(at);
		if (f)
			resources_settings(r, e->flags, f->id, e->use);
		break;
	case EFFECT_THREAD_ID:
		t = at ? process_any_thread_of_tid((pid_t)at) : ctl_self();
		if (t != NO_THREAD)
			resources_settings(r, e->flags, t, e->use);
		break;
	case EFFECT_LISTING:
		value_unforeseen(); /* the position in the directory */
		if (at) /* a DIR begins with its descriptor */
			resource_file(r, *(const int *)at, &(struct file_use){.contents = RESOURCE_READ});
		break;
	case EFFECT_SEEK:
		resources_number(r, (int)at, RESOURCE_READ);
		file.position = RESOURCE_CHANGE;
		file.length = true;
		file.contents = flags == SEEK_SET || flags == SEEK_CUR ? RESOURCE_UNUSED : RESOURCE_READ;
		resource_file(r, (int)at, &file);
		break;
	case EFFECT_NUMBERS:
		if (resource_is_visible(RESOURCE_descriptors))
			resources_add(r, RESOURCE_descriptors, RESOURCE_CHANGE, NULL);
		resources_inherited(r, closed_by_exec(e->at, flags));
		break;
	case EFFECT_CUT:
	case EFFECT_CUT_PATH:
	case EFFECT_HOLE:
	case EFFECT_GROW:
		break; /* see cut */
	}
}

struct call {
	const struct effect_of_call *effects;
	const uint64_t *arg;
};

static void find(struct resources *r, void *of)
{
	const struct call *c = of;

	for (const struct effect_of_call *e = c->effects; e->kind; e++) {
		r->stage = 0;
		add(r, e, c->arg);
	}
}

/* ---- files that are mapped ---- */

/* Counts the bytes of mapped memory that the call changes as changed. */
static void cut(const struct effect_of_call *e, const uint64_t arg[6], const void *pc)
{
	uint64_t at = arg[e->at < 6 ? e->at : 0], flags = e->flags < 6 ? arg[e->flags] : 0;
	int dir = e->directory < 6 ? (int)arg[e->directory] : AT_FDCWD;
	char path[300];

	switch (e->kind) {
	case EFFECT_CUT:
		mapped_cut((int)at, "", pc);
		break;
	case EFFECT_CUT_PATH:
		mapped_cut(AT_FDCWD, (const char *)at, pc);
		break;
	case EFFECT_OPEN:
		if (e->flags == NO_ARGUMENT || flags & O_TRUNC)
			mapped_cut(dir, (const char *)at, pc);
		break;
	case EFFECT_STREAM:
		if (at && flags && flags_of((const char *)flags) & O_TRUNC)
			mapped_cut(AT_FDCWD, (const char *)at, pc);
		break;
	case EFFECT_SHARED:
		if (e->flags != NO_ARGUMENT && flags & O_TRUNC && shared_path(path, sizeof(path), (const char *)at))
			mapped_cut(AT_FDCWD, path, pc);
		break;
	case EFFECT_HOLE:
		mapped_allocated((int)at, (int)arg[1], arg[2], arg[3], pc);
		break;
	case EFFECT_GROW:
		mapped_allocated((int)at, 0, arg[1], arg[2], pc);
		break;
	default:
		break;
	}
}

/* An option may decide what a call does that has looked the socket up already. Calls on sockets are events. */
static void touch_socket(const struct effect_of_call *e, const uint64_t arg[6], const void *pc)
{
	int fd = (int)arg[e->at];

	if (e->kind != EFFECT_SETTINGS || e->use == RESOURCE_READ)
		return;
	if (!resource_settings_visible(e->flags, resource_open_file(fd)))
		return;
	struct open_file *f = fd_lookup(fd);

	if (f)
		fd_touch(f, pc);
}

void effects_before(const struct effect_of_call *effects, const uint64_t arg[6], const void *pc)
{
	struct call c = {effects, arg};

	if (effects->kind == EFFECT_QUESTION && (int)arg[0] != effects->flags)
		return;
	outside_touched |= effects->kind;
	if (!mem_on || !effects->kind || !ctl_enter_unnoticed())
		return;
	touch_socket(effects, arg, pc);
	resources_perform_found(find, &c, pc);
	ctl_leave();
	if (__builtin_expect(mapped_any, 0))
		for (const struct effect_of_call *e = effects; e->kind; e++)
			cut(e, arg, pc);
}
