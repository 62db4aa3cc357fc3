/* What calls on streams (stdio) are to the search; see libc_stdio.def. */
#include "preload/hooks/stdio_lock.h"
#include "preload/libc/accesses.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/hooks/cancel.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_locks.h"
#include "preload/kernel/unsafe_calls.h"
#include "preload/memory/unforeseen.h"
#include "preload/base/rules.h"

#define UPDATE (MEM_READ | MEM_WRITE)

extern FILE _IO_2_1_stdin_, _IO_2_1_stdout_, _IO_2_1_stderr_; /* glibc's objects, whatever the variables stdin, stdout and stderr point to */

static bool is_standard(const FILE *f)
{
	return f == &_IO_2_1_stdin_ || f == &_IO_2_1_stdout_ || f == &_IO_2_1_stderr_;
}

/* The order of output has an effect if a thread may read the output later. No thread reads what was printed to the streams that the program
   started with. */
static void output(const FILE *f)
{
	if (outside_standard_streams || !is_standard(f))
		ctl_opaque();
}

extern FILE *all_streams __asm__("_IO_list_all");

/* The functions of streams with a descriptor; libc exports their addresses. */
extern const char file_functions[] __asm__("_IO_file_jumps"), wide_file_functions[] __asm__("_IO_wfile_jumps");
#define UNBUFFERED 2     /* in _flags: _IO_UNBUFFERED */
#define LINE_BUFFERED 0x200
#define EACH_TIME (UNBUFFERED | LINE_BUFFERED)
#define NEARLY_FULL 1024
#define COOKIE (-2) /* number of the descriptor of a stream of fmemopen or fopencookie */

/* A stream of open_memstream writes to memory of the program that no description names. Such streams have the descriptor 0. */
static bool is_memory(const FILE *f)
{
	const char *functions;

	memcpy(&functions, f + 1, sizeof(functions));
	return f->_fileno == 0 && f != stdin && functions != file_functions && functions != wide_file_functions;
}

/* Returns the descriptor of a stream; negative: it has none. */
static int descriptor_of(const FILE *f)
{
	return is_memory(f) ? -1 : f->_fileno;
}

static void note_memory(const FILE *f, uintptr_t pc)
{
	if (f->_fileno == COOKIE)
		libc_unseen("fmemopen", pc);
	else if (is_memory(f))
		libc_unseen("open_memstream", pc);
}

/* A call on a stream may read, write or close its descriptor, fd. So on a pipe or socket that the program has made, the
   call is an event on that file, like read and write. Does nothing for other files, since no thread of the program is
   at the other end. This event comes after the events on the stream, so that no other thread runs between this event
   and the call. */
static void touch_file_of(int fd, uintptr_t pc)
{
	const struct open_file *known = fd_known(fd);

	if (!known || known->external || !ctl_enter())
		return;
	struct open_file *f = fd_lookup(fd);

	if (f)
		fd_touch(f, (const void *)pc);
	ctl_leave();
}

/* Closing a stream closes its descriptor, which may release locks. */
static void release_locks_of(const FILE *stream, uintptr_t pc)
{
	if (!ctl_enter())
		return;
	file_lock_closing(descriptor_of(stream), (const void *)pc);
	ctl_leave();
}

/* In glibc the system calls of a stream are cancellation points. Whether a call on a stream makes one is known if the stream has no buffer, if
   it writes out a buffer, or if it reads and the buffer is empty. Output to a buffer that is nearly full may or may not make one. */
static void cancel_in(enum role_kind kind, const FILE *f, uintptr_t pc)
{
	bool writes = f->_IO_write_ptr > f->_IO_write_base;

	if (!cancel_possible() || descriptor_of(f) < 0)
		return;
	if (kind == ROLE_TAKES ? f->_IO_read_ptr == f->_IO_read_end
			       : kind == ROLE_FLUSHES || kind == ROLE_CLOSES ? writes : f->_flags & UNBUFFERED)
		cancel_before((const void *)pc);
	else if (kind == ROLE_STREAM && writes && f->_IO_buf_end - f->_IO_write_ptr < NEARLY_FULL)
		except_for(EXCEPT_STREAM_CANCEL, pc);
}

/* Returns whether the call may read from or write to the descriptor. */
static bool transfers(enum role_kind kind, const FILE *f)
{
	bool writes = f->_IO_write_ptr > f->_IO_write_base, reads = f->_IO_read_ptr == f->_IO_read_end;
	bool soon = f->_flags & EACH_TIME || (writes && f->_IO_buf_end - f->_IO_write_ptr < NEARLY_FULL);

	if (kind == ROLE_TAKES)
		return reads;
	if (kind == ROLE_FLUSHES || kind == ROLE_CLOSES)
		return writes;
	if (kind == ROLE_UNLOCKED)
		return writes ? soon : reads;
	return kind == ROLE_STREAM && soon;
}

