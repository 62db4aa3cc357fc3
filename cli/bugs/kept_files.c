#include "cli/bugs/kept_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base_name.h"
#include "base/xalloc.h"
#include "cli/base/say.h"

struct copying {
	char *to; /* directory to which absolute paths are appended */
	unsigned n;
	bool complained;
	char **seen; /* paths copied or tried; the journal lists a path once for each change */
	size_t n_seen;
};

static bool seen_before(struct copying *c, const char *path)
{
	for (size_t i = 0; i < c->n_seen; i++)
		if (!strcmp(c->seen[i], path))
			return true;
	c->seen = xgrow(c->seen, c->n_seen, sizeof(*c->seen));
	c->seen[c->n_seen++] = xstrdup(path);
	return false;
}

static void complain(struct copying *c, const char *path)
{
	if (!c->complained)
		say("--keep-files: cannot copy %s to %s: %s", path, c->to, strerror(errno));
	c->complained = true;
}

/* Creates the directories above the last part of `path`. */
static bool make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		bool made = !mkdir(path, 0777) || errno == EEXIST;
		*slash = '/';
		if (!made)
			return false;
	}
	return true;
}

static bool copy_bytes(int from, int to)
{
	char buf[65536];
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0)
		for (ssize_t done = 0, w; done < n; done += w)
			if ((w = write(to, buf + done, (size_t)(n - done))) <= 0)
				return false;
	return n == 0;
}

static bool copy_file(const char *path, const char *to, mode_t mode)
{
	int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), out;
	bool ok = false;

	if (from < 0)
		return false;
	if (!unlink(to) || errno == ENOENT) {
		out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
		ok = out >= 0 && copy_bytes(from, out);
		if (out >= 0)
			ok = !close(out) && ok;
	}
	close(from);
	return ok;
}

static bool copy_link(const char *path, const char *to)
{
	char says[PATH_MAX];
	ssize_t n = readlink(path, says, sizeof(says) - 1);

	if (n < 0)
		return false;
	says[n] = 0;
	unlink(to);
	return !symlink(says, to);
}

static void copy(void *ctx, const char *path)
{
	struct copying *c = ctx;
	struct stat st;
	bool ok = true;
	char *to;

	if (path[0] != '/' || seen_before(c, path) || lstat(path, &st))
		return; /* already copied, or removed by the execution */
	to = xasprintf("%s%s", c->to, path);
	if (!make_parents(to))
		ok = false;
	else if (S_ISREG(st.st_mode))
		ok = copy_file(path, to, st.st_mode);
	else if (S_ISLNK(st.st_mode))
		ok = copy_link(path, to);
	else if (S_ISDIR(st.st_mode))
		ok = !mkdir(to, 0777) || errno == EEXIST;
	if (!ok)
		complain(c, path);
	c->n += ok && !S_ISDIR(st.st_mode);
	free(to);
}

/* Returns "DIR/NAME". */
static char *place(const char *dir, const char *recording)
{
	const char *base = base_name(recording), *dot = strrchr(base, '.');
	int n = dot && !strcmp(dot, ".simul") ? (int)(dot - base) : (int)strlen(base);

	return xasprintf("%s/%.*s", dir, n, base);
}

unsigned kept_files_copy(const struct segment *seg, const char *dir, const char *recording)
{
	struct copying c = {.to = place(dir, recording)};

	journal_paths(segment_journal(seg), copy, &c);
	while (c.n_seen)
		free(c.seen[--c.n_seen]);
	free(c.seen);
	free(c.to);
	return c.n;
}

void kept_files_tell(unsigned n, const char *dir, const char *recording)
{
	char *to = place(dir, recording);

	if (n)
		say("%u file%s changed by the failing execution copied to %s", n, n == 1 ? "" : "s", to);
	else
		say("--keep-files: the failing execution changed no file");
	free(to);
}
