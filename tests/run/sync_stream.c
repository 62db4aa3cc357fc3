/* flockfile keeps other threads' locked sections out, and the holder's own stdio works inside. */
#include <pthread.h>

#include "sync_check.h"

static FILE *file;
static int inside;

static void *section(void *arg)
{
	flockfile(file);
	flockfile(file); /* it is recursive */
	CHECK(!inside);
	inside = 1;
	fprintf(file, "%s\n", (const char *)arg);
	sched_yield();
	fputs("more\n", file);
	inside = 0;
	funlockfile(file);
	funlockfile(file);
	return NULL;
}

static void *tries(void *arg)
{
	CHECK(ftrylockfile(file) != 0);
	return NULL;
}

int main(void)
{
	pthread_t t;

	file = tmpfile();
	CHECK(file);
	EXPECT(pthread_create(&t, NULL, section, "other"), 0);
	section("main");
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(ftrylockfile(file), 0);
	EXPECT(pthread_create(&t, NULL, tries, NULL), 0);
	EXPECT(pthread_join(t, NULL), 0);
	funlockfile(file);
	EXPECT((int)ftell(file), 5 + 6 + 2 * 5);
	fclose(file);
	return 0;
}
