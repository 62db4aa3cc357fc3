#include "preload/kernel/resource_files.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/table.h"
#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_identity.h"
#include "preload/kernel/mapped_files.h"
#include "preload/memory/unforeseen.h"
#include "preload/base/rules.h"

#define MOST_LINKS 16

#define UNNAMED "a file without a name"

/* ---- files by inode ---- */

static bool has_contents(const struct file_identity *id)
{
	return (id->mode & S_IFMT) == S_IFREG || (id->mode & S_IFMT) == S_IFDIR;
}

#define FILES 2048u
static struct file {
	struct file_identity id;
	uint64_t name; /* hash; 0: a free place */
} seen[FILES]; /* private: of the running execution */

/* Returns the place of this file in the table, or a free place for it; NULL: there is no room. */
static struct file *place_of(const struct file_identity *id)
{
	uint32_t at = TABLE_SLOT_WITHIN(i, hash_spread(id->inode ^ id->device) >> 32, FILES, 64,
		!seen[i].name || file_is_same(&seen[i].id, id));

	return at == TABLE_FULL ? NULL : &seen[at];
}

static uint64_t hash_path(const char *path)
{
	return hash_bytes(HASH_START, path, strlen(path));
}

/* Returns the hash of the name of this file; `path` is its name if it was not seen before. */
static uint64_t file_name(const struct file_identity *id, const char *path)
{
	struct file *f = place_of(id);

	if (f && f->name)
		return f->name;
	uint64_t hash = hash_path(path);

	if (f)
		*f = (struct file){*id, hash};
	return hash;
}

/* Adds a use of the contents or attributes of the file with this name. `path` is one of its paths, for reports. */
static void add_file(struct resources *r, enum resource_space space, enum resource_use use, uint64_t name, const char *path)
{
	char text[48];
	const char *last = strrchr(path, '/');

	if (!use)
		return;
	snprintf(text, sizeof(text), "%s of %.32s", space == SPACE_CONTENTS ? "contents" : "attributes", last && last[1] ? last + 1 : path);
	resources_add(r, resource_named(space, name), use, text);
}

/* ---- paths ---- */

struct path {
	char text[PATH_MAX];
};

/* Replaces the name that the kernel shows for a file that never had one ("/tmp/#INODE (deleted)"). It would differ from
   run to run. */
static void leave_out_inode(char *path)
{
	char *last = strrchr(path, '/');
	char *end = last ? last + 2 : NULL;

	if (!last || last[1] != '#')
		return;
	while (*end >= '0' && *end <= '9')
		end++;
	if (!strcmp(end, " (deleted)"))
		memcpy(last + 1, UNNAMED, sizeof(UNNAMED));
}

static bool path_of(int fd, struct path *out)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	long n = sys_call4(SYS_readlinkat, AT_FDCWD, (long)link, (long)out->text, PATH_MAX - sizeof(UNNAMED));

	out->text[sys_failed(n) ? 0 : n] = 0;
	leave_out_inode(out->text);
	return !sys_failed(n);
}

static bool set(struct path *p, const char *text, size_t n)
{
	if (n >= PATH_MAX)
		return false;
	memmove(p->text, text, n);
	p->text[n] = 0;
	return true;
}

static unsigned entry_of(const char *path)
{
	return resource_named(SPACE_ENTRY, hash_path(path));
}

static void add_entry(struct resources *r, const char *path, enum resource_use use)
{
	char text[48];
	const char *last = strrchr(path, '/');

	snprintf(text, sizeof(text), "the entry %.36s", last && last[1] ? last + 1 : path);
	resources_add(r, entry_of(path), use, text);
}

/* Adds reads of the directories of an absolute path. */
static void read_directories(struct resources *r, char *path)
{
	for (char *c = path + 1; (c = strchr(c, '/')); c++) {
		*c = 0;
		add_entry(r, path, RESOURCE_READ);
		*c = '/';
	}
}

