/* A child sees the memory of the moment of the fork. A thread stores `value` meanwhile, and the child's exit status is what it read. simul took the fork to
 * be independent of the store: "complete: there is only one trace". "memcpy": the child reads by a function of libc. "ignored": main does
 * not look at the status. The fork is ordered with each of the three events of the thread (start, store, end): four traces. "exec", "exits": the
 * child reads nothing that the thread writes. "before": it is forked before the thread.
 * check: bug kind=exit replays=3 : -- value
 * check: bug kind=exit : --strategy optimal -- value
 * check: bug kind=exit : --isolation exec -- value
 * check: bug kind=exit : -- memcpy
 * check: complete traces=4 : -- ignored
 * check: complete traces=1 : -- exec
 * check: complete traces=1 : -- exits
 * check: complete traces=1 : -- before
 * long: bug kind=exit : --model tso -- value
 * long: bug kind=exit : --strategy source -- memcpy
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int value;

static void *setter(void *arg)
{
	value = 1;
	return arg;
}

static void __attribute__((noreturn)) child(const char *what)
{
	volatile size_t n = sizeof(int);
	int copy = 0;

	if (!strcmp(what, "exits"))
		_exit(0);
	if (!strcmp(what, "exec"))
		execl("/bin/true", "true", NULL);
	if (!strcmp(what, "memcpy"))
		memcpy(&copy, &value, n);
	else
		copy = value;
	_exit(copy);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "value";
	int status, before = !strcmp(what, "before");
	pthread_t t;
	pid_t pid = 0;

	if (!before)
		pthread_create(&t, 0, setter, 0);
	pid = fork();
	if (!pid)
		child(what);
	if (before)
		pthread_create(&t, 0, setter, 0);
	waitpid(pid, &status, 0);
	pthread_join(t, 0);
	return strcmp(what, "ignored") ? WEXITSTATUS(status) : 0;
}
