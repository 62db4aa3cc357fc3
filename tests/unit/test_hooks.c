/*
 * preload/base/hooks.def and preload/base/libc.def against the installed libc and against libsimul.so.
 *
 * A synchronisation symbol of libc that is missing from the list would silently escape control, which is the worst possible fault. So would a
 * hook that is listed but not exported. A function in neither list could access memory unseen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the list ---- */

enum line_kind { LINE_MODEL, LINE_PASS, LINE_REFUSE, LINE_TOLD, LINE_UNSEEN, LINE_HARMLESS, LINE_OLD };

static const struct line {
	const char *name;
	enum line_kind kind;
} lines[] = {
#define MODEL(ret, name, args) {#name, LINE_MODEL},
#define PASS(ret, name, args) {#name, LINE_PASS},
#define REFUSE(ret, name, args) {#name, LINE_REFUSE},
#include "preload/base/hooks.def"
#undef MODEL
#undef PASS
#undef REFUSE
#define DESCRIBED(name, ...) {#name, LINE_TOLD},
#define UNSEEN(name) {#name, LINE_UNSEEN},
#define HARMLESS(name) {#name, LINE_HARMLESS},
#define OLD(name) {#name, LINE_OLD},
#include "preload/base/libc.def"
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

/* The symbols of the sanitizer interface, of simul.h, of libsystemc, libpth and libtbb, which libc does not have. */
static const char *const own_names[] = {
#define HEADER(name) #name,
#include "preload/hooks/header.def"
#undef HEADER
#define INTERPOSED(result, name, arguments, symbol) #symbol,
#include "preload/cooperative/systemc.def"
#include "preload/cooperative/pth.def"
#undef INTERPOSED
#define TASKS(name, symbol) #symbol,
#define ALLOCATES TASKS
#define GIVES_BACK TASKS
#include "preload/hooks/tbb.def"
#define ACCESS(name, ...) #name,
#define ACCESS_PC(name, ...) #name,
#define RANGE(name, ...) #name,
#define RANGE_PC(name, ...) #name,
#define ATOMIC(name, ...) #name,
#define NOTHING(name) #name,
#define OTHER(name) #name,
#include "preload/accesses/tsan.def"
#undef ACCESS
#undef ACCESS_PC
#undef RANGE
#undef RANGE_PC
#undef ATOMIC
#undef NOTHING
#undef OTHER
};

static bool is_own(const char *name)
{
	for (size_t i = 0; i < sizeof(own_names) / sizeof(own_names[0]); i++)
		if (strcmp(own_names[i], name) == 0)
			return true;
	return false;
}

static bool is_exported(const struct line *line)
{
	return line->kind == LINE_MODEL || line->kind == LINE_REFUSE || line->kind == LINE_TOLD || line->kind == LINE_UNSEEN;
}

static const struct line *find_line(const char *name)
{
	for (size_t i = 0; i < LINES; i++)
		if (strcmp(lines[i].name, name) == 0)
			return &lines[i];
	return NULL;
}

/* ---- dynamic symbols of a file ---- */

struct symbols {
	char **name;
	size_t n, cap;
};

static bool has_symbol(const struct symbols *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->name[i], name) == 0)
			return true;
	return false;
}

/* Adds a symbol once, however many versions it has. */
static void add_symbol(struct symbols *s, const char *name)
{
	if (has_symbol(s, name))
		return;
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 1024;
		s->name = realloc(s->name, s->cap * sizeof(char *));
		assert_non_null(s->name);
	}
	s->name[s->n++] = strdup(name);
}

static void free_symbols(struct symbols *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->name[i]);
	free(s->name);
	*s = (struct symbols){0};
}

static Elf_Data *section_data(Elf *elf, uint32_t type, GElf_Shdr *header)
{
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn))
		if (gelf_getshdr(scn, header) && header->sh_type == type)
			return elf_getdata(scn, NULL);
	return NULL;
}

