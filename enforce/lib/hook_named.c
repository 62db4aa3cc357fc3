/*
 * Named semaphores. The semaphores are libc's own, as in the search (preload/hooks/hook_sem.c): sem_open and sem_unlink
 * are events on the names of all semaphores, and sem_close keeps the mapping, so that a semaphore that is opened again
 * is at the same address. `simul certify` has seen no semaphore that existed before, so one that does is a divergence.
 */
#include <errno.h>
#include <semaphore.h>

#include "base/named_semaphore.h"
#include "base/own_files.h"
#include "enforce/lib/gate.h"
#include "enforce/lib/hook_malloc.h"
#include "enforce/lib/real.h"
#include "enforce/lib/short_lock.h"

#define MOST_NAMED 4096

static sem_t *named[MOST_NAMED]; /* all that the program has opened */
static uint32_t n_named;
static uint32_t lock;

static bool is_named(const sem_t *s)
{
	uint32_t n = __atomic_load_n(&n_named, __ATOMIC_ACQUIRE), i = 0;

	while (i < n && named[i] != s)
		i++;
	return i < n;
}

/* Returns whether it is new. */
static bool add_named(sem_t *s)
{
	bool new;

	short_lock(&lock);
	new = !is_named(s);
	if (new && n_named == MOST_NAMED)
		gate_refuse("the certificate cannot be enforced: more than %d named semaphores are open", MOST_NAMED);
	if (new) {
		named[n_named] = s;
		__atomic_store_n(&n_named, n_named + 1, __ATOMIC_RELEASE);
	}
	short_unlock(&lock);
	return new;
}

static bool begin_names(void)
{
	struct use use = {.kind = OBJ_FD, .addr = own_file_address(OWN_FILE_NAMES, 0)};

	return gate_begin(EV_FD_OTHER, &use, 1);
}

static void end_names(bool mine)
{
	int saved = errno;

	if (mine)
		gate_end();
	errno = saved;
}

EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	struct named_semaphore a;
	uint32_t thread;
	bool ours, mine;
	va_list ap;
	sem_t *s;

	va_start(ap, flags);
	a = named_semaphore_arguments(name, flags, ap);
	va_end(ap);
	if (!gate_owns)
		return REAL(sem_open)(name, flags, a.mode, a.value);
	mine = begin_names();
	thread = heap_leave();
	s = named_semaphore_open_by(REAL(sem_open), &a, &ours);
	heap_thread(thread);
	if (s != SEM_FAILED && add_named(s) && !ours)
		gate_diverge("the program diverges from its certificate: the semaphore %s that it opens existed",
			name);
	end_names(mine);
	return s;
}

EXPORT int sem_close(sem_t *s)
{
	if (!gate_owns)
		return REAL(sem_close)(s);
	if (is_named(s))
		return 0;
	errno = EINVAL;
	return -1;
}

EXPORT int sem_unlink(const char *name)
{
	bool mine = begin_names();
	int r = REAL(sem_unlink)(name);

	end_names(mine);
	return r;
}
