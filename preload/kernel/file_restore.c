#include "preload/kernel/file_restore.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/journal.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/base/guard.h"
#include "preload/base/outside.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/resource_files.h"
#include "preload/kernel/shared_memory.h"
#include "preload/kernel/older_settings.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MAX_FILES 512
#define NEAR_FDS 256 /* the journal knows which of the descriptors below this were inherited */
#define SIMULS_OWN 199 /* the first of the descriptors that the supervisor passes to the target */

/* A regular file or directory that is open at the checkpoint. */
static struct file {
	int fd;
	bool captured; /* the supervisor's unlinked file for the program's output, which is restored by truncating it to `at` bytes */
	bool writable; /* the program opened the file for writing, so its content is restored */
	bool not_kept; /* the program opened the file for writing, but its content could not be saved */
	bool whole; /* its owner, mode and times are restored */
	mode_t mode;
	uid_t uid;
	gid_t gid;
	struct timespec atime, mtime;
	int first;     /* an earlier descriptor of the same open file description, or -1 */
	int flags;
	int lock;      /* lock by flock: LOCK_UN, LOCK_SH or LOCK_EX */
	int seals;     /* of a file that memfd_create has made; else negative */
	bool ofd_lock; /* the open file has locks by F_OFD_SETLK */
	off_t at, size;
	char *content; /* the saved content, in memory that the processes of executions share but do not use; NULL: size 0 */
	dev_t dev;
	ino_t ino;
	bool replaced; /* an execution opened it again: in processes forked later fd is that of a removed file */
	char path[PATH_MAX]; /* "": the file has no path */
} *files;
static unsigned n_files;
static bool remembered; /* files_remember was called */
static bool far_inherited; /* a descriptor of NEAR_FDS or more was open when the process began */
static bool complained; /* a complaint was made; one is enough for all executions */

static struct journal *journal(void)
{
	return ctl_segment(ctl_session->layout.files_off);
}

static void complain(void *ctx, const char *path, const char *why)
{
	char text[SESSION_MESSAGE];

	if (complained)
		return;
	complained = true;
	snprintf(text, sizeof(text), "a file cannot be put back before the next execution (%.100s): %.800s", why,
		path);
	ctl_uncontrolled(text);
}

/* ---- at the checkpoint ---- */

static bool is_at(const char *path, dev_t dev, ino_t ino)
{
	struct stat st;

	return *path && !sys_call4(SYS_newfstatat, AT_FDCWD, (long)path, (long)&st, AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev == dev && st.st_ino == ino;
}

static void find_path(struct file *f)
{
	char link[32];
	long n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", f->fd);
	n = sys_call4(SYS_readlinkat, AT_FDCWD, (long)link, (long)f->path, sizeof(f->path) - 1);
	f->path[n > 0 ? n : 0] = 0;
	if (!is_at(f->path, f->dev, f->ino))
		f->path[0] = 0;
}

/* Opens the file for reading. Its descriptor may be write-only. Reading must not change the time of the last access,
   but only the file's owner may ask for that. */
static long open_to_read(const struct file *f)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", f->fd);
	long fd = sys_open(link, O_RDONLY | O_NOATIME | O_CLOEXEC, 0);

	return fd == -EPERM ? sys_open(link, O_RDONLY | O_CLOEXEC, 0) : fd;
}

/* Saves the file's content. */
static void keep_content(struct file *f)
{
	static uint64_t kept;

	f->writable = true;
	if (!f->size)
		return;
	long fd = open_to_read(f);
	uint64_t n = (uint64_t)f->size;

	if (!sys_failed(fd) && n <= JOURNAL_CONTENT - kept && (f->content = sys_map_shared(NULL, n)) != NULL) {
		uint64_t done = 0;
		long r = 1;

		for (; done < n && r > 0; done += r > 0 ? (uint64_t)r : 0)
			r = sys_call4(SYS_pread64, fd, (long)(f->content + done), (long)(n - done), (long)done);
		guard_add(f->content, n);
		kept += n;
		f->writable = done == n;
	} else {
		f->writable = false;
	}
	f->not_kept = !f->writable;
	if (!sys_failed(fd))
		sys_close((int)fd);
}

/* Returns whether two descriptors of one file refer to the same open file description. Where kcmp is refused (as in Docker), this changes
   O_NONBLOCK through one descriptor and looks for the change through the other. That flag has no effect on files with an offset. */