/* Returns the index of the version GLIBC_PRIVATE, with which programs cannot link, or 0 when there is none. */
static unsigned private_version(Elf *elf)
{
	GElf_Shdr header;
	Elf_Data *data = section_data(elf, SHT_GNU_verdef, &header);
	int at = 0;

	for (size_t i = 0; data && i < header.sh_info; i++) {
		GElf_Verdef def;
		GElf_Verdaux aux;

		assert_non_null(gelf_getverdef(data, at, &def));
		assert_non_null(gelf_getverdaux(data, at + (int)def.vd_aux, &aux));
		if (strcmp(elf_strptr(elf, header.sh_link, aux.vda_name), "GLIBC_PRIVATE") == 0)
			return def.vd_ndx;
		at += (int)def.vd_next;
	}
	return 0;
}

/* Adds the functions that the file exports to programs. */
static void read_symbols(const char *path, struct symbols *out)
{
	int fd = open(path, O_RDONLY);
	GElf_Shdr header, version_header;

	assert_true(fd >= 0);
	assert_int_not_equal(elf_version(EV_CURRENT), EV_NONE);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

	assert_non_null(elf);
	unsigned hidden = private_version(elf);
	Elf_Data *versions = section_data(elf, SHT_GNU_versym, &version_header);
	Elf_Data *data = section_data(elf, SHT_DYNSYM, &header);

	assert_non_null(data);
	for (size_t i = 1; i < header.sh_size / header.sh_entsize; i++) {
		GElf_Sym sym;
		GElf_Versym version = 0;

		assert_non_null(gelf_getsym(data, (int)i, &sym));
		if (versions)
			gelf_getversym(versions, (int)i, &version);
		unsigned type = GELF_ST_TYPE(sym.st_info);
		bool function = type == STT_FUNC || type == STT_GNU_IFUNC;

		if (sym.st_shndx == SHN_UNDEF || !function || (hidden && (version & 0x7fff) == hidden))
			continue;
		add_symbol(out, elf_strptr(elf, header.sh_link, sym.st_name));
	}
	elf_end(elf);
	close(fd);
}

/* The functions of every file that is part of libc: one file today, several before glibc 2.34. */
static void read_libc(struct symbols *out)
{
	static const char *const pieces[] = {"puts", "pthread_create", "sem_wait", "timer_create", "aio_read"};
	char seen[sizeof(pieces) / sizeof(pieces[0])][PATH_MAX];
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	size_t n = 0;

	assert_non_null(libc);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		/* Look in libc itself, because a sanitizer's runtime comes before it. */
		void *address = dlsym(libc, pieces[i]);
		Dl_info info;
		bool known = false;

		if (!address)
			address = dlsym(RTLD_DEFAULT, pieces[i]);
		assert_non_null(address);
		assert_true(dladdr(address, &info));
		for (size_t k = 0; k < n; k++)
			known |= strcmp(seen[k], info.dli_fname) == 0;
		if (known)
			continue;
		snprintf(seen[n++], PATH_MAX, "%s", info.dli_fname);
		read_symbols(info.dli_fname, out);
	}
	assert_true(out->n > 1000);
}

/* ---- what must be listed ---- */

static const char *const prefixes[] = {"pthread_", "__pthread_", "_pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_",
	"call_once", "__cxa_thread", "sched_", "__sched_", "timer_", "timerfd_", "mq_", "aio_", "lio_", "epoll_",
	"posix_spawn"};
static const char *const parts[] = {"futex", "flockfile", "nanosleep", "_lock_file"};

/* Sets of attributes and CPUs: no thread waits or is woken there. */
static const char *const harmless[] = {"posix_spawnattr_", "posix_spawn_file_actions_", "__sched_cpu"};

