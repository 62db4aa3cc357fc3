/* Calls on descriptors as events: for the files that certificates order (own_files.h). */
#ifndef SIMUL_ENFORCE_FILE_EVENT_H
#define SIMUL_ENFORCE_FILE_EVENT_H

#include <errno.h>
#include <fcntl.h>

#include "enforce/lib/own_files.h"
#include "enforce/lib/real.h"

/* Returns the kind of event of a call on fd. `never`: the call does not wait. Keeps errno. */
static inline enum event_kind file_event_kind(enum event_kind kind, int fd, bool never)
{
	int saved = errno, flags = REAL(fcntl)(fd, F_GETFL), wrong = kind == EV_FD_WRITE ? O_RDONLY : O_WRONLY;

	errno = saved;
	return never || (flags != -1 && (flags & O_NONBLOCK || (flags & O_ACCMODE) == wrong)) ? EV_FD_OTHER : kind;
}

/* Makes a call that is one event on fd, if certificates order its file. The expression `never` as in
   file_event_kind; file_ is the kind of the file. */
#define ORDERED(kind, fd, never, call)                                                             \
	({                                                                                         \
		struct use use_;                                                                   \
		enum own_file file_ = own_files_use(fd, &use_);                                    \
		bool mine_ = file_ && gate_begin(file_event_kind(kind, fd, never), &use_, 1);              \
		__typeof__(call) result_ = call;                                                   \
		if (mine_)                                                                         \
			gate_end();                                                                \
		result_;                                                                           \
	})

/* A write that may have to wait: one event for each piece for which there is room. */
struct pieces {
	enum own_file file;
	int fd, flags;
	/* Writes some of the bytes. mine: the piece is an event of the prefix, so the call must not wait. */
	ssize_t (*put)(const struct pieces *p, const char *buf, size_t n, bool mine);
};

/* Writes n bytes, at least in one piece. Returns their number, or -1 with errno. */
static inline ssize_t file_event_pieces(const struct pieces *p, const struct use *use, const char *buf, size_t n)
{
	size_t done = 0;
	bool mine;

	do {
		mine = gate_begin(EV_FD_WRITE, use, 1);
		ssize_t r = p->put(p, buf + done, n - done, mine);

		if (mine)
			gate_end();
		if (r < 0 && mine && errno == EAGAIN)
			continue;
		if (r < 0)
			return done ? (ssize_t)done : -1;
		done += (size_t)r;
	} while (mine && done < n);
	return (ssize_t)done;
}

#endif
