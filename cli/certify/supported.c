/* Lists the kinds of events and objects that can be enforced. See supported.h. */
#include "cli/certify/supported.h"

#include <stdio.h>
#include <string.h>

#include "base/base_name.h"
#include "base/own_files.h"
#include "recorder/symbols/symbols.h"
#include "sched/event.h"

static const struct {
	uint8_t kind;
	const char *words;
} word[] = {
	{EV_FD_READ, "a read from a pipe, a socket or another descriptor"},
	{EV_FD_WRITE, "a write to a pipe, a socket or another descriptor"},
	{EV_FD_POLL, "a wait for descriptors (poll, select, epoll_wait)"},
	{EV_FD_OTHER, "an operation on a descriptor (close, shutdown, connect)"},
	{EV_PROCESS_WAIT, "a wait for a child process (waitpid)"},
	{EV_THREAD_CANCEL, "the cancellation of a thread (pthread_cancel)"},
	{EV_THREAD_CANCELLED, "the end of a cancelled thread"},
	{EV_SIGNAL_SEND, "a signal to a thread"},
	{EV_SIGNAL_HANDLER, "a signal handler"},
	{EV_SIGNAL_WAIT, "a wait for a signal (sigwait, pause)"},
	{EV_RW_WRWAIT, "a writer that waits for the readers of a lock that prefers writers"},
	{EV_RW_WRTIMEOUT, "a writer that gives up a lock that prefers writers"},
	{EV_MUTEX_CONSISTENT, "pthread_mutex_consistent"},
	{EV_COND_SPURIOUS, "a wake-up for no reason (--spurious)"},
	{EV_CHOOSE, "a choice of simul.h (simul_choose)"},
	{EV_ASSUME, "an assumption of simul.h (simul_assume)"},
	{EV_ATOMIC_BEGIN, "a region of simul.h in which no other thread runs"},
	{EV_ATOMIC_END, "a region of simul.h in which no other thread runs"},
	{EV_CHANGE_PAGES, "calls that change what is mapped, or replace the content of memory, where other threads use it"},
	{EV_EXPLORE_BEGIN, "a region of simul.h to explore"},
	{EV_EXPLORE_END, "a region of simul.h to explore"},
};

static bool has(const struct session_sensors *s, unsigned kind)
{
	return s->kinds[kind / 64] >> kind % 64 & 1;
}

static bool is_behind(unsigned kind)
{
	return event_kind_enforce(kind) == ENFORCE_BEHIND;
}

static bool never(unsigned kind)
{
	return event_kind_enforce(kind) == ENFORCE_NEVER;
}

bool supported_in_prefix(unsigned kind, unsigned object, uint64_t addr)
{
	if (kind == EV_SIGNAL_SEND)
		return object == OBJ_THREAD;
	if (event_kind_enforce(kind) == ENFORCE_OWN)
		return object == OBJ_FD && own_file_of(addr) != OWN_FILE_NONE;
	return event_kind_enforce(kind) == ENFORCE_PREFIX;
}

const char *supported_words(unsigned kind, unsigned object)
{
	if (kind == EV_SIGNAL_SEND && object == OBJ_PROCESS)
		return "a signal to the process (kill)";
	if (kind == EV_FORK || (kind == EV_FD_OTHER && object == OBJ_PROCESS))
		return "the start of a process (fork, system, popen, posix_spawn)";
	for (size_t i = 0; i < sizeof(word) / sizeof(*word); i++)
		if (word[i].kind == kind)
			return word[i].words;
	return event_kind_text(kind);
}

char *supported_place(const struct rec_frame *frame, char *buf, size_t size)
{
	char where[512];

	buf[0] = 0;
	if (!frame || !rec_frame_where(frame, where, sizeof(where))[0])
		return buf;
	if (frame->function && strcmp(frame->function, where))
		snprintf(buf, size, " at %s in %s", where, frame->function);
	else
		snprintf(buf, size, " at %s", where);
	return buf;
}

char *supported_place_of(const char *maps, uint64_t pc, char *buf, size_t size)
{
	struct symbols *symbols = maps && pc ? symbols_open(maps) : NULL;

	buf[0] = 0;
	if (symbols) {
		struct rec_stack stack = symbolize_stack(symbols, &pc, 1, false);

		supported_place(rec_stack_user_frame(&stack), buf, size);
		rec_stack_free(&stack);
	}
	symbols_close(symbols);
	return buf;
}