/* Other functions that block, read a clock, or concern processes and signals. */
static const char *const others[] = {
	/* time */
	"time", "gettimeofday", "__gettimeofday", "clock_gettime", "clock_getres", "clock_settime", "clock", "times",
	"ftime", "timespec_get", "sleep", "usleep", "alarm", "ualarm", "setitimer", "getitimer", "stime",
	"settimeofday", "adjtime", "clock_getcpuclockid",
	/* descriptors */
	"read", "__read", "write", "__write", "readv", "writev", "preadv", "pwritev", "pread", "pwrite", "pread64",
	"pwrite64", "__pread64", "__pwrite64", "preadv2", "pwritev2", "preadv64", "pwritev64", "preadv64v2",
	"pwritev64v2", "__read_chk", "__pread_chk", "__pread64_chk", "open", "open64", "__open", "__open64", "openat",
	"openat64", "creat", "creat64", "close", "__close", "dup", "dup2", "__dup2", "dup3", "fcntl", "fcntl64",
	"__fcntl", "ioctl", "pipe", "__pipe", "pipe2", "poll", "__poll", "__poll_chk", "ppoll", "__ppoll_chk",
	"select", "__select", "pselect", "accept", "accept4", "connect", "__connect", "recv", "__recv_chk",
	"recvfrom", "__recvfrom_chk", "recvmsg", "recvmmsg", "send", "__send", "sendto", "sendmsg", "sendmmsg",
	"sendfile", "sendfile64", "splice", "tee", "vmsplice", "copy_file_range", "socket", "socketpair", "bind",
	"listen", "shutdown", "eventfd", "eventfd_read", "eventfd_write", "signalfd", "flock", "lockf", "lockf64",
	"msgrcv", "msgsnd", "semop", "semtimedop", "inotify_init", "inotify_init1", "close_range", "closefrom",
	"getrandom", "getentropy",
	/* files */
	"fopen", "fopen64", "_IO_fopen", "freopen", "freopen64", "tmpfile", "tmpfile64", "mkdir", "mkdirat", "mkfifo",
	"mkfifoat", "mknod", "mknodat", "__xmknod", "__xmknodat", "symlink", "symlinkat", "link", "linkat", "unlink",
	"unlinkat", "rmdir", "remove", "rename", "renameat", "renameat2", "truncate", "truncate64", "ftruncate",
	"ftruncate64", "chmod", "fchmodat", "shm_open", "shm_unlink", "mkstemp", "mkstemp64", "mkostemp", "mkostemp64", "mkstemps",
	"mkstemps64", "mkostemps", "mkostemps64", "mkdtemp",
	/* signals */
	"signal", "bsd_signal", "sysv_signal", "__sysv_signal", "ssignal", "sigset", "sigaction", "__sigaction",
	"sigprocmask", "sigpending", "sigsuspend", "__sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait",
	"sigpause", "__sigpause", "__xpg_sigpause", "sigaltstack", "sigblock", "sigsetmask", "siggetmask", "sighold",
	"sigrelse", "sigignore", "siginterrupt", "sigqueue", "kill", "killpg", "tgkill", "raise", "gsignal", "pause",
	/* processes */
	"fork", "__fork", "_Fork", "vfork", "__vfork", "clone", "__clone", "forkpty", "daemon", "execl", "execle", "execlp",
	"execv", "execve", "execvp", "execvpe", "fexecve", "execveat", "system", "popen", "pclose", "_IO_popen",
	"wait", "__wait", "waitpid", "__waitpid", "wait3", "wait4", "waitid", "exit", "_exit", "_Exit", "quick_exit",
	"abort", "__assert_fail", "__libc_start_main", "pidfd_open", "pidfd_send_signal", "__register_atfork",
	/* the rest */
	"syscall", "gettid", "setcontext", "swapcontext",
};

static bool starts_with(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(name, list[i], strlen(list[i])) == 0)
			return true;
	return false;
}

static bool belongs(const char *name)
{
	if (starts_with(name, harmless, sizeof(harmless) / sizeof(harmless[0])))
		return false;
	if (starts_with(name, prefixes, sizeof(prefixes) / sizeof(prefixes[0])))
		return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(name, parts[i]))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(name, others[i]) == 0)
			return true;
	return false;
}

/* ---- the tests ---- */

