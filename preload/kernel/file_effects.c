#include "preload/kernel/file_effects.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "preload/control/ctl.h"
#include "preload/base/outside.h"
#include "preload/kernel/file_identity.h"
#include "preload/kernel/process.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define MAX_LINKS 16

static const struct effect nothing;

static struct journal *journal(void)
{
	return ctl_segment(ctl_session->layout.files_off);
}

/* ---- absolute paths, in static memory because a thread's stack may be small ---- */

struct path {
	char text[PATH_MAX];
};

/* Sets *out to the directory that relative paths start from. */
static bool start_of(int dir, struct path *out)
{
	char link[32];
	long n;

	if (dir == AT_FDCWD)
		return !sys_failed(sys_call2(SYS_getcwd, (long)out->text, PATH_MAX)) && out->text[0] == '/';
	snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
	n = sys_call4(SYS_readlinkat, AT_FDCWD, (long)link, (long)out->text, PATH_MAX - 1);
	if (sys_failed(n))
		return false;
	out->text[n] = 0;
	return out->text[0] == '/';
}

/* Replaces the part of *out from `at` on by `path`. Returns false if that is too long. */
static bool append(struct path *out, size_t at, const char *path)
{
	size_t n = strlen(path);

	if (at + n + 2 > PATH_MAX)
		return false;
	if (at && out->text[at - 1] != '/')
		out->text[at++] = '/';
	memcpy(out->text + at, path, n + 1);
	while (at + n > 1 && out->text[at + n - 1] == '/') /* "dir/" is "dir" */
		out->text[at + --n] = 0;
	return true;
}

static bool follow(struct path *p)
{
	static struct path link;

	for (int i = 0; i < MAX_LINKS; i++) {
		long n = sys_call4(SYS_readlinkat, AT_FDCWD, (long)p->text, (long)link.text, PATH_MAX - 1);

		if (sys_failed(n))
			return true; /* not a link */
		link.text[n] = 0;
		size_t at = link.text[0] == '/' ? 0 : (size_t)(strrchr(p->text, '/') + 1 - p->text);

		if (!append(p, at, link.text))
			return false;
	}
	return false; /* the call will fail with ELOOP */
}

/* Sets *out to the absolute path. Returns false if a change of this path needs no restoring. */
static bool resolve(int dir, const char *path, unsigned flags, struct path *out)
{
	out->text[0] = 0;
	if (!path || !*path || (path[0] != '/' && !start_of(dir, out)))
		return false;
	if (!append(out, path[0] == '/' ? 0 : strlen(out->text), path)) {
		ctl_uncontrolled("a change to a file with a very long path");
		return false;
	}
	if ((flags & EFFECT_FOLLOW) && !follow(out))
		return false;
	return !file_is_of_kernel(out->text);
}

/* ---- before the call ---- */

static bool is_there(const struct path *p)
{
	struct stat st;

	return sys_call4(SYS_newfstatat, AT_FDCWD, (long)p->text, (long)&st, AT_SYMLINK_NOFOLLOW) == 0;
}

static struct effect note_effect(const struct path *p, unsigned flags)
{
	struct effect e = {true, false, journal()->end};

	rewind_taint("change files");
	if ((flags & EFFECT_NEW) && is_there(p))
		return nothing;
	outside_note("changes %.900s", p->text);
	journal_save(journal(), p->text);
	return e;
}

/* Called for an open that can write. If the file is the memory of a process, records that simul does not see writes to it. */
static void note_memory_file(const char *path)
{
	size_t n = strlen(path);
	pid_t pid = 0;

	if (strncmp(path, "/proc/", 6) || strcmp(path + n - 4, "/mem"))
		return;
	for (const char *c = path + strlen("/proc/"); *c >= '0' && *c <= '9' && pid < INT_MAX / 10 - 1; c++)
		pid = pid * 10 + (*c - '0');
	if (pid)
		process_refuse_keeper(pid, "open of /proc/PID/mem");
	ctl_uncontrolled("writing to memory by /proc/PID/mem: no access is seen");
}

