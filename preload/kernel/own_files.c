/* See own_files.h. */
#include "preload/kernel/own_files.h"

#include "preload/base/state.h"
#include "preload/control/ctl.h"
#include "preload/kernel/process.h"

#include "preload/base/rules.h"

enum own_file own_files_kind(const struct open_file *f)
{
	if (f->external)
		return OWN_FILE_NONE;
	if (f->kind == FILE_PIPE)
		return OWN_FILE_PIPE;
	if (f->kind == FILE_EVENTFD)
		return OWN_FILE_EVENTFD;
	return f->kind == FILE_PAIR && f->stream ? OWN_FILE_PAIR : OWN_FILE_NONE;
}

static struct session_sensors *sensors(void)
{
	return ctl_segment(ctl_session->layout.sensors_off);
}

static void note(uint64_t *place, uint64_t pc)
{
	if (ctl_past_checkpoint && !*place)
		*place = pc ? pc : 1;
}

/* Returns whether the file is certainly not one of those that a certificate can order, and has none as a member. */
static bool is_other(const struct open_file *f)
{
	return f && f->kind != FILE_GROUP && f->kind != FILE_EPOLL && own_files_kind(f) == OWN_FILE_NONE;
}

void own_files_event(const struct fd_wait *w, uint64_t pc)
{
	if (is_other(w->file[0]) && (!w->file[1] || is_other(w->file[1])))
		note(&sensors()->other_files, pc);
	else if (process_started)
		note(&sensors()->shared_files, pc);
	else if (!w->ordered)
		note(&sensors()->unordered_files, pc);
}

void own_files_sent(const void *pc)
{
	note(&sensors()->shared_files, (uint64_t)pc);
}

void own_files_unknown(int fd, const void *pc)
{
	const struct open_file *f = fd_known(fd);

	if (f && own_files_kind(f) != OWN_FILE_NONE)
		note(&sensors()->unordered_files, (uint64_t)pc);
}