static bool one_open_file(int a, int b)
{
	long r = sys_call5(SYS_kcmp, sys_getpid(), sys_getpid(), KCMP_FILE, a, b);

	if (r != -EPERM && r != -ENOSYS)
		return !r;
	long flags_a = sys_call3(SYS_fcntl, a, F_GETFL, 0), flags_b = sys_call3(SYS_fcntl, b, F_GETFL, 0);

	if (sys_failed(flags_a) || flags_a != flags_b || sys_failed(sys_call3(SYS_fcntl, b, F_SETFL, flags_b ^ O_NONBLOCK)))
		return false;
	bool one = sys_call3(SYS_fcntl, a, F_GETFL, 0) == (flags_a ^ O_NONBLOCK);

	sys_call3(SYS_fcntl, b, F_SETFL, flags_b);
	return one;
}

static int same_open_file(const struct file *f)
{
	for (unsigned i = 0; i < n_files; i++)
		if (files[i].ino == f->ino && files[i].dev == f->dev && files[i].first < 0 && one_open_file(files[i].fd, f->fd))
			return files[i].fd;
	return -1;
}

static bool inherited(int fd)
{
	return fd < NEAR_FDS ? journal()->inherited[fd / 64] >> fd % 64 & 1 : far_inherited;
}

/* Finds the locks that belong to the open file description. Other locks belong to the process. */
static void find_locks(struct file *f)
{
	char text[1024];

	fd_info(f->fd, text, sizeof(text));
	const char *at = strstr(text, "FLOCK ");

	f->lock = !at ? LOCK_UN : strncmp(at, "FLOCK  ADVISORY  WRITE", 22) ? LOCK_SH : LOCK_EX;
	f->ofd_lock = strstr(text, "OFDLCK ");
}

static void remember(int fd)
{
	struct file *f = &files[n_files];
	struct stat st;

	bool own = fd == ctl_session_fd || (ctl_session->layout.common_size && fd == ctl_session->config.common_fd);

	if (own || sys_call2(SYS_fstat, fd, (long)&st) || !(S_ISREG(st.st_mode) || (S_ISDIR(st.st_mode) && !inherited(fd))))
		return;
	memset(f, 0, sizeof(*f));
	f->fd = fd;
	f->flags = (int)sys_fcntl(fd, F_GETFL, 0);
	f->captured = (fd == 1 || fd == 2) && st.st_nlink == 0 && (f->flags & O_APPEND);
	f->size = st.st_size;
	f->atime = st.st_atim;
	f->mtime = st.st_mtim;
	f->mode = st.st_mode & 07777;
	f->uid = st.st_uid;
	f->gid = st.st_gid;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->at = f->captured ? st.st_size : sys_call3(SYS_lseek, fd, 0, SEEK_CUR);
	if (sys_failed(f->at) || (f->flags & O_PATH))
		return;
	if (inherited(fd) && fd > 2 && fd < SIMULS_OWN) /* all workers share its file offset */
		outside_note("has a file open that was open before it started, descriptor %d", fd);
	if (inherited(fd) && !f->captured && (f->flags & O_APPEND))
		return; /* other processes may write to it too */
	f->first = same_open_file(f);
	if (f->first < 0 && !f->captured)
		find_locks(f);
	if (!f->captured && !inherited(fd) && f->first < 0 && (f->flags & O_ACCMODE) != O_RDONLY)
		keep_content(f);
	/* of other files, the journal has them */
	f->seals = st.st_nlink || inherited(fd) ? -1 : (int)sys_fcntl(fd, F_GET_SEALS, 0);
	f->whole = f->writable || (!f->captured && !inherited(fd) && f->first < 0 && !st.st_nlink);
	if (st.st_nlink && !inherited(fd))
		find_path(f);
	n_files++;
}

void files_remember(void)
{
	shared_remember();
	files = sys_map_shared(NULL, MAX_FILES * sizeof(*files));
	if (files)
		guard_add(files, MAX_FILES * sizeof(*files));
	else
		ctl_uncontrolled("open files, which cannot be put back between executions: there is no memory for their state");
	int end = fd_end();

	for (int fd = 0; files && fd < end && n_files < MAX_FILES; fd++)
		remember(fd);
	for (int fd = 0; fd < end; fd++)
		if (!inherited(fd))
			older_settings_remember(fd);
	if (n_files == MAX_FILES)
		ctl_uncontrolled("open files beyond the first 511, which are not restored between executions");
	journal_checkpoint(journal());
	remembered = true;
}

/* ---- before each execution ---- */

static const char *name_of(const struct file *f)
{
	return f->path[0] ? f->path : "a file without a name";
}

