/* A program that becomes another one: that one is not held back. */
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

EXPORT int execl(const char *path, const char *arg, ...)
{
	va_list ap;
	size_t n = 1;
	const char *next;

	va_start(ap, arg);
	while (va_arg(ap, const char *))
		n++;
	va_end(ap);
	char *argv[n + 1];
	argv[0] = (char *)arg;
	va_start(ap, arg);
	for (size_t i = 1; (next = va_arg(ap, const char *)) != NULL; i++)
		argv[i] = (char *)next;
	va_end(ap);
	argv[n] = NULL;
	return execv(path, argv);
}