static void each_name_once(void **state)
{
	unsigned twice = 0;

	for (size_t i = 0; i < LINES; i++)
		if (find_line(lines[i].name) != &lines[i]) {
			print_error("hooks.def or libc.def: %s is listed twice\n", lines[i].name);
			twice++;
		}
	assert_int_equal(twice, 0);
}

static void libc_is_covered(void **state)
{
	struct symbols libc = {0};
	unsigned missing = 0;

	read_libc(&libc);
	for (size_t i = 0; i < libc.n; i++) {
		const struct line *line = find_line(libc.name[i]);

		if (!line) {
			print_error("hooks.def, libc.def: libc's %s is on no line\n", libc.name[i]);
			missing++;
		}
		if (line && belongs(libc.name[i]) && line->kind == LINE_HARMLESS) {
			print_error("libc.def: %s has to do with threads, time or descriptors: it belongs in hooks.def, or its accesses in libc.def\n",
				libc.name[i]);
			missing++;
		}
	}
	free_symbols(&libc);
	assert_int_equal(missing, 0);
}

/* Only symbols with which no program can be linked today may lack a description. */
static void old_symbols_are_old(void **state)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD); /* a sanitizer's library may define the symbols too */
	unsigned wrong = 0;

	assert_non_null(libc);
	for (size_t i = 0; i < LINES; i++)
		if (lines[i].kind == LINE_OLD && dlsym(libc, lines[i].name)) {
			print_error("libc.def: %s is OLD, but programs can be linked with it\n", lines[i].name);
			wrong++;
		}
	dlclose(libc);
	assert_int_equal(wrong, 0);
}

/* A hook whose name is misspelt in hooks.def would never be called. */
static void listed_symbols_exist(void **state)
{
	static const char *const elsewhere[] = {"__cxa_guard_"}; /* libstdc++ */
	void *libm = dlopen("libm.so.6", RTLD_NOW);
	struct symbols libc = {0};
	unsigned unknown = 0;

	read_libc(&libc);
	for (size_t i = 0; i < LINES; i++)
		if (lines[i].kind != LINE_OLD && !has_symbol(&libc, lines[i].name) && !starts_with(lines[i].name, elsewhere, 1) &&
			!dlsym(RTLD_DEFAULT, lines[i].name) && !(libm && dlsym(libm, lines[i].name))) {
			print_error("hooks.def, libc.def: libc has no %s\n", lines[i].name);
			unknown++;
		}
	free_symbols(&libc);
	assert_int_equal(unknown, 0);
}

/* libsimul.so of this build is in the folder above this program's. Returns NULL when it was not built. */
static const char *library_path(void)
{
	static char path[PATH_MAX + 32];
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	assert_true(n > 0);
	self[n] = 0;
	snprintf(path, sizeof(path), "%s/../libsimul.so", dirname(self));
	return access(path, R_OK) == 0 ? path : NULL;
}

static void library_exports_the_hooks(void **state)
{
	const char *path = library_path();
	struct symbols exports = {0};
	unsigned wrong = 0;

	if (!path) {
		print_message("libsimul.so is not built\n");
		skip();
	}
	read_symbols(path, &exports);
	for (size_t i = 0; i < LINES; i++)
		if (is_exported(&lines[i]) && !has_symbol(&exports, lines[i].name)) {
			print_error("hooks.def, libc.def: %s is not exported by libsimul.so\n", lines[i].name);
			wrong++;
		}
	for (size_t i = 0; i < exports.n; i++) {
		const struct line *line = find_line(exports.name[i]);

		if (!is_own(exports.name[i]) && (!line || !is_exported(line))) {
			print_error("libsimul.so: exports %s, which no line of hooks.def, libc.def, tsan.def, "
				    "header.def, systemc.def, pth.def or tbb.def has it export\n",
				exports.name[i]);
			wrong++;
		}
	}
	free_symbols(&exports);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_once),
		cmocka_unit_test(libc_is_covered),
		cmocka_unit_test(old_symbols_are_old),
		cmocka_unit_test(listed_symbols_exist),
		cmocka_unit_test(library_exports_the_hooks),
	};

	return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
