/* What the library says to people. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "base/own_files.h"
#include "enforce/lib/gate_internal.h"

static void say(const char *fmt, va_list ap)
{
	char text[1024];
	int n = snprintf(text, sizeof(text), "simul: "), more;

	more = vsnprintf(text + n, sizeof(text) - (size_t)n - 1, fmt, ap);
	n += more < (int)sizeof(text) - n - 1 ? more : (int)sizeof(text) - n - 2;
	text[n++] = '\n';
	syscall(SYS_write, STDERR_FILENO, text, (size_t)n); /* not write, which may be an event */
}

const char *gate_self_path(void)
{
	if (self.thread == PLAN_NONE)
		return "a thread that is not in the certificate";
	return plan_text(thread_at(self.thread)->path);
}

void gate_diverge(const char *fmt, ...)
{
	static uint32_t reported;
	uint32_t first = !__atomic_exchange_n(&reported, 1, __ATOMIC_SEQ_CST);
	int saved = errno;
	va_list ap;

	if (first) {
		va_start(ap, fmt);
		say(fmt, ap);
		va_end(ap);
	}
	if (!gate_plan->uncertified) {
		if (!first)
			for (;;)
				pause(); /* another thread is ending the process */
		syscall(SYS_exit_group, SIMUL_EXIT_DIVERGED);
	}
	gate_off();
	errno = saved;
}

void gate_refuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	syscall(SYS_exit_group, SIMUL_EXIT_USAGE);
	__builtin_unreachable();
}

/* Returns whether the object is known to be this one. */
static bool is_used(uint32_t o, const struct use *use)
{
	if (object_at(o)->kind != use->kind)
		return false;
	if (use->kind == OBJ_FD && own_file_is_all(use->addr))
		return is_all_files(o);
	return use->kind == OBJ_THREAD ? object_at(o)->thread == use->thread : gate_address[o] == use->addr;
}

void gate_describe(enum event_kind kind, const struct use *use, unsigned n, char *buf, size_t size)
{
	int at = snprintf(buf, size, "%s", event_kind_text(kind));

	for (unsigned u = 0; u < n && at > 0 && (size_t)at < size; u++) {
		const char *name = NULL;

		for (uint32_t o = 0; o < gate_plan->n_objects && !name; o++)
			if (is_used(o, &use[u]))
				name = plan_text(object_at(o)->name);
		if (name)
			at += snprintf(buf + at, size - (size_t)at, " %s", name);
		else if (use[u].kind != OBJ_THREAD)
			at += snprintf(buf + at, size - (size_t)at, " %s at 0x%llx", object_kind_text(use[u].kind),
				(unsigned long long)use[u].addr);
		else
			at += snprintf(buf + at, size - (size_t)at, " an uncertified thread");
	}
}
