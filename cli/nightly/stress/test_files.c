#include "cli/nightly/stress/test_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "base/xalloc.h"

#define SEARCH "search"
#define RESULT "result.json"
#define RECORDINGS "recordings/"
#define SUFFIX ".simul"
#define MOST_BYTES ((size_t)256 << 20) /* of a file: PostgreSQL's limit for a value is 1 GiB */
#define MOST_RECORDINGS 200

static char *search_path(const struct stress_test *t)
{
	return xasprintf("%s/simul-state", t->files.search);
}

/* Returns the bytes of a regular file, malloc()ed; NULL with errno: it cannot be read. */
static char *read_whole(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), error;
	struct stat st;
	char *data = NULL;
	ssize_t n = 1;

	*size = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st))
		error = errno;
	else
		error = !S_ISREG(st.st_mode) ? EINVAL : st.st_size < 0 || (size_t)st.st_size > MOST_BYTES ? EFBIG : 0;
	if (!error && !(data = malloc((size_t)st.st_size + 1)))
		error = ENOMEM;
	while (!error && n > 0 && *size < (size_t)st.st_size) {
		n = read(fd, data + *size, (size_t)st.st_size - *size);
		if (n < 0)
			error = errno;
		else
			*size += (size_t)n;
	}
	close(fd);
	if (!error)
		return data;
	free(data);
	errno = error;
	return NULL;
}

static bool put_one(struct stress_test *t, const char *path, const char *name, bool (*put)(void *, const char *, const void *, size_t), void *arg)
{
	size_t size;
	char *data = read_whole(path, &size);
	bool ok = true;

	if (data)
		ok = put(arg, name, data, size);
	else if (errno != ENOENT)
		stress_note(t, "%s cannot be stored in the database: %s", name, strerror(errno));
	free(data);
	return ok;
}

static bool is_recording(const char *name)
{
	size_t n = strlen(name);

	return *name != '.' && n > strlen(SUFFIX) && n < 250 && !strchr(name, '/') && !strcmp(name + n - strlen(SUFFIX), SUFFIX);
}

bool files_each(struct stress_test *t, bool (*put)(void *arg, const char *name, const void *data, size_t size), void *arg)
{
	char *search = search_path(t);
	bool ok = put_one(t, search, SEARCH, put, arg) && put_one(t, t->files.record, RESULT, put, arg);
	DIR *d = opendir(t->files.recordings);
	struct dirent *entry;
	int n = 0;

	free(search);
	while (ok && d && (entry = readdir(d)) && n < MOST_RECORDINGS) {
		char *path, *name;

		if (!is_recording(entry->d_name))
			continue;
		path = xasprintf("%s/%s", t->files.recordings, entry->d_name);
		name = xasprintf(RECORDINGS "%s", entry->d_name);
		ok = put_one(t, path, name, put, arg);
		n++;
		free(path);
		free(name);
	}
	if (d)
		closedir(d);
	return ok;
}

void files_place(struct stress_test *t, const char *name, const void *data, size_t size)
{
	const char *why = NULL, *recording = strncmp(name, RECORDINGS, strlen(RECORDINGS)) ? NULL : name + strlen(RECORDINGS);
	char *path = NULL;
	int error = 0;

	if (!strcmp(name, SEARCH)) {
		error = mkdir(t->files.search, 0700) && errno != EEXIST ? -errno : 0;
		path = search_path(t);
	} else if (!strcmp(name, RESULT)) {
		path = xstrdup(t->files.record);
	} else if (recording && is_recording(recording)) {
		error = mkdir(t->files.recordings, 0700) && errno != EEXIST ? -errno : 0;
		path = xasprintf("%s/%s", t->files.recordings, recording);
	} else {
		stress_note(t, "the database has a file with the name %.100s, which is ignored", name);
		return;
	}
	if (!error)
		error = write_whole(path, data, size, 0600, &why);
	if (error)
		stress_note(t, "cannot write %s: %s%s%s", path, why ? why : "", why ? ": " : "", strerror(-error));
	free(path);
}

void files_remove(struct stress_test *t)
{
	char *search = search_path(t);
	DIR *d = opendir(t->files.recordings);
	struct dirent *entry;

	unlink(search);
	unlink(t->files.record);
	while (d && (entry = readdir(d)))
		if (is_recording(entry->d_name))
			unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		closedir(d);
	free(search);
}