/* Makes fd a duplicate of `by`. */
static void replace_by(int fd, int by)
{
	long flags = sys_fcntl(fd, F_GETFD, 0);

	sys_call3(SYS_dup3, by, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
}

/* Opens the file again under the same descriptor if undoing the journal has replaced it by a new file with the old
   content. The new one may have the inode number of one that an earlier execution opened, so the descriptor itself is
   compared. */
static void reopen(struct file *f)
{
	long fd = f->first;
	struct stat st;

	if (!f->path[0] || sys_call2(SYS_fstat, f->fd, (long)&st) || is_at(f->path, st.st_dev, st.st_ino))
		return;
	if (f->first < 0)
		fd = sys_open(f->path, f->flags & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_SYNC), 0);
	if (sys_failed(fd)) {
		complain(NULL, f->path, "it cannot be opened again");
		return;
	}
	replace_by(f->fd, (int)fd);
	if (f->first < 0)
		sys_close((int)fd);
	f->replaced = true;
}

/* Returns whether the first f->size bytes of the file are the saved ones. */
static bool has_content(const struct file *f)
{
	static char piece[16384]; /* not on the stack: a thread's stack may be small */
	long fd = open_to_read(f), r = 0;
	uint64_t done = 0, n = (uint64_t)f->size;

	if (sys_failed(fd))
		return false;
	while (done < n) {
		r = sys_call4(SYS_pread64, fd, (long)piece, (long)(n - done < sizeof(piece) ? n - done : sizeof(piece)),
			(long)done);
		if (r <= 0 || memcmp(piece, f->content + done, (uint64_t)r) != 0)
			break;
		done += (uint64_t)r;
	}
	sys_close((int)fd);
	return done == n;
}

