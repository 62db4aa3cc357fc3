/*
 * exec. A program that has not created a thread yet may be a wrapper of the real test (a shell script, a libtool wrapper). simul controls
 * the new image like the old one, so the new environment must contain LD_PRELOAD and the session. In a program with threads an exec ends
 * the execution.
 */
#include "preload/base/real.h"
#include "preload/hooks/environment_reads.h"
#include "preload/life/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fixed_start.h"
#include "preload/control/ctl.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define MAX_EXEC_ARGS 4096

static const char *lookup(char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (; env && *env; env++)
		if (!strncmp(*env, name, n) && (*env)[n] == '=')
			return *env;
	return NULL;
}

static size_t count(char *const *v)
{
	size_t n = 0;

	while (v && v[n])
		n++;
	return n;
}

/* The descriptor of the session must survive the exec, even if the program has set FD_CLOEXEC. */
static void keep_session(const char *entry)
{
	int fd = entry ? atoi(strchr(entry, '=') + 1) : -1;
	long flags = sys_fcntl(fd, F_GETFD, 0);

	if (!sys_failed(flags))
		sys_fcntl(fd, F_SETFD, flags & ~FD_CLOEXEC);
}

/* The two entries of the environment that start simul in a new image, as they were at the start. The program may have removed them since.
   */
static char preload_entry[4096], session_entry[64];

/* Adds the stand-ins for the runtime of -fsanitize=thread (cli/target/sanitizer.h) to preload_entry, because the real test may need them.
   The stand-ins are files in the directory of libsimul.so, or the two descriptors that follow its descriptor. */
static void add_standins(const char *preload)
{
	const char *path = strchr(preload, '=') + 1, *slash = path;
	int n = 0, fd;

	for (; path[n] && path[n] != ':' && path[n] != ' '; n++)
		if (path[n] == '/')
			slash = path + n;
	if (sscanf(path, "/proc/self/fd/%d", &fd) == 1)
		snprintf(preload_entry, sizeof(preload_entry), "LD_PRELOAD=%.*s:/proc/self/fd/%d:/proc/self/fd/%d%s", n, path,
			fd + 1, fd + 2, path + n);
	else
		snprintf(preload_entry, sizeof(preload_entry), "LD_PRELOAD=%.*s:%.*s/libtsan.so.2:%.*s/libclang_rt.tsan-x86_64.so%s",
			n, path, (int)(slash - path), path, (int)(slash - path), path, path + n);
}

/* Fills in the two entries. An LD_PRELOAD stays as it is if it names the stand-ins, or AddressSanitizer's shared runtime, which must come
   first (cli/target/sanitizer.h). */
static void __attribute__((constructor(102))) remember_environment(void)
{
	const char *preload = lookup(environ, "LD_PRELOAD"), *session = lookup(environ, SESSION_ENV);

	bool whole = preload && (strstr(preload, "libtsan.so.2:") || strstr(preload, "asan"));

	if (preload && !whole && 3 * strlen(preload) + 64 < sizeof(preload_entry))
		add_standins(preload);
	else if (preload && strlen(preload) < sizeof(preload_entry))
		strcpy(preload_entry, preload);
	if (session && strlen(session) < sizeof(session_entry))
		strcpy(session_entry, session);
}

/* Returns the bytes that LD_PRELOAD needs in the environment made by complete(). */
static size_t preload_bytes(char *const *env)
{
	const char *theirs = lookup(env, "LD_PRELOAD");

	return sizeof(preload_entry) + 1 + (theirs ? strlen(theirs) : 0);
}

/* Copies env to out, with the two entries that start simul. out must have room for two entries more than env, and for NULL. `joined` has
   room for preload_bytes(env). */
static void complete(char *const *env, char **out, char *joined)
{
	size_t n = 0, room = preload_bytes(env);
	const char *theirs = lookup(env, "LD_PRELOAD"), *ours = strchr(preload_entry, '=');

	for (; env && *env; env++)
		if (strncmp(*env, "LD_PRELOAD=", 11) && strncmp(*env, SESSION_ENV "=", sizeof(SESSION_ENV)))
			out[n++] = *env;
	if (theirs && ours && !strstr(theirs, ours + 1))
		snprintf(joined, room, "%s:%s", preload_entry, theirs + 11);
	else
		snprintf(joined, room, "%s", theirs ? theirs : preload_entry);
	if (joined[0])
		out[n++] = joined;
	if (session_entry[0])
		out[n++] = session_entry;
	out[n] = NULL;
}

/* Lets the supervisor place the memory of the new image at fixed addresses, as it placed the memory of this image (cli/target/place.h). The
   supervisor traces this process from the exec on. If ptrace fails, because it is forbidden or a debugger is attached, the new image is not
   placed. */
