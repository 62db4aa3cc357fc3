/* See own_files.h. */
#include "enforce/lib/own_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "enforce/lib/real.h"

#define MOST_INHERITED 256

static dev_t pipes; /* the kernel's file system of pipes; named pipes are in others */
static bool ordered; /* the certificate has events on such files; else nothing here is needed */
static bool known;  /* `pipes` is set */
static ino_t inherited[MOST_INHERITED];
static unsigned n_inherited;

/* Closes a descriptor of this library: no event. */
static int close_now(int fd)
{
	return REAL(close)(fd);
}

static void note_inherited(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return;
	if (n_inherited == MOST_INHERITED)
		gate_refuse("the certificate cannot be enforced: the program starts with more than %d pipes",
			MOST_INHERITED);
	inherited[n_inherited++] = st.st_ino;
}

static void find_file_system(void)
{
	struct stat st;
	int end[2];

	if (REAL(pipe)(end))
		return;
	if (!fstat(end[0], &st)) {
		pipes = st.st_dev;
		known = true;
	}
	close_now(end[0]);
	close_now(end[1]);
}

/* ---- socket pairs ---- */

#define PAIR_SLOTS (1u << 16)

/* Each end of a socket pair has a number of its own, which the kernel does not use again. This table, which only grows,
   has both. */
static struct pair_end {
	uint64_t number; /* 0: free */
	uint64_t first;  /* the number of the pair's first end; 0: not known yet */
} *pair_ends;
static uint32_t n_pair_ends;

static struct pair_end *slot_of(uint64_t number, bool take)
{
	for (uint32_t i = (uint32_t)hash_spread(number) % PAIR_SLOTS;; i = (i + 1) % PAIR_SLOTS) {
		uint64_t found = __atomic_load_n(&pair_ends[i].number, __ATOMIC_ACQUIRE);

		if (!found && take)
			__atomic_compare_exchange_n(&pair_ends[i].number, &found, number, false, __ATOMIC_SEQ_CST,
				__ATOMIC_SEQ_CST);
		if (found == number || !found)
			return &pair_ends[i];
	}
}

static void note_end(uint64_t number, uint64_t first)
{
	if (__atomic_add_fetch(&n_pair_ends, 1, __ATOMIC_RELAXED) > PAIR_SLOTS / 2)
		gate_refuse("the certificate cannot be enforced: the program has made %u socket pairs", PAIR_SLOTS / 4);
	__atomic_store_n(&slot_of(number, true)->first, first, __ATOMIC_RELEASE);
}

void own_files_pair(const int fd[2])
{
	bool over = self.known && !__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE);
	struct stat end[2];

	if (!pair_ends || over || fstat(fd[0], &end[0]) || fstat(fd[1], &end[1]))
		return;
	note_end(end[0].st_ino, end[0].st_ino);
	note_end(end[1].st_ino, end[0].st_ino);
}

/* Returns the number of the socket pair to which this end belongs; 0: there is none. */
static uint64_t pair_number(uint64_t end)
{
	return __atomic_load_n(&slot_of(end, false)->first, __ATOMIC_ACQUIRE);
}

/* ---- connections ---- */

void own_files_connected(int fd)
{
	int saved = errno;
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.pid != gate_pid)
		gate_diverge("the program diverges from its certificate: a socket was certified to be connected to "
			     "another one of the program, and another process has the other end");
	errno = saved;
}

/* ---- what there is at the start ---- */

/* Returns whether the certificate has events on such files. */
static bool are_ordered(void)
{
	const struct plan_object *o = plan_at(gate_plan->objects);
	uint32_t i = 0;

	while (i < gate_plan->n_objects && o[i].kind != OBJ_FD)
		i++;
	return i < gate_plan->n_objects;
}

void own_files_init(void)
{
	const struct dirent *e;
	DIR *d;

	ordered = are_ordered();
	if (!ordered)
		return;
	d = opendir("/proc/self/fd");
	while (d && (e = readdir(d)))
		note_inherited(atoi(e->d_name));
	if (d)
		closedir(d);
	find_file_system();
	pair_ends = mmap(NULL, PAIR_SLOTS * sizeof(*pair_ends), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pair_ends == MAP_FAILED)
		gate_refuse("no memory to enforce the certificate with");
}

static bool is_inherited(ino_t number)
{
	unsigned i = 0;

	while (i < n_inherited && inherited[i] != number)
		i++;
	return i < n_inherited;
}

/* Returns the number of an eventfd from the kernel's description of fd; 0: it is none. */
static uint64_t eventfd_number(int fd)
{
	static const char label[] = "eventfd-id:";
	char text[512];
	const char *at;
	ssize_t n;
	int info;

	snprintf(text, sizeof(text), "/proc/self/fdinfo/%d", fd);
	info = REAL(open)(text, O_RDONLY | O_CLOEXEC);
	n = info < 0 ? -1 : REAL(read)(info, text, sizeof(text) - 1);
	if (info >= 0)
		close_now(info);
	text[n > 0 ? n : 0] = 0;
	at = strstr(text, label);
	return at ? strtoull(at + strlen(label), NULL, 10) + 1 : 0;
}

/* ---- descriptors ---- */

static enum own_file identify(int fd, struct use *use)
{
	enum own_file kind = OWN_FILE_NONE;
	uint64_t number = 0;
	struct stat st;

	if (fstat(fd, &st))
		return OWN_FILE_NONE;
	if (S_ISFIFO(st.st_mode) && known && st.st_dev == pipes && !is_inherited(st.st_ino)) {
		kind = OWN_FILE_PIPE;
		number = st.st_ino;
	} else if (S_ISSOCK(st.st_mode)) {
		number = pair_number(st.st_ino);
		kind = number ? OWN_FILE_PAIR : OWN_FILE_SOCKETS;
	} else if (!(st.st_mode & S_IFMT) && (number = eventfd_number(fd))) {
		kind = OWN_FILE_EVENTFD; /* an inherited one waits, too, though it need not */
	}
	*use = (struct use){.kind = OBJ_FD, .addr = own_file_address(kind, number)};
	return kind;
}

enum own_file own_files_use(int fd, struct use *use)
{
	int saved = errno;
	enum own_file kind;

	if (!ordered || __builtin_expect(!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE), 1))
		return OWN_FILE_NONE;
	kind = identify(fd, use);
	errno = saved;
	return kind;
}
