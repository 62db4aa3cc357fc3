/* What a flush writes depends on what threads have put into the buffer before. A flush of an empty buffer was no event,
 * so no output of another thread came before it unless that was so by chance: simul said "complete" where one of the
 * other orders fails. Nor were calls without a lock on streams that have no buffer, or that write out each line.
 * check: bug kind=assert replays=3 : --strategy optimal -- ftell
 * check: bug kind=assert : --strategy source -- ftell
 * check: bug kind=assert replays=3 : -- position
 * check: bug kind=assert replays=3 : -- every
 * check: bug kind=assert replays=3 : -- lines
 * check: bug kind=assert replays=3 : -- unbuffered
 * check: complete traces=1 : --strategy optimal -- nobody_reads
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *how;
static FILE *stream;
static int number;
static long at = -1, position = -1;
static bool seen;

static bool is(const char *name)
{
	return !strcmp(how, name);
}

static void *reads(void *arg)
{
	char c;

	if (!is("position") && !is("nobody_reads"))
		seen = pread(number, &c, 1, 0) == 1;
	return arg;
}

static void *flushes(void *arg)
{
	if (is("ftell") || is("every"))
		at = ftell(stream);
	if (is("every"))
		fflush(NULL);
	else if (!is("lines") && !is("unbuffered"))
		fflush(stream);
	if (is("position"))
		position = lseek(number, 0, SEEK_CUR);
	return arg;
}

static void *puts_one(void *arg)
{
	if (is("lines") || is("unbuffered")) {
		flockfile(stream);
		putc_unlocked('\n', stream);
		funlockfile(stream);
	} else {
		fputc('\n', stream);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b, c;

	how = argc > 1 ? argv[1] : "ftell";
	stream = tmpfile();
	assert(stream);
	number = fileno(stream);
	if (is("lines"))
		setvbuf(stream, NULL, _IOLBF, 4096);
	if (is("unbuffered"))
		setvbuf(stream, NULL, _IONBF, 0);
	pthread_create(&a, NULL, is("position") ? puts_one : reads, NULL);
	pthread_create(&b, NULL, flushes, NULL);
	pthread_create(&c, NULL, is("position") ? reads : puts_one, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	assert((!is("ftell") && !is("every")) || at != 0 || !seen);
	assert(!is("position") || position != 0);
	assert((!is("lines") && !is("unbuffered")) || !seen);
	return 0;
}
