#include "cli/base/proc_text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base_name.h"
#include "base/check.h"
#include "base/xalloc.h"
#include "cli/base/say.h"

#define PIECE 65535u /* bytes that are read at once */

char *proc_text_maps(pid_t pid)
{
	char path[64], *buf = xgrow_text(NULL, 0, PIECE + 1);
	size_t n = 0;
	ssize_t r;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (r = read(fd, buf + n, PIECE)) > 0) {
		n += (size_t)r;
		buf = xgrow_text(buf, n, PIECE + 1);
	}
	if (fd >= 0)
		close(fd);
	buf[n] = 0;
	return buf;
}

bool proc_text_line(const char **maps, struct mapping *m)
{
	const char *line = *maps, *end = strchrnul(line, '\n');
	int n = (int)(end - line), at = 0;
	char perms[8];

	*maps = *end ? end + 1 : end;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %n", &m->low, &m->high, perms, &at) != 3)
		return false;
	if (!at || at > n || n - at >= (int)sizeof(m->path))
		at = n;
	snprintf(m->path, sizeof(m->path), "%.*s", n - at, line + at);
	m->code = strchr(perms, 'x') || strstr(base_name(m->path), ".so");
	return true;
}

bool proc_text_mapping(const char **maps, struct mapping *m)
{
	while (**maps) {
		if (!proc_text_line(maps, m))
			continue;
		if (!strcmp(m->path, "[stack]"))
			return true;
		if (m->path[0] == '/' && strncmp(m->path, "/memfd:", 7) && strncmp(m->path, "/dev/", 5) && !strstr(m->path, " (deleted)"))
			return true;
	}
	return false;
}

/* Of a stack only the end is compared, since it grows downwards; of a file, the start. Directories are not compared, since simul may have
   been installed elsewhere in the meantime. */
static bool lies_there(const struct mapping *m, const char *maps)
{
	struct mapping other;

	while (proc_text_mapping(&maps, &other))
		if (!strcmp(base_name(other.path), base_name(m->path)) &&
			(m->path[0] == '[' ? other.high == m->high : other.low == m->low))
			return true;
	return false;
}

/* Returns the mapping of `from` that has no counterpart in `in`. Of each file only the start of its mappings is compared: the rest follows from it,
   and the number of pieces depends on the code reached. */
static bool find_missing(const char *from, const char *in, struct mapping *m)
{
	char last[sizeof(m->path)] = "";

	while (proc_text_mapping(&from, m)) {
		bool again = !strcmp(m->path, last) && m->path[0] == '/';

		strcpy(last, m->path);
		if (!again && !lies_there(m, in))
			return true;
	}
	return false;
}

/* Returns from where to where a file is mapped; 0: it is not. */
static uint64_t extent(const char *maps, const char *path)
{
	struct mapping m;
	uint64_t low = UINT64_MAX, high = 0;

	while (proc_text_mapping(&maps, &m)) {
		if (strcmp(base_name(m.path), base_name(path)))
			continue;
		low = m.low < low ? m.low : low;
		high = m.high > high ? m.high : high;
	}
	return high ? high - low : 0;
}

/* Finds a file that is mapped in `now` only, or with another size than `before`. Memory is allocated downwards, so the last one in the order of
   addresses moves all others. Returns whether there is one. */
static bool find_cause(const char *before, const char *now, char *why, size_t size)
{
	const char *at = now;
	struct mapping m;
	bool any = false;

	while (proc_text_mapping(&at, &m)) {
		uint64_t old = extent(before, m.path);

		if (m.path[0] != '/' || old == extent(now, m.path))
			continue;
		any = true;
		if (old)
			text_set(why, size, "%.600s has another size than at the start of this search, so memory lies elsewhere", m.path);
		else
			text_set(why, size, "the program loads or maps %.600s, which it did not at the start of this search, so memory lies elsewhere", m.path);
	}
	return any;
}

bool proc_text_same_addresses(const char *before, const char *now, char *why, size_t size)
{
	struct mapping m;

	if (!find_missing(before, now, &m) && !find_missing(now, before, &m))
		return true;
	if (find_cause(before, now, why, size))
		return false;
	if (m.path[0] == '/' && !extent(now, m.path))
		text_set(why, size, "the program no longer loads or maps %.600s, as it did at the start of this search", m.path);
	else
		text_set(why, size, "%.600s is not at its address from the start of this search, though the program maps the same files (possible causes: "
			"address randomisation is on, another processor, or memory that depends on the environment)", m.path);
	return false;
}
