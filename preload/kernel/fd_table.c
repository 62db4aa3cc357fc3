/* The open file of each descriptor; see fd.h. Private memory: it belongs to the execution. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define MAX_FILES 2048
#define CLOSED_BELOW 1024 /* a rewind closes descriptors below this (life/rewind.c) */
#define UNKNOWN 0
#define PLAIN 1 /* greater values: index into files, plus 2 */

static uint16_t table[MAX_FDS];
static struct open_file files[MAX_FILES];
static unsigned n_files; /* slots from here on were never used */
static uint32_t last_serial;
static struct open_file *network;
static bool made_any;
static bool restores;   /* the process of the execution calls fd_restore before the next one, if */
static bool older_used; /* this one has used a file that fd_restore makes again */
static uint64_t to_read[CLOSED_BELOW / 64]; /* descriptors that fd_opened_to_read has recorded */

static bool in_range(int fd)
{
	return fd >= 0 && fd < MAX_FDS;
}

static struct open_file *file_of(int fd)
{
	return table[fd] > PLAIN ? &files[table[fd] - 2] : NULL;
}

static bool is_joined(const struct open_file *g)
{
	for (unsigned i = 0; i < n_files; i++)
		if (files[i].kind && files[i].group == g)
			return true;
	return false;
}

/* Frees the slots of closed files, except for those that are the group of another file. The group of a poll also stays, because a file may
   be about to join it. */
static void reclaim(void)
{
	bool more = true;

	while (more) {
		more = false;
		for (unsigned i = 0; i < n_files; i++) {
			struct open_file *f = &files[i];

			if (!f->kind || f->kind == FILE_GROUP || f->refs || f == network || is_joined(f))
				continue;
			f->kind = 0;
			more = true;
		}
	}
}

/* A rewind closes the descriptors that the execution has made, and older files are made again if they can be. Returns
   whether that undoes what the execution does with f. */
static bool put_back(const struct open_file *f)
{
	bool older = f->saved && restores;

	older_used |= older;
	return f->made || older;
}

static void note_use(int fd, const struct open_file *f)
{
	ctl_opaque();
	if (!put_back(f) || fd >= CLOSED_BELOW)
		rewind_taint("use pipes, sockets or other files that wait");
}

static unsigned free_slot(void)
{
	unsigned i = 0;

	while (i < n_files && files[i].kind)
		i++;
	return i;
}

static struct open_file *new_file(enum file_kind kind)
{
	unsigned i = free_slot();

	if (i == MAX_FILES) {
		reclaim();
		i = free_slot();
	}
	if (i == MAX_FILES)
		ctl_refuse("the program has more than %d pipes, sockets and eventfds open at a time", MAX_FILES);
	if (i == n_files)
		n_files++;
	files[i] = (struct open_file){.kind = (uint8_t)kind, .serial = ++last_serial};
	return &files[i];
}

static void note_to_read(int fd, bool on)
{
	if (fd < 0 || fd >= CLOSED_BELOW)
		return;
	to_read[fd / 64] &= ~(UINT64_C(1) << fd % 64);
	to_read[fd / 64] |= (uint64_t)on << fd % 64;
}

void fd_forget(int fd)
{
	outside_touched = true;
	if (!in_range(fd))
		return;
	struct open_file *f = file_of(fd);

	table[fd] = UNKNOWN;
	note_to_read(fd, false);
	if (!f || --f->refs || f == network)
		return;
	fd_unwatch(f);
	/* a file with a group is freed by reclaim(), because other files may still point to it */
	if (f->kind != FILE_EPOLL && !f->group)
		f->kind = 0;
}

void fd_set_plain(int fd)
{
	fd_forget(fd);
	if (in_range(fd))
		table[fd] = PLAIN;
}

void fd_assign(int fd, struct open_file *f)
{
	if (!in_range(fd)) {
		ctl_uncontrolled("descriptors with very large numbers");
		return;
	}
	note_use(fd, f);
	f->refs++; /* must come before fd_forget, which may drop a reference to this file */
	fd_forget(fd);
	table[fd] = (uint16_t)(f - files + 2);
}

