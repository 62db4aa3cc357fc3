#include "cli/base/json_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/say.h"

bool output_check(const char *option, const char *path)
{
	int fd;

	if (!path || !strcmp(path, "-"))
		return true;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		say("--%s %s: cannot be written: %s", option, path, strerror(errno));
		return false;
	}
	close(fd);
	return true;
}

bool output_put(json_t *o, const char *option, const char *path)
{
	bool to_stdout = !strcmp(path, "-"), ok;
	FILE *f = to_stdout ? stdout : fopen(path, "we");

	if (!f) {
		say("--%s %s: cannot be written: %s", option, path, strerror(errno));
		json_decref(o);
		return false;
	}
	ok = json_dumpf(o, f, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) == 0;
	ok &= fputc('\n', f) != EOF && fflush(f) == 0;
	json_decref(o);
	if (!to_stdout)
		ok &= fclose(f) == 0;
	if (!ok)
		say("--%s %s: cannot be written: %s", option, path, strerror(errno));
	return ok;
}

bool json_check(const char *path)
{
	return output_check("json", path);
}

bool json_put(json_t *o, const char *path)
{
	return output_put(o, "json", path);
}
