/* See own_files.h. */
#include "enforce/lib/own_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "enforce/lib/real.h"

#define MOST_INHERITED 256

static dev_t pipes; /* the kernel's file system of pipes; named pipes are in others */
static bool known;  /* `pipes` is set */
static ino_t inherited[MOST_INHERITED];
static unsigned n_inherited;

static void note_inherited(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return;
	if (n_inherited == MOST_INHERITED)
		gate_refuse("the certificate cannot be enforced: the program starts with more than %d pipes", MOST_INHERITED);
	inherited[n_inherited++] = st.st_ino;
}

static void find_file_system(void)
{
	struct stat st;
	int end[2];

	if (REAL(pipe)(end))
		return;
	if (!fstat(end[0], &st)) {
		pipes = st.st_dev;
		known = true;
	}
	REAL(close)(end[0]);
	REAL(close)(end[1]);
}

void own_files_init(void)
{
	DIR *d = opendir("/proc/self/fd");
	const struct dirent *e;

	while (d && (e = readdir(d)))
		note_inherited(atoi(e->d_name));
	if (d)
		closedir(d);
	find_file_system();
}

static bool is_inherited(ino_t number)
{
	unsigned i = 0;

	while (i < n_inherited && inherited[i] != number)
		i++;
	return i < n_inherited;
}

bool own_files_use(int fd, struct use *use)
{
	int saved = errno;
	struct stat st;
	bool own;

	if (__builtin_expect(!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE), 1))
		return false;
	own = known && !fstat(fd, &st) && S_ISFIFO(st.st_mode) && st.st_dev == pipes && !is_inherited(st.st_ino);
	errno = saved;
	if (own)
		*use = (struct use){.kind = OBJ_FD, .addr = st.st_ino};
	return own;
}
