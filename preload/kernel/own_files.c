/* See own_files.h. */
#include "preload/kernel/own_files.h"

#include <sys/socket.h>

#include "preload/base/state.h"
#include "preload/control/ctl.h"
#include "preload/kernel/process.h"

#include "preload/base/rules.h"

enum own_file own_files_kind(const struct open_file *f)
{
	if (f->kind == FILE_NET)
		return OWN_FILE_SOCKETS; /* the address of an object must not change during an execution */
	if (f->external)
		return OWN_FILE_NONE;
	if (f->kind == FILE_GROUP)
		return OWN_FILE_ALL;
	if (f->kind == FILE_PIPE)
		return OWN_FILE_PIPE;
	if (f->kind == FILE_EVENTFD)
		return OWN_FILE_EVENTFD;
	return f->kind == FILE_PAIR && f->stream ? OWN_FILE_PAIR : OWN_FILE_NONE;
}

/* Of the sockets outside of socket pairs. Private memory: it belongs to the execution. */
static uint64_t other_socket; /* the call that made the first one that no certificate can order */
static bool shared_socket;    /* another process may have one of them, or the other end of a connection */
static bool older_socket;     /* executions share one */

static struct session_sensors *sensors(void)
{
	return ctl_segment(ctl_session->layout.sensors_off);
}

static void note_first(uint64_t *place, uint64_t pc)
{
	if (!*place)
		*place = pc ? pc : 1;
}

static void note(uint64_t *place, uint64_t pc)
{
	if (ctl_past_checkpoint)
		note_first(place, pc);
}

/* The classes of files for which the places are kept apart. */
enum {
	HAS_FILES = 1,   /* pipes, eventfds, socket pairs */
	HAS_SOCKETS = 2, /* other sockets */
	HAS_ANY = 3      /* a group may have members of both classes */
};

/* Returns which files that a certificate can order the file is, or may have as members. */
static unsigned classes_of(const struct open_file *f)
{
	if (f->kind == FILE_GROUP || f->kind == FILE_EPOLL)
		return HAS_ANY;
	if (f->kind == FILE_NET)
		return HAS_SOCKETS;
	return own_files_kind(f) == OWN_FILE_NONE ? 0 : HAS_FILES;
}

static void note_sockets(const struct fd_wait *w, uint64_t pc)
{
	struct session_sensors *s = sensors();

	if (other_socket)
		note(&s->other_sockets, other_socket);
	if (older_socket)
		note(&s->older_sockets, pc);
	if (shared_socket || process_started || fd_network()->external)
		note(&s->shared_sockets, pc);
	if (!w->ordered)
		note(&s->unordered_sockets, pc);
}

void own_files_event(const struct fd_wait *w, uint64_t pc)
{
	unsigned classes = w->file[0] ? classes_of(w->file[0]) : HAS_ANY;

	if (w->file[1])
		classes |= classes_of(w->file[1]);
	if (!classes)
		note(&sensors()->other_files, pc);
	if (classes & HAS_SOCKETS)
		note_sockets(w, pc);
	if (classes & HAS_FILES && process_started)
		note(&sensors()->shared_files, pc);
	else if (classes & HAS_FILES && !w->ordered)
		note(&sensors()->unordered_files, pc);
}

void own_files_socket(int domain, int type, const void *pc)
{
	if (domain != AF_UNIX || (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM)
		note_first(&other_socket, (uint64_t)pc);
}

void own_files_shared_socket(const void *pc)
{
	shared_socket = true;
	if (pc)
		note(&sensors()->shared_sockets, (uint64_t)pc);
}

void own_files_older_socket(void)
{
	older_socket = true;
}

void own_files_sent(const void *pc)
{
	note(&sensors()->shared_files, (uint64_t)pc);
	own_files_shared_socket(pc);
}

void own_files_unknown(int fd, const void *pc)
{
	const struct open_file *f = fd_known(fd);

	if (f && f->kind == FILE_NET)
		note(&sensors()->unordered_sockets, (uint64_t)pc);
	else if (f && own_files_kind(f) != OWN_FILE_NONE)
		note(&sensors()->unordered_files, (uint64_t)pc);
}

void own_files_unknown_many(const void *pc)
{
	note(&sensors()->unordered_sockets, (uint64_t)pc);
	note(&sensors()->unordered_files, (uint64_t)pc);
}