static void stop_at_exec(void)
{
	struct session_control *c = &ctl_session->ctl;
	struct rlimit r;

	if (sys_call4(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0))
		return;
	c->handshake.stack_limit = 0;
	if (!sys_call4(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)&r) && r.rlim_cur > FIXED_START_STACK_MOST) {
		c->handshake.stack_limit = r.rlim_cur;
		r.rlim_cur = FIXED_START_STACK_MOST;
		sys_call4(SYS_prlimit64, 0, RLIMIT_STACK, (long)&r, 0);
	}
	__atomic_store_n(&c->handshake.exec_stops, 1, __ATOMIC_RELEASE);
	run_ring();
}

/* Undoes stop_at_exec after a failed exec. Sends this process a signal, at which the supervisor detaches. */
static void do_not_stop(void)
{
	struct session_control *c = &ctl_session->ctl;
	struct rlimit r;

	if (!__atomic_exchange_n(&c->handshake.exec_stops, 0, __ATOMIC_ACQ_REL))
		return;
	if (c->handshake.stack_limit && !sys_call4(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)&r)) {
		r.rlim_cur = c->handshake.stack_limit;
		sys_call4(SYS_prlimit64, 0, RLIMIT_STACK, (long)&r, 0);
	}
	run_ring();
	sys_tgkill(sys_getpid(), sys_gettid(), SIGTRAP);
}

/* Prepares an exec. Does not return in a program with threads: the execution ends there. */
static void about_to_exec(void)
{
	if (ctl_past_checkpoint) {
		ctl_uncontrolled("an exec by a program with threads: what it starts is not explored");
		ctl_exit(0);
	}
	reads_all();
	keep_session(session_entry);
	signals_native_begin();
	stop_at_exec();
}

static int failed(int r)
{
	int err = errno;

	do_not_stop();
	signals_native_end();
	ctl_leave();
	errno = err;
	return r;
}

/* Body of an exec hook after ctl_enter: makes the environment `full` from `env`, and does `call`, which returns only when it fails. */
#define WITH_ENVIRONMENT(env, call)                                                                \
	do {                                                                                       \
		char *full[count(env) + 3], joined[preload_bytes(env)];                            \
		complete(env, full, joined);                                                       \
		about_to_exec();                                                                   \
		return failed(call);                                                               \
	} while (0)

int execve(const char *path, char *const *argv, char *const *env)
{
	if (!ctl_enter())
		return real_execve(path, argv, env);
	WITH_ENVIRONMENT(env, real_execve(path, argv, full));
}

int execv(const char *path, char *const *argv)
{
	if (!ctl_enter())
		return real_execv(path, argv);
	WITH_ENVIRONMENT(environ, real_execve(path, argv, full));
}

int execvp(const char *file, char *const *argv)
{
	if (!ctl_enter())
		return real_execvp(file, argv);
	WITH_ENVIRONMENT(environ, real_execvpe(file, argv, full));
}

int execvpe(const char *file, char *const *argv, char *const *env)
{
	if (!ctl_enter())
		return real_execvpe(file, argv, env);
	WITH_ENVIRONMENT(env, real_execvpe(file, argv, full));
}

int fexecve(int fd, char *const *argv, char *const *env)
{
	if (!ctl_enter())
		return real_fexecve(fd, argv, env);
	WITH_ENVIRONMENT(env, real_fexecve(fd, argv, full));
}

int execveat(int dir, const char *path, char *const *argv, char *const *env, int flags)
{
	if (!ctl_enter())
		return real_execveat(dir, path, argv, env, flags);
	WITH_ENVIRONMENT(env, real_execveat(dir, path, argv, full, flags));
}

/* Copies the arguments of an execl, with the NULL at the end. Returns their number without NULL; -1: there are too many. */
static int collect(const char *first, va_list ap, const char **argv)
{
	int n = 0;

	for (const char *a = first; a; a = va_arg(ap, const char *)) {
		if (n == MAX_EXEC_ARGS)
			return -1;
		argv[n++] = a;
	}
	argv[n] = NULL;
	return n;
}

static int too_many(void)
{
	errno = E2BIG;
	return -1;
}

/* Native children also call these functions between fork and exec. There the hook of execve calls the real function. */
int execl(const char *path, const char *arg, ...)
{
	const char *argv[MAX_EXEC_ARGS + 1];
	va_list ap;

	va_start(ap, arg);
	int n = collect(arg, ap, argv);

	va_end(ap);
	return n < 0 ? too_many() : execv(path, (char *const *)argv);
}

int execlp(const char *file, const char *arg, ...)
{
	const char *argv[MAX_EXEC_ARGS + 1];
	va_list ap;

	va_start(ap, arg);
	int n = collect(arg, ap, argv);

	va_end(ap);
	return n < 0 ? too_many() : execvp(file, (char *const *)argv);
}

int execle(const char *path, const char *arg, ...)
{
	const char *argv[MAX_EXEC_ARGS + 1];
	va_list ap;

	va_start(ap, arg);
	int n = collect(arg, ap, argv);
	char *const *env = va_arg(ap, char *const *);

	va_end(ap);
	return n < 0 ? too_many() : execve(path, (char *const *)argv, env);
}