struct effect effect_on(int dir, const char *path, unsigned flags)
{
	static struct path p;
	struct effect e = nothing;

	if (!ctl_enter())
		return e;
	if (resolve(dir, path, flags, &p))
		e = note_effect(&p, flags);
	else
		note_memory_file(p.text);
	ctl_leave();
	return e;
}

struct effect effect_attributes(int dir, const char *path, unsigned flags)
{
	static struct path p;
	struct effect e = nothing;

	if (!ctl_enter())
		return e;
	if (path && *path ? resolve(dir, path, flags, &p) : start_of(dir, &p) && !file_is_of_kernel(p.text)) {
		e = (struct effect){true, false, journal()->end};
		rewind_taint("change files");
		outside_note("changes %.900s", p.text);
		journal_attributes(journal(), p.text);
	}
	ctl_leave();
	return e;
}

struct effect effect_open(int dir, const char *path, int flags)
{
	if (__builtin_expect(!(flags & (O_ACCMODE | O_CREAT | O_TRUNC)), 1))
		return nothing;
	if ((flags & O_TMPFILE) == O_TMPFILE || (flags & O_PATH))
		return nothing;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return effect_on(dir, path, EFFECT_NEW);
	if ((flags & (O_ACCMODE | O_TRUNC)) == O_RDONLY) /* O_CREAT alone does not change an existing file */
		return effect_on(dir, path, EFFECT_NEW | EFFECT_FOLLOW);
	return effect_on(dir, path, EFFECT_FOLLOW);
}

struct effect effect_fopen(const char *path, const char *mode)
{
	bool plus = false, x = false;

	if (!path || !mode)
		return nothing;
	for (const char *c = mode; *c && *c != ','; c++) { /* a comma ends the mode: the character set follows */
		plus |= *c == '+';
		x |= *c == 'x';
	}
	if (mode[0] == 'r' && !plus)
		return nothing;
	return effect_on(AT_FDCWD, path, x ? EFFECT_NEW : EFFECT_FOLLOW);
}

struct effect effect_rename(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	static struct path a, b;
	struct effect e = nothing;

	if (!ctl_enter())
		return e;
	if (resolve(from_dir, from, 0, &a) && resolve(to_dir, to, 0, &b)) {
		e = (struct effect){true, true, journal()->end};
		rewind_taint("change files");
		outside_note("renames %.900s", a.text);
		if (!(flags & RENAME_EXCHANGE))
			journal_save(journal(), b.text);
		journal_rename(journal(), a.text, b.text, flags & RENAME_EXCHANGE);
	}
	ctl_leave();
	return e;
}

struct effect effect_link(int dir, const char *path)
{
	static struct path p;
	struct effect e = nothing;

	if (!ctl_enter())
		return e;
	if (resolve(dir, path, 0, &p)) {
		e = note_effect(&p, EFFECT_NEW);
		if (e.noted)
			journal_link(journal(), p.text);
	}
	ctl_leave();
	return e;
}

struct effect effect_shm(const char *prefix, const char *name, unsigned flags)
{
	static struct path p;
	struct effect e = nothing;
	bool inside = ctl_inside; /* the hook of sem_open calls this inside simul */

	if (ctl_state != CTL_ON || !name)
		return e;
	ctl_inside = 1;
	while (*name == '/')
		name++;
	if (snprintf(p.text, sizeof(p.text), "/dev/shm/%s%s", prefix, name) < PATH_MAX)
		e = note_effect(&p, flags);
	ctl_inside = inside;
	return e;
}

/* ---- after the call ---- */

void effect_after(const struct effect *e, bool failed)
{
	if (failed)
		journal_cancel(journal(), e->before);
	else if (e->renames)
		journal_renamed(journal());
}
