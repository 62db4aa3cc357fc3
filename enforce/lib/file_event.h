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

#endif
