/* Each turn of a waiting loop changes what the kernel or libc keeps, and a later turn fails because of it. simul once
 * left such turns out as if they changed nothing, and said "complete". A loop that closes what it opens changes
 * nothing.
 * check: bug kind=assert : -- leak
 * check: bug kind=assert : -- duplicate
 * check: bug kind=assert : -- mask
 * check: bug kind=assert : -- random
 * check: bug kind=assert : -- environment
 * check: bug kind=assert : -- priority
 * check: complete says=that_change_nothing : -- balanced
 * check: complete says=that_change_nothing : -- reads
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *how;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void longer(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%sx", getenv("TURNS"));
	assert(strlen(text) < 30);
	setenv("TURNS", text, 1);
	memset(text, 0, sizeof(text));
}

static void turn(void)
{
	if (!strcmp(how, "leak")) {
		assert(open("/dev/null", O_RDONLY) < 40);
	} else if (!strcmp(how, "duplicate")) {
		assert(dup(STDIN_FILENO) < 40);
	} else if (!strcmp(how, "mask")) {
		mode_t mask = umask(0);

		assert(mask < 0170);
		umask(mask + 1);
	} else if (!strcmp(how, "random")) {
		assert(rand() % 50 != 7);
	} else if (!strcmp(how, "environment")) {
		longer();
	} else if (!strcmp(how, "priority")) {
		assert(nice(1) < 15);
	} else if (!strcmp(how, "balanced")) {
		close(open("/dev/null", O_RDONLY));
	} else {
		assert(getpriority(PRIO_PROCESS, 0) < 20 && getenv("TURNS"));
	}
}

static int is_ready(void)
{
	pthread_mutex_lock(&lock);
	int now = ready;
	pthread_mutex_unlock(&lock);
	return now;
}

static void *waits(void *arg)
{
	while (!is_ready()) {
		turn();
		sched_yield();
	}
	return arg;
}

static void *signals(void *arg)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	how = argc > 1 ? argv[1] : "leak";
	umask(0);
	setenv("TURNS", "", 1);
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, signals, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
