/* Programs that the program starts, a child that it forks, and a library's constructor call strtok. simul keeps strtok's position, but had no place
 * for it there: the started programs died of a segmentation fault. Found with varnishd, which starts gcc.
 * build: gcc -g -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/part.so && gcc -g -O1 -pthread -Wl,--no-as-needed @SRC@ @DIR@/part.so -o @OUT@
 * check: complete : --
 * check: complete : --isolation exec --
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
static char text[] = "first second third";

static void __attribute__((constructor)) begin(void)
{
	assert(!strcmp(strtok(text, " "), "first"));
}
#else
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static char **own_argv;

static void expect(const char *piece)
{
	const char *found = strtok(NULL, " ");

	assert(found && !strcmp(found, piece));
}

static void *start(void *unused)
{
	pid_t child = fork();
	int status;

	if (!child) {
		expect("third");
		execl("/proc/self/exe", own_argv[0], "child", NULL);
		_exit(1);
	}
	assert(child > 0 && waitpid(child, &status, 0) == child);
	assert(status == 0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	own_argv = argv;
	expect("second");
	if (argc > 1)
		return 0;
	pthread_create(&t, NULL, start, NULL);
	pthread_join(t, NULL);
	expect("third");
	return 0;
}
#endif
