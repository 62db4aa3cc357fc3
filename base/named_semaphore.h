/* Opening a named semaphore: what the hooks of sem_open in both libraries share. */
#ifndef SIMUL_NAMED_SEMAPHORE_H
#define SIMUL_NAMED_SEMAPHORE_H

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>

/* The arguments of sem_open. Without O_CREAT in `flags` the last two are 0. */
struct named_semaphore {
	const char *name;
	int flags;
	mode_t mode;
	unsigned value;
};

typedef sem_t *named_semaphore_open(const char *name, int flags, ...);

/* Returns the arguments of a call whose further arguments are in ap. */
static inline struct named_semaphore named_semaphore_arguments(const char *name, int flags, va_list ap)
{
	struct named_semaphore a = {.name = name, .flags = flags};

	if (flags & O_CREAT) {
		a.mode = va_arg(ap, mode_t);
		a.value = va_arg(ap, unsigned);
	}
	return a;
}

/* Opens the semaphore by `open`, which is libc's sem_open. Returns what that returns, with its errno. *ours: this call
   has created the semaphore, or has failed to. */
static inline sem_t *named_semaphore_open_by(named_semaphore_open *open, const struct named_semaphore *a, bool *ours)
{
	int saved = errno;

	*ours = true;
	if (a->flags & O_CREAT) {
		sem_t *s = open(a->name, a->flags | O_EXCL, a->mode, a->value);

		if (s != SEM_FAILED || errno != EEXIST || (a->flags & O_EXCL))
			return s;
		errno = saved;
	}
	*ours = false;
	return open(a->name, a->flags, a->mode, a->value);
}

#endif
