/*
 * Ends the session for a call that simul cannot control. The message names the call, the reason and an alternative. x86_64/refuse_stub.S defines
 * the hooks themselves.
 */
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/base/real.h"

#include "preload/base/rules.h"

_Static_assert(CTL_ON == 1, "x86_64/refuse_stub.S knows the number");

/* The reason and the alternative, by the beginning of the call's name. The first line that fits is used. The last one fits all names. */
static const struct {
	const char *prefix, *why, *way_out;
} reasons[] = {
	{"clone", "makes a thread or a process that libc does not know of", "use pthread_create, fork or posix_spawn"},
	{"__clone", "makes a thread or a process that libc does not know of", "use pthread_create, fork or posix_spawn"},
	{"aio_", "reads or writes in threads of libc's own, which nobody schedules", "use read and write in a thread"},
	{"lio_", "reads or writes in threads of libc's own, which nobody schedules", "use read and write in a thread"},
	{"mq_", "waits in the kernel for a queue that other processes share", "use a pipe or a socket"},
	{"__mq_", "waits in the kernel for a queue that other processes share", "use a pipe or a socket"},
	{"sem", "waits in the kernel for a System V semaphore", "use sem_wait or a mutex"},
	{"msg", "waits in the kernel for a System V message queue", "use a pipe or a socket"},
	{"signalfd", "makes a descriptor for signals, which simul delivers without the kernel", "use sigwait in a thread"},
	{"daemon", "goes on in another process", "run the program in the foreground"},
	{"", "does something that simul cannot schedule", "run the program without it"},
};

/* Called by the stubs, only under control and outside simul. */
void hook_refused(const char *name) __attribute__((noreturn));
void hook_refused(const char *name)
{
	size_t i = 0;

	ctl_enter();
	while (strncmp(name, reasons[i].prefix, strlen(reasons[i].prefix)) != 0)
		i++;
	ctl_refuse("the program calls %s, which %s. Instead: %s", name, reasons[i].why, reasons[i].way_out);
}
