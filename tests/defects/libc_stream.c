/* Streams lock themselves, so the calls of several threads are atomic, and the order of their output is not an event. Closing a stream that another
 * thread uses is a race, and so are the unlocked calls. What a thread reads depends on which thread read before.
 * check: complete traces=1 never=data_race : -- print
 * check: bug kind=memory says=use_after_free : -- close
 * check: complete traces=1 never=data_race : -- close_after
 * check: complete traces=2 says=data_race : -- unlocked
 * check: complete traces=2 never=data_race : -- flockfile
 * check: bug kind=assert never=data_race : -- gets
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *mode;
static FILE *f;

static int is(const char *m)
{
	return !strcmp(mode, m);
}

static void *work(void *arg)
{
	char line[32];
	long i = (long)arg;

	if (is("print"))
		printf("%ld\n", i);
	if (is("close")) {
		if (i)
			fclose(f);
		else
			fputc('a', f);
	}
	if (is("close_after"))
		fputs("text", f);
	if (is("unlocked"))
		fputs_unlocked("ab", f);
	if (is("flockfile")) {
		flockfile(f);
		fputs_unlocked("ab", f);
		funlockfile(f);
	}
	if (is("gets")) {
		assert(fgets(line, sizeof(line), f));
		assert(line[0] == '0' + i);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	mode = argv[1];
	f = tmpfile();
	if (is("gets")) {
		fputs("0\n1\n", f);
		rewind(f);
	}
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (is("close_after"))
		fclose(f);
	return 0;
}
