/* The ids of the program's process and threads, as the program sees them; see process.h. */
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/kernel/process.h"
#include "preload/base/rules.h"

pid_t process_pid(void)
{
	return ctl_session->ctl.requests.main_pid;
}

/* The thread id is the pid plus the number of the thread. It is unique and the same in all executions, and T0's is the pid. */
pid_t process_tid(void)
{
	return process_pid() + ctl_self();
}

thread_id process_any_thread_of_tid(pid_t tid)
{
	pid_t n = tid - process_pid();

	return n >= 0 && n < MAX_THREADS && fiber_made((thread_id)n) ? (thread_id)n : NO_THREAD;
}

thread_id process_thread_of_tid(pid_t tid)
{
	thread_id t = process_any_thread_of_tid(tid);

	return t != NO_THREAD && world_alive(ctl_world, t) ? t : NO_THREAD;
}

bool process_is_self(pid_t pid)
{
	return pid == process_pid() || pid == sys_getpid();
}

pid_t process_kernel_pid(void)
{
	return sys_getpid();
}

pid_t process_kernel_id(pid_t id)
{
	if (ctl_state != CTL_ON || id <= 0)
		return id;
	thread_id t = process_thread_of_tid(id);
	const struct fiber *f = ctl_session->config.settings.threads == THREADS_KERNEL && t != NO_THREAD && t != ctl_self() ? fiber_by_id(t) : NULL;

	if (f)
		return f->kernel.tid;
	return process_is_self(id) || t != NO_THREAD ? 0 : id;
}

object_id process_object(void)
{
	return ctl_object(OBJ_PROCESS, (const void *)1);
}
