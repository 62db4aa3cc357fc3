/* A function whose accesses are not described. The verdict says so, but only if several threads could have noticed these accesses.
 * check: complete says=except_for_calls_of_libc's_mbsrtowcs_.*,_whose_memory_accesses_are_not_seen : -- thread
 * check: complete never=except_for : -- before
 * check: complete never=except_for : -- after
 */
#include <pthread.h>
#include <string.h>
#include <wchar.h>

static const char *mode;

static void convert(const char *when)
{
	const char *s = "text";
	wchar_t w[8];
	mbstate_t state;

	if (strcmp(when, mode))
		return;
	memset(&state, 0, sizeof(state));
	mbsrtowcs(w, &s, 8, &state);
}

static void *work(void *arg)
{
	convert("thread");
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	mode = argv[1];
	convert("before");
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	convert("after");
	return 0;
}