void fd_copy(int from, int to)
{
	if (!in_range(from) || !in_range(to) || from == to)
		return;
	struct open_file *f = file_of(from);
	bool reads = fd_is_made(from);

	if (f) {
		fd_assign(to, f);
	} else {
		fd_forget(to);
		note_to_read(to, reads);
	}
}

static bool identify(int fd, struct stat *st)
{
	return sys_call2(SYS_fstat, fd, (long)st) == 0;
}

static struct open_file *create(enum file_kind kind, int fd, bool made)
{
	struct open_file *f = new_file(kind);
	struct stat st;

	f->made = made;
	if (fd >= 0 && identify(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	if (fd >= 0)
		fd_assign(fd, f);
	return f;
}

struct open_file *fd_new(enum file_kind kind, int fd)
{
	return create(kind, fd, false);
}

struct open_file *fd_make(enum file_kind kind, int fd)
{
	made_any = true;
	return create(kind, fd, true);
}

bool fd_opened_to_read(int fd)
{
	struct stat st;

	if (fd < 0 || fd >= CLOSED_BELOW || !identify(fd, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return false;
	note_to_read(fd, true);
	made_any = true;
	return true;
}

bool fd_is_made(int fd)
{
	const struct open_file *f = in_range(fd) ? file_of(fd) : NULL;

	return f ? f->made : fd >= 0 && fd < CLOSED_BELOW && to_read[fd / 64] >> fd % 64 & 1;
}

bool fd_put_back(int fd)
{
	const struct open_file *f = in_range(fd) ? file_of(fd) : NULL;

	return f ? put_back(f) : fd_is_made(fd);
}

bool fd_older_used(void)
{
	return older_used;
}

bool fd_made_any(void)
{
	return made_any;
}

void fd_all_older(void)
{
	made_any = older_used = false;
	restores = true;
	memset(to_read, 0, sizeof(to_read));
	for (unsigned i = 0; i < n_files; i++)
		files[i].made = false;
}

struct open_file *fd_network(void)
{
	if (!network)
		network = new_file(FILE_NET);
	return network;
}

static struct open_file *find_inode(const struct stat *st)
{
	for (unsigned i = 0; i < n_files; i++)
		if (files[i].kind && files[i].ino == st->st_ino && files[i].dev == st->st_dev)
			return &files[i];
	return NULL;
}

static struct open_file *make_external(int fd, enum file_kind kind)
{
	struct open_file *f = fd_new(kind, fd);

	f->external = true;
	return f;
}

static struct open_file *classify_device(int fd, const struct stat *st)
{
	unsigned ma = major(st->st_rdev), mi = minor(st->st_rdev);

	if (ma == 1 && (mi == 8 || mi == 9))
		return fd_new(FILE_RANDOM, fd);
	if (ma == 1) {
		table[fd] = PLAIN;
		return NULL;
	}
	return make_external(fd, FILE_DEVICE);
}

/* Finds the kind of a descriptor of an anonymous inode from /proc. */
static struct open_file *classify_anonymous(int fd)
{
	char path[64], name[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	long n = sys_call4(SYS_readlinkat, AT_FDCWD, (long)path, (long)name, sizeof(name) - 1);

	name[n > 0 ? n : 0] = 0;
	if (strstr(name, "[eventfd]"))
		return make_external(fd, FILE_EVENTFD);
	if (strstr(name, "[eventpoll]"))
		return fd_new(FILE_EPOLL, fd);
	return make_external(fd, FILE_DEVICE);
}

static struct open_file *classify(int fd)
{
	struct stat st;
	struct open_file *f = NULL;

	if (!identify(fd, &st))
		return NULL;
	switch (st.st_mode & S_IFMT) {
	case S_IFIFO:
	case S_IFSOCK:
		f = find_inode(&st);
		if (!f)
			outside_note("uses a pipe or socket that others have");
		if (!f && S_ISFIFO(st.st_mode))
			return make_external(fd, FILE_PIPE);
		if (!f) {
			own_files_shared_socket(NULL);
			f = fd_network();
		}
		fd_assign(fd, f);
		return f;
	case S_IFCHR:
		return classify_device(fd, &st);
	case 0:
		return classify_anonymous(fd);
	default:
		table[fd] = PLAIN;
		return NULL;
	}
}

/* Returns whether fd may still refer to f. libc closes descriptors (fclose, closedir) without a hook. */
static bool still_is(int fd, const struct open_file *f)
{
	struct stat st;

	if (!identify(fd, &st))
		return false;
	switch ((enum file_kind)f->kind) {
	case FILE_PIPE:
	case FILE_PAIR:
		return (st.st_ino == f->ino && st.st_dev == f->dev) ||
			(f->kind == FILE_PAIR && S_ISSOCK(st.st_mode)); /* the two ends of a socket pair have different inodes */
	case FILE_NET:
		return S_ISSOCK(st.st_mode);
	case FILE_EVENTFD:
	case FILE_TIMER:
	case FILE_EPOLL:
		return (st.st_mode & S_IFMT) == 0;
	case FILE_RANDOM:
		return S_ISCHR(st.st_mode);
	case FILE_DEVICE:
	case FILE_LOCKS:
	case FILE_GROUP:
		return true;
	}
	return true;
}

struct open_file *fd_lookup(int fd)
{
	if (!in_range(fd) || table[fd] == PLAIN)
		return NULL;
	struct open_file *f = file_of(fd);

	if (f && still_is(fd, f)) {
		note_use(fd, f);
		return f;
	}
	if (f)
		fd_forget(fd); /* else fd is unknown, and may have been opened to read */
	return classify(fd);
}

void fd_drop_closed(void)
{
	for (int fd = 0; fd < MAX_FDS; fd++) {
		const struct open_file *f = file_of(fd);

		if (f && !still_is(fd, f))
			fd_forget(fd);
	}
}

void fd_info(int fd, char *text, size_t size)
{
	char path[64];
	size_t n = 0;
	long r = 1;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	long info = sys_open(path, O_RDONLY | O_CLOEXEC, 0);

	for (; !sys_failed(info) && r > 0 && n < size - 1; n += r > 0 ? (size_t)r : 0)
		r = sys_read((int)info, text + n, size - 1 - n);
	text[n] = 0;
	if (!sys_failed(info))
		sys_close((int)info);
}

uint64_t fd_inode(int fd)
{
	struct stat st;

	return identify(fd, &st) ? st.st_ino : 0;
}

bool fd_counter(int fd, uint64_t *n)
{
	char text[256];

	fd_info(fd, text, sizeof(text));
	const char *at = strstr(text, "eventfd-count:");

	if (!at)
		return false;
	*n = 0;
	for (at += strlen("eventfd-count:"); *at == ' ' || *at == '\t'; at++)
		;
	for (; (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f'); at++)
		*n = *n << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
	return true;
}

const struct open_file *fd_known(int fd)
{
	return in_range(fd) ? file_of(fd) : NULL;
}

struct open_file *fd_file_at(unsigned k)
{
	for (unsigned i = 0; i < n_files; i++)
		if (files[i].kind && files[i].refs && k-- == 0)
			return &files[i];
	return NULL;
}

int fd_end(void)
{
	long dir = sys_open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n;
	char entries[2048] __attribute__((aligned(8)));
	int end = 0;

	if (sys_failed(dir))
		return MAX_FDS;
	while ((n = sys_call3(SYS_getdents64, dir, (long)entries, sizeof(entries))) > 0)
		for (long at = 0; at < n; at += ((const struct dirent64 *)(entries + at))->d_reclen) {
			int fd = 0;

			for (const char *p = ((const struct dirent64 *)(entries + at))->d_name; *p >= '0' && *p <= '9' && fd < MAX_FDS; p++)
				fd = fd * 10 + *p - '0';
			end = fd >= end ? fd + 1 : end;
		}
	sys_close((int)dir);
	return n < 0 || end > MAX_FDS ? MAX_FDS : end;
}

int fd_next(const struct open_file *f, int after)
{
	for (int fd = after + 1; fd < MAX_FDS; fd++)
		if (file_of(fd) == f)
			return fd;
	return -1;
}

object_id fd_object(const struct open_file *f)
{
	return ctl_object(OBJ_FD, (const void *)(uintptr_t)own_file_address(own_files_kind(f), f->serial));
}

struct open_file *fd_root(struct open_file *f)
{
	while (f->group)
		f = f->group;
	return f;
}
