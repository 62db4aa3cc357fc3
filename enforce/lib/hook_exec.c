/* Calls that replace the program by another one, which is not enforced. */
#include <stdarg.h>
#include <unistd.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/real.h"

static void becomes(const char *path)
{
	if (gate_plan && gate_ready && getpid() == gate_pid) /* no child made by vfork */
		gate_diverge("the program diverges from its certificate: it becomes another program, %s, which is not certified", path);
}

EXPORT int execve(const char *path, char *const argv[], char *const env[])
{
	becomes(path);
	return REAL(execve)(path, argv, env);
}

EXPORT int execv(const char *path, char *const argv[])
{
	becomes(path);
	return REAL(execv)(path, argv);
}

EXPORT int execvp(const char *file, char *const argv[])
{
	becomes(file);
	return REAL(execvp)(file, argv);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const env[])
{
	becomes(file);
	return REAL(execvpe)(file, argv, env);
}

EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
	becomes("an open file");
	return REAL(fexecve)(fd, argv, env);
}

EXPORT int execveat(int dir, const char *path, char *const argv[], char *const env[], int flags)
{
	becomes(path);
	return REAL(execveat)(dir, path, argv, env, flags);
}

/* ---- arguments one by one, up to NULL ---- */

static size_t count(const char *first, va_list *ap)
{
	size_t n = 0;

	for (const char *arg = first; arg; arg = va_arg(*ap, const char *))
		n++;
	return n;
}

static void collect(char **argv, const char *first, va_list *ap)
{
	for (const char *arg = first; arg; arg = va_arg(*ap, const char *))
		*argv++ = (char *)arg;
	*argv = NULL;
}

/* Calls `call` with argv. It is a macro because argv lies on the stack of its caller: a child made by vfork must not allocate memory. */
#define LISTED(first, ap, call) \
	({ \
		va_start(ap, first); \
		char *argv[count(first, &ap) + 1]; \
		va_end(ap); \
		va_start(ap, first); \
		collect(argv, first, &ap); \
		int result_ = call; \
		va_end(ap); \
		result_; \
	})

EXPORT int execl(const char *path, const char *arg, ...)
{
	va_list ap;

	return LISTED(arg, ap, execv(path, argv));
}

EXPORT int execlp(const char *file, const char *arg, ...)
{
	va_list ap;

	return LISTED(arg, ap, execvp(file, argv));
}

EXPORT int execle(const char *path, const char *arg, ...)
{
	va_list ap;

	return LISTED(arg, ap, execve(path, argv, va_arg(ap, char **)));
}
