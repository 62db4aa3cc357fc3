/* See own_files.h. */
#include "enforce/lib/own_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* Returns the number of an eventfd from the kernel's description of fd; 0: it is none. */
static uint64_t eventfd_number(int fd)
{
	static const char label[] = "eventfd-id:";
	char text[512];
	const char *at;
	ssize_t n;
	int info;

	snprintf(text, sizeof(text), "/proc/self/fdinfo/%d", fd);
	info = REAL(open)(text, O_RDONLY | O_CLOEXEC);
	n = info < 0 ? -1 : REAL(read)(info, text, sizeof(text) - 1);
	if (info >= 0)
		REAL(close)(info);
	text[n > 0 ? n : 0] = 0;
	at = strstr(text, label);
	return at ? strtoull(at + strlen(label), NULL, 10) + 1 : 0;
}

static enum own_file identify(int fd, struct use *use)
{
	enum own_file kind = OWN_FILE_NONE;
	uint64_t number = 0;
	struct stat st;

	if (fstat(fd, &st))
		return OWN_FILE_NONE;
	if (S_ISFIFO(st.st_mode) && known && st.st_dev == pipes && !is_inherited(st.st_ino)) {
		kind = OWN_FILE_PIPE;
		number = st.st_ino;
	} else if (!(st.st_mode & S_IFMT) && (number = eventfd_number(fd))) {
		kind = OWN_FILE_EVENTFD; /* an inherited one waits, too, though it need not */
	}
	*use = (struct use){.kind = OBJ_FD, .addr = own_file_address(kind, number)};
	return kind;
}

enum own_file own_files_use(int fd, struct use *use)
{
	int saved = errno;
	enum own_file kind;

	if (__builtin_expect(!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE), 1))
		return OWN_FILE_NONE;
	kind = identify(fd, use);
	errno = saved;
	return kind;
}
