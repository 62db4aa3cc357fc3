/* rust deadlock: two mutexes of Rust's std, locked in opposite orders. rust panic: a thread panics, and so does the one that joins it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/explain/std_of_rust.h"

static struct { struct std_mutex items, log; } depot = { STD_MUTEX, STD_MUTEX };
static atomic_int sold;

static void *sell(void *arg)
{
	(void)arg;
	depot.log.lock(&depot.log);
	depot.items.lock(&depot.items); /* the second of sell */
	std_unlock(&depot.items);
	std_unlock(&depot.log);
	return NULL;
}

static void *check(void *arg)
{
	if (atomic_fetch_add(&sold, 1) == 0)
		return NULL;
	std_panic("<unnamed>", "'assertion failed: `(left == right)`\n  left: `1`,\n right: `0`: sold twice', src/depot.rs:41:9");
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *failed = NULL;
	int panic = argc > 1 && !strcmp(argv[1], "panic");

	pthread_create(&thread, NULL, panic ? check : sell, &thread);
	if (panic) {
		atomic_fetch_add(&sold, 1);
	} else {
		depot.items.lock(&depot.items); /* the first of main */
		depot.log.lock(&depot.log); /* the second of main */
		std_unlock(&depot.log);
		std_unlock(&depot.items);
	}
	pthread_join(thread, &failed);
	if (failed) {
		std_panic("main", "'called `Result::unwrap()` on an `Err` value: Any { .. }', src/main.rs:9:14");
		exit(101);
	}
	return 0;
}