/* Writes only if something differs: a write changes times, also that of the last status change, which cannot be set. */
static void put_content(const struct file *f)
{
	struct stat st;
	off_t done = 0;
	long r = 1;

	if (sys_call2(SYS_fstat, f->fd, (long)&st) || (st.st_size == f->size && (!f->content || has_content(f))))
		return;
	sys_fcntl(f->fd, F_SETFL, f->flags); /* the last execution may have set O_APPEND */
	if (f->content && (f->flags & O_APPEND)) { /* with O_APPEND, pwrite appends whatever its offset is */
		sys_call2(SYS_ftruncate, f->fd, 0);
		st.st_size = 0;
	}
	for (; f->content && done < f->size && r > 0; done += r > 0 ? r : 0)
		r = sys_call4(SYS_pwrite64, f->fd, (long)(f->content + done), f->size - done, done);
	if ((f->content && done < f->size) || (st.st_size > f->size && sys_call2(SYS_ftruncate, f->fd, f->size)))
		complain(NULL, name_of(f), "it cannot be written");
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Restores owner, mode and times, in this order: each one may change the next. */
static void put_attributes(const struct file *f)
{
	const struct timespec times[2] = {f->atime, f->mtime};
	struct stat st;

	if (sys_call2(SYS_fstat, f->fd, (long)&st))
		return;
	bool owner = st.st_uid == f->uid && st.st_gid == f->gid;

	if ((!owner && sys_call3(SYS_fchown, f->fd, f->uid, f->gid)) ||
		((!owner || (st.st_mode & 07777) != f->mode) && sys_call2(SYS_fchmod, f->fd, f->mode)) ||
		(!(same_time(st.st_atim, f->atime) && same_time(st.st_mtim, f->mtime)) &&
			sys_call4(SYS_utimensat, f->fd, 0, (long)times, 0)))
		complain(NULL, name_of(f), "its attributes cannot be set");
}

/* Seals cannot be taken off. If the last execution has added some, makes a new file for the descriptors. */
static void unseal(struct file *f)
{
	char link[32], name[256] = "";

	if (f->seals < 0 || f->first >= 0 || sys_fcntl(f->fd, F_GET_SEALS, 0) == f->seals)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", f->fd);
	long n = sys_call4(SYS_readlinkat, AT_FDCWD, (long)link, (long)name, sizeof(name) - 1);
	size_t before = strlen("/memfd:"), after = strlen(" (deleted)");
	bool made = n > (long)(before + after) && !memcmp(name, "/memfd:", before) && !shared_is_mapped(f->ino);

	name[made ? (size_t)n - after : 0] = 0;
	long fd = made ? sys_call2(SYS_memfd_create, (long)(name + before), MFD_ALLOW_SEALING | MFD_CLOEXEC) : -1;

	if (sys_failed(fd)) {
		complain(NULL, name_of(f), "seals cannot be taken off");
		return;
	}
	resource_remade(f->fd, (int)fd);
	for (unsigned i = 0; i < n_files; i++)
		if (&files[i] == f || files[i].first == f->fd)
			replace_by(files[i].fd, (int)fd);
	sys_close((int)fd);
	sys_fcntl(f->fd, F_SETFL, f->flags);
	put_content(f);
	sys_fcntl(f->fd, F_ADD_SEALS, f->seals);
}

static bool was_changed(const struct file *f)
{
	struct stat st;

	return sys_call2(SYS_fstat, f->fd, (long)&st) || st.st_size != f->size || !same_time(st.st_mtim, f->mtime);
}

/* Restores the state of the open file that the last execution may have changed. An execution that changed it was not rewound, so it ran in
   another process. */
static void restore_state(const struct file *f)
{
	struct flock all = {.l_type = F_UNLCK};

	sys_fcntl(f->fd, F_SETFL, f->flags);
	sys_call2(SYS_flock, f->fd, f->lock | LOCK_NB);
	if (!f->ofd_lock)
		sys_call3(SYS_fcntl, f->fd, F_OFD_SETLK, (long)&all);
}

static void restore(struct file *f, bool printed)
{
	struct stat st;

	if (f->captured) {
		if (printed && !sys_call2(SYS_fstat, f->fd, (long)&st) && st.st_size != f->at)
			sys_call2(SYS_ftruncate, f->fd, f->at);
		return;
	}
	unseal(f);
	if (f->writable)
		put_content(f);
	if (f->not_kept && was_changed(f))
		complain(NULL, name_of(f), "it is too large, or cannot be read");
	sys_call3(SYS_lseek, f->fd, f->at, SEEK_SET);
	if (f->first < 0 && ctl_session->ctl.execution.exec_pid != fiber_first->kernel.tid)
		restore_state(f);
}

void files_restore(bool printed)
{
	if (!remembered)
		return;
	bool changed = journal_undo(journal(), journal()->floor, complain, NULL) > 0;

	for (unsigned i = 0; i < n_files; i++) {
		if (changed || files[i].replaced)
			reopen(&files[i]);
		restore(&files[i], printed);
	}
	shared_restore();
	older_settings_restore();
	for (unsigned i = 0; i < n_files; i++) /* last, since the others change times */
		if (files[i].whole)
			put_attributes(&files[i]);
}

/* ---- in the middle of an execution ---- */

bool files_mark(struct files_mark *m)
{
	struct stat st;

	m->printed[0] = m->printed[1] = -1;
	for (unsigned i = 0; i < n_files; i++) {
		const struct file *f = &files[i];

		if ((!f->captured && (f->flags & O_ACCMODE) != O_RDONLY) || f->fd >= FILES_MARKED)
			return false;
		if (f->captured && sys_call2(SYS_fstat, f->fd, (long)&st))
			return false;
		if (f->captured)
			m->printed[f->fd - 1] = st.st_size;
	}
	for (int fd = 0; fd < FILES_MARKED; fd++)
		m->at[fd] = sys_call3(SYS_lseek, fd, 0, SEEK_CUR);
	return n_files < MAX_FILES;
}

void files_resume(const struct files_mark *m)
{
	bool changed = journal_undo(journal(), journal()->floor, complain, NULL) > 0;

	for (unsigned i = 0; i < n_files; i++)
		if (changed || files[i].replaced)
			reopen(&files[i]);
	for (int i = 0; i < 2; i++)
		if (m->printed[i] >= 0)
			sys_call2(SYS_ftruncate, i + 1, m->printed[i]);
	for (int fd = 0; fd < FILES_MARKED; fd++)
		if (m->at[fd] >= 0)
			sys_call3(SYS_lseek, fd, m->at[fd], SEEK_SET);
}

/* ---- other processes of the program ---- */

bool files_new_process(void)
{
	struct journal *j = journal();
	pid_t before = j->pid, pid = sys_getpid();

	if (before == pid)
		return false; /* the same process: a wrapper has become the program by exec */
	j->pid = pid;
	memset(j->inherited, 0, sizeof(j->inherited));
	far_inherited = fd_end() > NEAR_FDS;
	for (int fd = 0; fd < NEAR_FDS; fd++)
		if (!sys_failed(sys_fcntl(fd, F_GETFD, 0)))
			j->inherited[fd / 64] |= UINT64_C(1) << fd % 64;
	return before != 0;
}

void files_restart(void)
{
	journal_undo(journal(), journal_whole(), complain, NULL);
	journal_clear(journal());
}

void files_set_aside(void)
{
	if (ctl_session->config.isolation == ISOLATION_EXEC || !remembered) {
		files_restart(); /* the next execution is a new process anyway */
		return;
	}
	files_restore(true);
	journal_set_aside(journal(), complain, NULL);
}

void files_bring_back(void)
{
	if (remembered)
		files_restore(true);
}