/* How a call that transfers uses the file. Of a call without the lock it is not known whether it reads or writes. */
static struct file_use use_of(enum role_kind kind)
{
	if (kind == ROLE_UNLOCKED)
		return (struct file_use){.contents = RESOURCE_CHANGE, .position = RESOURCE_CHANGE};
	if (kind == ROLE_TAKES)
		return (struct file_use){.contents = RESOURCE_READ, .position = RESOURCE_CHANGE};
	return (struct file_use){.contents = RESOURCE_ADD, .position = RESOURCE_ADD};
}

/* The call uses the file behind the stream as read and write do. Output counts where it goes to the buffer, since the
   order of these calls decides what the file will contain. So does a flush of an empty buffer: output of another thread
   might have come first. */
static void use_file_of(enum role_kind kind, const FILE *f, uintptr_t pc)
{
	bool outputs = kind == ROLE_STREAM || kind == ROLE_FLUSHES, moves = transfers(kind, f);
	struct file_use how = use_of(kind);
	int fd = descriptor_of(f);

	if (fd < 0 || (is_standard(f) && kind != ROLE_TAKES && !outside_standard_streams))
		return;
	if ((kind != ROLE_CLOSES && !outputs && !moves) || !ctl_enter_unnoticed())
		return;
	if (kind == ROLE_CLOSES)
		descriptor_closing_later(fd, (const void *)pc);
	if (moves)
		descriptor_file_used(fd, &how, (const void *)pc);
	else if (outputs)
		descriptor_output(fd, (const void *)pc);
	ctl_leave();
}

/* Waits until no other thread holds the stream. */
static void wait_for(FILE *f, uintptr_t pc)
{
	if (stream_share(f, (const void *)pc))
		stream_release(f, (const void *)pc);
}

static FILE *stream_at(unsigned k)
{
	FILE *f = all_streams;

	while (f && k--)
		f = f->_chain;
	return f;
}

static bool is_open(const FILE *f)
{
	const FILE *at = all_streams;

	while (at && at != f)
		at = at->_chain;
	return at;
}

/* fflush(NULL). Other threads may close streams meanwhile. */
static void flush_all(uintptr_t pc)
{
	FILE *f;

	ctl_opaque();
	for (unsigned k = 0; (f = stream_at(k)) != NULL; k++) {
		cancel_in(ROLE_FLUSHES, f, pc);
		if (is_open(f))
			wait_for(f, pc);
		if (is_open(f))
			use_file_of(ROLE_FLUSHES, f, pc);
		if (is_open(f))
			touch_file_of(descriptor_of(f), pc);
	}
}

/* How a call uses the indicators of the stream, for errors and the end; 0: not at all. */
static unsigned indicators(enum role_kind kind)
{
	if (kind == ROLE_TAKES || kind == ROLE_CLEARS)
		return UPDATE;
	return kind == ROLE_LOOKS ? MEM_READ : 0;
}

/* The call may read, or its result depends on what was read: the position in the stream decides it. */
static void take(const FILE *f)
{
	if (is_standard(f) && f != &_IO_2_1_stdin_)
		return;
	if (!ctl_enter_unnoticed())
		return;
	value_unforeseen();
	ctl_leave();
}

bool libc_use_stream(enum role_kind kind, uint64_t stream, uintptr_t pc)
{
	FILE *f = (FILE *)stream;
	bool shared = false;

	outside_touched = true;
	unsafe_call(pc);
	if (!f) {
		flush_all(pc);
		return false;
	}
	if (kind == ROLE_TAKES || kind == ROLE_LOOKS || kind == ROLE_UNLOCKED)
		take(f);
	if (kind == ROLE_CLOSES)
		outside_standard_streams |= is_standard(f);
	if (kind == ROLE_TAKES || kind == ROLE_CLOSES)
		ctl_opaque();
	else
		output(f);
	bool alone = kind == ROLE_CLOSES || (kind == ROLE_UNLOCKED && !stream_is_mine(f));

	libc_touch_stream(stream, 0, alone ? UPDATE : MEM_READ, pc);
	note_memory(f, pc);
	cancel_in(kind, f, pc);
	if (kind == ROLE_CLOSES)
		wait_for(f, pc); /* nothing may use the stream then */
	else if (kind != ROLE_UNLOCKED)
		shared = stream_share(f, (const void *)pc);
	if (indicators(kind))
		libc_touch_stream(stream, 8, indicators(kind) | MEM_ATOMIC, pc);
	use_file_of(kind, f, pc);
	touch_file_of(descriptor_of(f), pc);
	if (kind == ROLE_CLOSES)
		release_locks_of(f, pc);
	return shared;
}

void libc_write_descriptor(int fd, uintptr_t pc)
{
	outside_touched = true;
	if (fd <= STDERR_FILENO && !outside_standard_streams)
		return; /* no thread reads it */
	ctl_opaque();
	if (!fd_known(fd) && ctl_enter_unnoticed()) {
		descriptor_writes(fd, false, (const void *)pc);
		ctl_leave();
	}
	touch_file_of(fd, pc);
}
