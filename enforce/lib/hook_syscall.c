/* syscall(), by which programs avoid libc's functions. Of its calls, those with futexes and signals can be events. */
#include "enforce/lib/hook_syscall.h"

#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/hook_futex.h"
#include "enforce/lib/hook_signal.h"
#include "enforce/lib/real.h"

/* This library's own calls: the linker redirects them here (Makefile: ENFORCE_LINK). */
long __wrap_syscall(long n, ...);

#define ARGUMENTS(a, n) \
	do { \
		va_list ap_; \
		va_start(ap_, n); /* reading more arguments than were passed is harmless here: glibc does the same */ \
		for (int i_ = 0; i_ < 6; i_++) \
			(a)[i_] = va_arg(ap_, long); \
		va_end(ap_); \
	} while (0)

long __wrap_syscall(long n, ...)
{
	long a[6];

	ARGUMENTS(a, n);
	return REAL(syscall)(n, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long syscall_of_program(long n, const long a[6])
{
	if (n == SYS_futex && gate_owns)
		return futex_of_program(a);
	if (n == SYS_tgkill && signal_to_thread((pid_t)a[1], (int)a[2]))
		return 0;
	if (n == SYS_tkill && signal_to_thread((pid_t)a[0], (int)a[1]))
		return 0;
	if (n == SYS_kill)
		signal_to_process((pid_t)a[0], (int)a[1]);
	if (n == SYS_exit_group)
		_exit((int)a[0]);
	return REAL(syscall)(n, a[0], a[1], a[2], a[3], a[4], a[5]);
}

EXPORT long syscall(long n, ...)
{
	long a[6];

	ARGUMENTS(a, n);
	return syscall_of_program(n, a);
}
