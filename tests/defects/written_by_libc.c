/* Functions of libc that write to a descriptor without a stream, or to the standard error: a thread may be at the
 * other end of the pipe. They were no events: "complete: there is only one trace", although the reader finds either
 * nothing or the text. The same for the size of a pipe.
 * check: bug kind=exit replays=3 : -- dprintf
 * check: bug kind=exit : -- perror
 * check: bug kind=exit : -- psignal
 * check: bug kind=exit : -- psiginfo
 * check: bug kind=exit : -- warn
 * check: bug kind=exit : -- error
 * check: bug kind=exit : -- herror
 * check: bug kind=exit : -- file
 * check: bug kind=exit : -- size
 * check: complete traces=1 : -- standard
 * long: bug kind=exit : --isolation exec -- dprintf
 * long: bug kind=exit : --jobs 2 -- warn
 */
#include <assert.h>
#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2], file = -1;
static const char *how;

static int is(const char *mode)
{
	return !strcmp(how, mode);
}

static void *writes(void *text)
{
	siginfo_t info = {.si_signo = SIGTERM};

	if (is("dprintf"))
		dprintf(ends[1], "%d", 3);
	else if (is("perror") || is("standard"))
		perror(text);
	else if (is("psignal"))
		psignal(SIGTERM, text);
	else if (is("psiginfo"))
		psiginfo(&info, text);
	else if (is("warn"))
		warn("%d", 3);
	else if (is("error"))
		error(0, 0, "%d", 3);
	else if (is("herror"))
		herror(text);
	else if (is("file"))
		dprintf(file, "%s", (const char *)text);
	else
		fcntl(ends[1], F_SETPIPE_SZ, 65536);
	return NULL;
}

/* Returns whether the call came first. */
static int looks(void)
{
	static char page[4096];
	char text[3] = "";

	if (is("standard"))
		return 0;
	if (is("size"))
		return write(ends[1], page, sizeof(page)) == sizeof(page);
	if (is("file")) {
		writes("b");
		return pread(file, text, 2, 0) == 2 && text[0] == 'a';
	}
	return read(ends[0], text, 1) == 1;
}

int main(int argc, char **argv)
{
	static char page[4096];
	pthread_t t;
	int first;

	assert(argc == 2 && !pipe(ends));
	how = argv[1];
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (is("file"))
		assert((file = open("written", O_RDWR | O_CREAT | O_TRUNC, 0600)) >= 0);
	if (is("size")) {
		assert(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096 && write(ends[1], page, 4096) == 4096);
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
	}
	if (!is("dprintf") && !is("file") && !is("size") && !is("standard"))
		dup2(ends[1], STDERR_FILENO);
	pthread_create(&t, NULL, writes, "a");
	first = looks();
	pthread_join(t, NULL);
	_exit(first ? 3 : 0);
}