/* Opens the directory `path`, relative to dir. */
static long open_directory(int dir, const char *path)
{
	return sys_call3(SYS_openat, dir, (long)path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool file_added; /* by the latest resource_path */

/* Adds a file that is not there: the call would use it if it were. */
static void use_missing(struct resources *r, const char *path, const struct path_use *how)
{
	uint64_t hash = hash_path(path);

	add_file(r, SPACE_CONTENTS, how->contents, hash, path);
	add_file(r, SPACE_ATTRIBUTES, how->attributes, hash, path);
}

/* The file behind an entry of an open directory; at: the path of the entry. */
static void use_file(struct resources *r, int dir, const char *name, const char *at, const struct path_use *how)
{
	struct file_identity id;

	if ((!how->contents && !how->attributes) || !file_identify(dir, name, false, &id))
		return;
	file_added = true;
	if (!has_contents(&id))
		return;
	uint64_t hash = file_name(&id, at);

	add_file(r, SPACE_CONTENTS, how->contents, hash, at);
	add_file(r, SPACE_ATTRIBUTES, how->attributes, hash, at);
}

/* Resolves one step: `path` relative to dir. If it ends at a symbolic link to follow, sets *rest to the link's target, and returns the
   directory that the target is relative to. Otherwise returns -1. */
static long resolve(struct resources *r, int dir, struct path *path, const struct path_use *how)
{
	static struct path parent, at, directory;
	struct file_identity id;
	size_t n = strlen(path->text);

	while (n > 1 && path->text[n - 1] == '/') /* "dir/" is "dir" */
		path->text[--n] = 0;
	char *slash = strrchr(path->text, '/');
	const char *name = slash ? slash + 1 : path->text;

	if (!slash)
		set(&parent, ".", 1);
	else if (slash == path->text)
		set(&parent, "/", 1);
	else
		set(&parent, path->text, (size_t)(slash - path->text));
	bool whole = !*name || !strcmp(name, ".") || !strcmp(name, "..");
	long in = open_directory(dir, whole ? path->text : parent.text);

	if (sys_failed(in)) { /* a directory does not exist: the call fails, or it does not when another thread has made it */
		if (path->text[0] == '/' || (dir == AT_FDCWD && !sys_failed(sys_call2(SYS_getcwd, (long)at.text, PATH_MAX)))) {
			size_t k = path->text[0] == '/' ? 0 : strlen(at.text);

			if (k + n + 2 > PATH_MAX)
				return -1;
			if (k)
				at.text[k++] = '/';
			memcpy(at.text + k, path->text, n + 1);
			read_directories(r, at.text);
			resources_stage(r);
			add_entry(r, at.text, how->creates ? RESOURCE_CHANGE : how->entry);
		}
		return -1;
	}
	if (!path_of((int)in, &at) || at.text[0] != '/' || (file_is_of_kernel(at.text) && strncmp(at.text, "/dev/shm", 8)) || strcmp(at.text, "/dev") == 0) {
		sys_close((int)in);
		return -1;
	}
	size_t k = strlen(at.text);

	set(&directory, at.text, k);
	if (!whole) {
		size_t length = strlen(name);

		if (k + length + 2 > PATH_MAX) {
			sys_close((int)in);
			return -1;
		}
		if (k > 1)
			at.text[k++] = '/';
		memcpy(at.text + k, name, length + 1);
	}
	read_directories(r, at.text);
	resources_stage(r);
	enum resource_use entry = how->entry, names = how->directory;

	if (how->creates && !whole && (resource_is_visible(entry_of(at.text)) || !file_identify((int)in, name, false, &id))) {
		entry = RESOURCE_CHANGE;
		names = RESOURCE_ADD;
	}
	add_entry(r, at.text, entry);
	if (names && !whole && file_identify((int)in, "", false, &id))
		add_file(r, SPACE_CONTENTS, names, file_name(&id, directory.text), directory.text);
	resources_stage(r);
	if (whole) {
		use_file(r, (int)in, "", at.text, how);
		sys_close((int)in);
		return -1;
	}
	if (how->follow) {
		long m = sys_call4(SYS_readlinkat, in, (long)name, (long)parent.text, PATH_MAX - 1);

		if (m > 0 && !sys_failed(m)) {
			set(path, parent.text, (size_t)m);
			return in;
		}
	}
	use_file(r, (int)in, name, at.text, how);
	sys_close((int)in);
	return -1;
}

void resource_path(struct resources *r, int dir, const char *path, const struct path_use *how)
{
	static struct path rest;
	struct path_use now = *how;
	long in = dir;

	if (!mem_on || !path || !*path || !set(&rest, path, strnlen(path, PATH_MAX)))
		return;
	if (dir == AT_FDCWD && path[0] != '/')
		resources_add(r, RESOURCE_directory, RESOURCE_READ, NULL);
	resources_stage(r);
	file_added = false;
	for (unsigned i = 0; i < MOST_LINKS; i++) {
		long next = resolve(r, (int)in, &rest, &now);

		if (i)
			sys_close((int)in);
		in = next;
		if (in < 0)
			break;
	}
	if (in >= 0)
		sys_close((int)in); /* too many links: the call will fail with ELOOP */
	if (!file_added)
		use_missing(r, path, how);
}

/* ---- descriptors ---- */

#define NUMBERS 2048
#define NO_CONTENTS UINT16_MAX
/* which open file a descriptor refers to: a hash; 0: the program did not open it, so far as simul knows */
static uint32_t opened[NUMBERS];
/* the byte for the contents of the file of a descriptor, where resource_output found it; NO_CONTENTS: it has none;
   0: not known */
static uint16_t contents[NUMBERS];
static uint32_t opens[MAX_THREADS + 1]; /* of each thread; the last: before the first thread */
static uint32_t unnamed[MAX_THREADS]; /* the files without a name that each thread has made */

/* Returns the hash of a name for a file that the running thread has just made without one. */
static uint64_t name_unnamed(void)
{
	thread_id self = ctl_self();

	return hash_mix(hash_mix(hash_path(UNNAMED), self), ++unnamed[self % MAX_THREADS]);
}

/* The file's name is the one by which it is opened, whatever happens to that name later. */
static void name_opened(int fd, bool made)
{
	static struct path p;
	struct file_identity id;

	if (!file_identify(fd, "", false, &id) || !has_contents(&id))
		return;
	struct file *f = place_of(&id);
	uint64_t name = 0;

	if (f && f->name && !made)
		return;
	if (made && !id.links)
		name = name_unnamed();
	else if (path_of(fd, &p))
		name = hash_path(p.text);
	if (f && name)
		*f = (struct file){id, name};
}

void resource_opened(int fd, bool made)
{
	if (fd >= 0)
		name_opened(fd, made);
	if (fd < 0 || fd >= NUMBERS)
		return;
	contents[fd] = 0;
	uint32_t by = mem_on ? fiber_cur->id % MAX_THREADS : MAX_THREADS;

	opened[fd] = (uint32_t)hash_mix(by + 1, ++opens[by]) | 1;
}

void resource_remade(int from, int to)
{
	struct file_identity old, new;
	struct file *f = file_identify(from, "", false, &old) ? place_of(&old) : NULL;
	uint64_t name = f ? f->name : 0;

	if (name && file_identify(to, "", false, &new) && (f = place_of(&new)) != NULL)
		*f = (struct file){new, name};
}

uint32_t resource_open_file(int fd)
{
	uint32_t known = fd >= 0 && fd < NUMBERS ? opened[fd] : 0;

	return known ? known : (uint32_t)hash_mix((uint32_t)fd, 0) | 1;
}

void resource_duplicated(int from, int to)
{
	if (from < 0 || to < 0 || to >= NUMBERS)
		return;
	opened[to] = resource_open_file(from);
	contents[to] = 0;
}

void resource_closed(int fd)
{
	if (fd >= 0 && fd < NUMBERS)
		opened[fd] = contents[fd] = 0;
}

static void add_position(struct resources *r, int fd, enum resource_use use)
{
	resources_add(r, resource_named(SPACE_POSITION, resource_open_file(fd)), use, "the position in a file");
}

void resource_file(struct resources *r, int fd, const struct file_use *how)
{
	static struct path p;
	struct file_identity id;

	if (!mem_on || fd < 0 || (fd <= 2 && !outside_standard_streams && how->contents == RESOURCE_ADD))
		return;
	if (how->position || how->contents > RESOURCE_READ) /* the next call of this kind may have another result */
		value_unforeseen();
	if (!file_identify(fd, "", false, &id) || !has_contents(&id))
		return;
	if (how->contents && !how->length)
		mapped_used(id.device, id.inode, how->contents != RESOURCE_READ, (uintptr_t)r->pc);
	struct file *f = place_of(&id);

	if (!f || !f->name || resource_is_visible(resource_named(SPACE_CONTENTS, f->name))) { /* its path is needed */
		if (!path_of(fd, &p) || file_is_of_kernel(p.text))
			return;
	} else {
		p.text[0] = 0;
	}
	uint64_t name = f && f->name ? f->name : file_name(&id, p.text);

	add_file(r, SPACE_CONTENTS, how->contents, name, p.text);
	add_file(r, SPACE_ATTRIBUTES, how->attributes, name, p.text);
	if (how->position)
		add_position(r, fd, how->position);
}

void resource_output(struct resources *r, int fd)
{
	const struct file_use how = {.contents = RESOURCE_ADD, .position = RESOURCE_ADD};
	uint32_t n = r->n;

	if (!mem_on || fd < 0)
		return;
	uint16_t known = fd < NUMBERS ? contents[fd] : 0;

	if (known == NO_CONTENTS)
		return;
	if (known && !resource_is_visible(known)) {
		resources_add(r, known, RESOURCE_ADD, NULL);
		add_position(r, fd, RESOURCE_ADD);
		return;
	}
	resource_file(r, fd, &how);
	if (fd > STDERR_FILENO && fd < NUMBERS)
		contents[fd] = r->n > n ? r->used[n].at : NO_CONTENTS;
}
