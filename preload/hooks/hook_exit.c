/* Calls that end the process: exit and its variants, abort, failed assertions. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "preload/accesses/libc_state.h"
#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/base/outside.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/hooks/exit.h"
#include "preload/hooks/keys.h"
#include "preload/kernel/signals.h"
#include "preload/base/rules.h"

/* Exit handlers run under control, on the calling thread. The last handler is at_exit in init.c, which ends the execution. libc runs the
   thread-local destructors of T0; this hook runs those of another thread. */
void exit(int status)
{
	libc_touch_object(LIBC_handlers, MEM_READ | MEM_ATOMIC, (uintptr_t)__builtin_return_address(0));
	if (ctl_enter()) {
		thread_id self = ctl_self();
		ctl_leave();
		if (self != 0)
			tls_dtors_run(self);
	}
	real_exit(status);
	__builtin_unreachable();
}

void _exit(int status)
{
	if (ctl_enter())
		ctl_exit(status);
	sys_exit_group(status);
}

void _Exit(int status)
{
	_exit(status);
}

static int quick_status;

/* Ends the execution. It is registered first, so it runs after the program's own at_quick_exit handlers. */
static void at_quick_end(void)
{
	if (ctl_enter())
		ctl_exit(quick_status);
}

void exit_init(void)
{
	at_quick_exit(at_quick_end);
}

void quick_exit(int status)
{
	quick_status = status;
	real_quick_exit(status);
	__builtin_unreachable();
}

void exit_flush(void)
{
	outside_touched |= stdout->_IO_write_ptr > stdout->_IO_write_base;
	outside_touched |= stderr->_IO_write_ptr > stderr->_IO_write_base;
	fflush(NULL);
}

/* ---- abort and assertions ---- */

void exit_aborted(const char *text)
{
	/* Like libc's abort: a handler of the program for SIGABRT runs first. */
	ctl_leave();
	signals_user_handler(SIGABRT);
	ctl_force_enter();
	ctl_bug(BUG_ASSERT, "%s", text);
}

void abort(void)
{
	if (!ctl_enter()) {
		real_abort();
		__builtin_unreachable();
	}
	exit_flush();
	exit_aborted("abort() was called");
}

/* Like glibc's function, writes the message to stderr, then aborts. The bug has the message without the name of the program. */
static void __attribute__((noreturn)) assertion(
	const char *what, const char *expr, const char *file, unsigned line, const char *function)
{
	char text[SESSION_MESSAGE];
	int n = snprintf(text, sizeof text, "%s: %s:%u: %s%s%s%s%s.\n", program_invocation_short_name, file,
		line, function ? function : "", function ? ": " : "", what, expr, *what == 'A' ? "' failed" : "");
	exit_flush();
	outside_touched = true;
	sys_write(2, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
	snprintf(text, sizeof text, "%s:%u: %s%s%s%s%s", file, line, function ? function : "",
		function ? ": " : "", what, expr, *what == 'A' ? "' failed" : "");
	exit_aborted(text);
}

void __assert_fail(const char *expr, const char *file, unsigned line, const char *function)
{
	if (!ctl_enter()) {
		real___assert_fail(expr, file, line, function);
		__builtin_unreachable();
	}
	assertion("Assertion `", expr, file, line, function);
}

void __assert_perror_fail(int err, const char *file, unsigned line, const char *function)
{
	if (!ctl_enter()) {
		real___assert_perror_fail(err, file, line, function);
		__builtin_unreachable();
	}
	assertion("Unexpected error: ", strerrordesc_np(err), file, line, function);
}

void __assert(const char *expr, const char *file, int line)
{
	__assert_fail(expr, file, (unsigned)line, NULL);
}