static void refuse(const struct session_sensors *s, unsigned kind, const char *maps, const char *reason, char *why, size_t size)
{
	char place[1024];

	snprintf(why, size, "cannot be enforced yet: %s%s%s", supported_words(kind, OBJ_NONE),
		supported_place_of(maps, s->place[kind], place, sizeof(place)), reason);
}

static void refuse_file(const char *what, uint64_t pc, const char *maps, const char *reason, char *why, size_t size)
{
	char place[1024];

	if (pc && !why[0])
		snprintf(why, size, "cannot be enforced yet: %s%s, in a program whose certificate orders %s", what,
			supported_place_of(maps, pc, place, sizeof(place)), reason);
}

void supported_sockets(const struct session_sensors *s, const char *maps, char *why, size_t size)
{
	static const char reason[] = "operations on connections";

	refuse_file("a socket that is no stream socket of the Unix domain", s->other_sockets, maps, reason, why, size);
	refuse_file("an operation on a socket, where executions share sockets from before the first thread "
		    "(--isolation exec does not)",
		s->older_sockets, maps, reason, why, size);
	refuse_file("an operation on a socket that another process may have", s->shared_sockets, maps, reason, why,
		size);
	refuse_file("a call on a socket that cannot be held back", s->unordered_sockets, maps, reason, why, size);
}

void supported_files(const struct session_sensors *s, const char *maps, char *why, size_t size)
{
	static const char reason[] = "operations on pipes, eventfds or socket pairs";

	refuse_file("a call on a pipe, an eventfd or a socket pair that cannot be held back", s->unordered_files, maps,
		reason, why, size);
	refuse_file("an operation on a pipe, an eventfd or a socket pair that another process may have",
		s->shared_files, maps, reason, why, size);
}

void supported_whole(const struct session_sensors *s, const char *maps, char *why, size_t size)
{
	static const char reason[] = "the end of the process";

	refuse_file("an operation on a descriptor", s->unordered_files, maps, reason, why, size);
	refuse_file("an operation on a descriptor", s->shared_files, maps, reason, why, size);
	refuse_file("an operation on a descriptor", s->other_files, maps, reason, why, size);
	supported_sockets(s, maps, why, size);
	for (unsigned k = 1; k < EV_COUNT && !why[0]; k++)
		if (has(s, k) && is_behind(k))
			refuse(s, k, maps, ", in a program whose certificate orders the end of the process", why, size);
}

bool supported_kinds(const struct session_sensors *s, unsigned model, const char *program, const char *maps, char *why, size_t size)
{
	for (unsigned k = 1; k < EV_COUNT; k++) {
		if (!has(s, k) || !never(k))
			continue;
		refuse(s, k, maps, "", why, size);
		return false;
	}
	if (s->tsan) {
		snprintf(why, size,
			"cannot be enforced: the program is built with -fsanitize=thread, whose runtime library does "
			"not run together with simul's; build it without");
		return false;
	}
	if (s->shared_names) {
		char place[1024];

		snprintf(why, size,
			"cannot be enforced yet: sem_open%s of a semaphore that existed already: others may use it",
			supported_place_of(maps, s->shared_names, place, sizeof(place)));
		return false;
	}
	if (s->outside_signals && (has(s, EV_SIGNAL_HANDLER) || has(s, EV_SIGNAL_WAIT) || has(s, EV_SIGNAL_SEND))) {
		snprintf(why, size, "cannot be enforced yet: signals that timers, child processes or other processes send");
		return false;
	}
	if (model == MODEL_SC && has(s, EV_STORE)) {
		snprintf(why, size, "threads race for memory with plain stores, and the processor may delay these, which a search with --model sc does "
			"not cover: simul certify --model tso -o FILE -- %s", program);
		return false;
	}
	return true;
}

void supported_object(unsigned kind, const char *module, char *why, size_t size)
{
	if (!strncmp(base_name(module), "libc.so", 7) && !why[0])
		snprintf(why, size, "cannot be enforced yet: %s of the C library's own (flockfile)", object_kind_text(kind));
}
