/* A thread looks at a counter and moves a position outside of memory, turn after turn, until the position has come to
 * its end: in a file, a stream or a directory. simul once took such turns for rounds that change nothing, and said
 * complete after 4 traces, or it said `livelock`. The thread makes 4 turns, and the other one counts 3 times. So there
 * are as many traces as ways to place 3 writes among 4 reads: 35.
 * build: gcc -g -O1 -pthread
 * check: complete traces=35 : -- read
 * check: complete traces=35 : -- lseek
 * check: complete traces=35 : -- write
 * check: complete traces=35 : -- pwrite
 * check: complete traces=35 : -- copy
 * check: complete traces=35 : -- sendfile
 * check: complete traces=35 : -- fgetc
 * check: complete traces=35 : -- unlocked
 * check: complete traces=35 : -- fseek
 * check: complete traces=35 : -- readdir
 * check: complete traces=35 : -- getdents
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURNS 4

static volatile int counter;
static int from, to;
static FILE *stream;
static DIR *directory;

static int by_read(void)
{
	char c;

	return read(from, &c, 1) == 1 && c == '.';
}

static int by_lseek(void)
{
	return lseek(from, 1, SEEK_CUR) < TURNS;
}

static int by_write(void)
{
	struct stat st;

	return write(to, "x", 1) == 1 && !fstat(to, &st) && st.st_size < TURNS;
}

static int by_pwrite(void)
{
	struct stat st;

	return !fstat(to, &st) && pwrite(to, "x", 1, st.st_size) == 1 && st.st_size + 1 < TURNS;
}

static int by_copy(void)
{
	return copy_file_range(from, NULL, to, NULL, 1, 0) == 1 && lseek(to, 0, SEEK_CUR) < TURNS;
}

static int by_sendfile(void)
{
	return sendfile(to, from, NULL, 2) == 2;
}

static int by_fgetc(void)
{
	return fgetc(stream) == '.';
}

static int by_unlocked(void)
{
	char text;
	size_t n;

	flockfile(stream);
	n = fread_unlocked(&text, 1, 1, stream);
	funlockfile(stream);
	return n == 1 && text == '.';
}

static int by_fseek(void)
{
	return !fseek(stream, 1, SEEK_CUR) && ftell(stream) < TURNS;
}

static int by_readdir(void)
{
	return readdir(directory) != NULL;
}

static int by_getdents(void)
{
	char entry[32]; /* room for one */

	return getdents64(from, entry, sizeof(entry)) > 0;
}

static const struct {
	const char *name;
	int (*move)(void);
} ways[] = {
	{"read", by_read},
	{"lseek", by_lseek},
	{"write", by_write},
	{"pwrite", by_pwrite},
	{"copy", by_copy},
	{"sendfile", by_sendfile},
	{"fgetc", by_fgetc},
	{"unlocked", by_unlocked},
	{"fseek", by_fseek},
	{"readdir", by_readdir},
	{"getdents", by_getdents},
};

static void *count(void *unused)
{
	for (int i = 0; i < 3; i++)
		counter++;
	return unused;
}

/* A file with TURNS - 1 dots and another character, twice as many bytes less one for sendfile, or a directory with 3
   entries. */
static void make(const char *how)
{
	int fd;

	if (!strcmp(how, "readdir") || !strcmp(how, "getdents")) {
		assert(!mkdir("entries", 0700) || errno == EEXIST);
		fd = open("entries/a", O_CREAT | O_WRONLY, 0600);
		assert(fd >= 0 && !close(fd));
		directory = opendir("entries");
		from = open("entries", O_RDONLY);
		return;
	}
	from = memfd_create("from", 0);
	to = memfd_create("to", 0);
	assert(!strcmp(how, "sendfile") ? write(from, "......b", 7) == 7 : write(from, "...b", 4) == 4);
	assert(!lseek(from, 0, SEEK_SET));
	stream = fdopen(from, "r");
	assert(stream);
}

int main(int argc, char **argv)
{
	int (*move)(void) = NULL, seen;
	pthread_t t;

	for (unsigned i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		move = argc > 1 && !strcmp(ways[i].name, argv[1]) ? ways[i].move : move;
	assert(move);
	make(argv[1]);
	assert(!pthread_create(&t, NULL, count, NULL));
	do {
		seen = counter;
		usleep(1);
	} while (move());
	(void)seen;
	assert(!pthread_join(t, NULL));
	return 0;
}
