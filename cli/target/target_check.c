/* Decides whether a file can be run; if not, gives the reason in plain words. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli/base/interrupt.h"
#include "cli/target/sanitizer.h"
#include "cli/base/say.h"
#include "cli/target/target_check.h"

struct elf_facts {
	int class, machine, type;
	char interpreter[256]; /* path of the dynamic linker; "": none, so it is statically linked */
	struct sanitizer_facts sanitizer;
};

static void read_interpreter(Elf *elf, const GElf_Phdr *ph, struct elf_facts *out)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)ph->p_offset, ph->p_filesz, ELF_T_BYTE);

	if (data && data->d_size < sizeof(out->interpreter))
		memcpy(out->interpreter, data->d_buf, data->d_size);
	else
		strcpy(out->interpreter, "?");
}

static bool read_elf(int fd, struct elf_facts *out)
{
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t n = 0;
	Elf *elf;
	bool ok;

	memset(out, 0, sizeof(*out));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	ok = elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &eh);
	if (ok) {
		out->class = gelf_getclass(elf);
		out->machine = eh.e_machine;
		out->type = eh.e_type;
	}
	if (ok && out->machine == EM_X86_64)
		ok = elf_getphdrnum(elf, &n) == 0;
	for (size_t i = 0; ok && i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_INTERP)
			read_interpreter(elf, &ph, out);
	if (ok && out->machine == EM_X86_64)
		sanitizer_read(elf, &out->sanitizer);
	elf_end(elf);
	return ok;
}

static const char *machine_name(int machine)
{
	switch (machine) {
	case EM_386:
		return "32-bit x86";
	case EM_ARM:
		return "32-bit ARM";
	case EM_AARCH64:
		return "ARM64";
	case EM_RISCV:
		return "RISC-V";
	case EM_PPC64:
		return "PowerPC";
	case EM_S390:
		return "IBM Z";
	default:
		return "another architecture";
	}
}

static bool check_kind(const struct elf_facts *f, const char *shown, char *why, size_t size)
{
	if (f->machine != EM_X86_64)
		text_set(why, size, "%s is built for %s; simul runs 64-bit x86 programs only: build it with -m64 "
			"for this machine", shown, machine_name(f->machine));
	else if (f->class != ELFCLASS64)
		text_set(why, size, "%s is a 32-bit (x32) program; simul runs 64-bit x86 programs only: build it "
			"with -m64", shown);
	else if (f->type != ET_EXEC && f->type != ET_DYN)
		text_set(why, size, "%s is not a program but an object or core file; give the linked program",
			shown);
	else if (!f->interpreter[0] && f->type == ET_DYN)
		text_set(why, size, "%s is a shared library or a static program; simul controls programs that "
			"use the shared libc: link it without -static", shown);
	else if (!f->interpreter[0])
		text_set(why, size, "%s is statically linked, so its calls to libc cannot be intercepted; link it "
			"without -static", shown);
	else if (!strstr(f->interpreter, "ld-linux"))
		text_set(why, size, "%s uses the dynamic linker %s; simul works with glibc programs only", shown,
			f->interpreter);
	else
		return true;
	return false;
}

static bool has_capabilities(int fd)
{
	return fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static bool check_privileges(int fd, const struct stat *st, const char *shown, char *why, size_t size)
{
	const char *what = st->st_mode & S_ISUID ? "set-user-ID" :
			   (st->st_mode & S_ISGID) && (st->st_mode & S_IXGRP) ? "set-group-ID" :
			   has_capabilities(fd)     ? "privileged (it has file capabilities)" : NULL;

	if (!what)
		return true;
	text_set(why, size, "%s is %s, and the system preloads no library into such a program; run a copy of it (cp makes one without the "
		"privilege)", shown, what);
	return false;
}

/*
 * Runs the dynamic linker with --list, which loads everything and runs nothing. The linker derives $ORIGIN from the name that it is given.
 * When the kernel starts a program, $ORIGIN is the directory of the file itself, whatever links led to it; so the real path is passed.
 */
static FILE *list_libraries(const char *interpreter, const struct target_question *q, unsigned standins, pid_t *pid)
{
	char *file = realpath(q->path, NULL);
	const char *path = file ? file : q->path;
	int p[2];
	FILE *f;

	if (pipe2(p, O_CLOEXEC)) {
		free(file);
		return NULL;
	}
	*pid = fork();
	if (*pid == 0) {
		interrupt_reset_child();
		unsetenv("LD_PRELOAD");
		dup2(p[1], 1);
		dup2(p[1], 2);
		if (standins && sanitizer_open(SANITIZER_FD, q->library, standins))
			execl(interpreter, interpreter, "--preload", sanitizer_preload_by_fd(NULL, SANITIZER_FD, standins),
				"--list", path, (char *)NULL);
		else if (!standins)
			execl(interpreter, interpreter, "--list", path, (char *)NULL);
		_exit(127);
	}
	free(file);
	close(p[1]);
	f = *pid > 0 ? fdopen(p[0], "r") : NULL;
	if (!f)
		close(p[0]);
	return f;
}

/* The dynamic linker's report on a program's libraries. */
struct libraries {
	bool libc;
	bool listed; /* the linker found all of them */
	unsigned standins;
	char *first; /* see struct target_answer */
	char missing[256]; /* name of a library that was not found; "": none */
	char trouble[4096]; /* another error of the linker; "": none */
	char refused[512]; /* why simul cannot run a program with one of them; "": all are fine */
};

/* Checks one library. false: `why` says why a program with it cannot be explored. */
static bool library_ok(const char *name, char *why, size_t size)
{
	if (strncmp(name, "libjli.so", 9) && strncmp(name, "libjvm.so", 9))
		return sanitizer_library_ok(name, why, size);
	text_set(why, size, "runs a Java virtual machine (%s), which generates machine code at run time and stops threads by signals: simul "
		"explores native programs only; for Java, use a tool such as Java PathFinder or Fray", name);
	return false;
}

static void read_library(const char *line, struct libraries *l)
{
	char name[256];

	if (sscanf(line, " %255s", name) != 1)
		return;
	l->libc |= !strcmp(name, "libc.so.6");
	l->standins |= sanitizer_standins(line);
	if (!l->first)
		l->first = sanitizer_first(line);
	if (!l->refused[0])
		library_ok(name, l->refused, sizeof(l->refused));
	if (strstr(line, "=> not found") && !l->missing[0])
		snprintf(l->missing, sizeof(l->missing), "%s", name);
	else if (strstr(line, "error while loading") && strrchr(line, ':') && !l->trouble[0])
		snprintf(l->trouble, sizeof(l->trouble), "%s", strstr(line, "error while"));
}

static void read_libraries(const char *interpreter, const struct target_question *q, unsigned standins,
	struct libraries *l)
{
	char line[4096];
	pid_t pid = -1;
	int status = 0;
	FILE *list = list_libraries(interpreter, q, standins, &pid);

	memset(l, 0, sizeof(*l));
	while (list && fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = 0;
		read_library(line, l);
	}
	if (list)
		fclose(list);
	if (pid > 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	l->listed = list && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Checks that all shared libraries can be loaded and used. Libraries that simul replaces by stand-ins need not exist. */
static bool check_libraries(const struct elf_facts *f, const struct target_question *q, struct target_answer *a,
	char *why, size_t size)
{
	struct libraries l;
	const char *shown = q->shown;

	read_libraries(f->interpreter, q, 0, &l);
	while (l.standins & ~a->standins) {
		a->standins |= l.standins;
		free(l.first);
		read_libraries(f->interpreter, q, a->standins, &l);
	}
	a->first = l.first;
	if (l.refused[0])
		text_set(why, size, "%s %s", shown, l.refused);
	else if (l.first && strpbrk(l.first, " :"))
		text_set(why, size, "%s uses AddressSanitizer's shared runtime, which must be preloaded, and whose path cannot be: %s; link the runtime "
			"in (gcc: -static-libasan, clang: without -shared-libasan)", shown, l.first);
	else if (l.missing[0])
		text_set(why, size, "%s needs the shared library %s, which is not found; install it or set "
			"LD_LIBRARY_PATH", shown, l.missing);
	else if (l.trouble[0])
		text_set(why, size, "%s cannot be loaded: %s", shown, l.trouble);
	else if (l.listed && !l.libc)
		text_set(why, size, "%s does not use libc (libc.so.6), so simul cannot control its threads", shown);
	else
		return true;
	return false;
}

static bool is_source(const char *path)
{
	static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".h", ".rs"};
	const char *end = strrchr(path, '.');

	for (size_t i = 0; end && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!strcmp(end, endings[i]))
			return true;
	return false;
}

static bool check_file(const char *path, const char *shown, struct stat *st, char *why, size_t size)
{
	if (stat(path, st))
		text_set(why, size, "%s: %s", shown, errno == ENOENT ? "no such file" : strerror(errno));
	else if (S_ISDIR(st->st_mode))
		text_set(why, size, "%s is a directory; give the program in it", shown);
	else if (!S_ISREG(st->st_mode))
		text_set(why, size, "%s is not a regular file", shown);
	else if (access(path, X_OK) && is_source(path))
		text_set(why, size, "%s is source code; give the program that was built from it", shown);
	else if (access(path, X_OK))
		text_set(why, size, "%s is not executable; make it so with: chmod +x %s", shown, shown);
	else if (st->st_size == 0)
		text_set(why, size, "%s is empty", shown);
	else
		return true;
	return false;
}

static bool check_sanitizer(const struct elf_facts *f, const struct target_question *q, const struct target_answer *a,
	char *why, size_t size)
{
	char text[512];

	if (sanitizer_ok(&f->sanitizer, a->standins, q->env, text, sizeof(text)))
		return true;
	text_set(why, size, "%s %s", q->shown, text);
	return false;
}

static bool check_contents(int fd, const struct target_question *q, struct target_answer *a, char *why,
	size_t size)
{
	struct elf_facts facts;
	char magic[4] = "";

	if (pread(fd, magic, 4, 0) < 2) {
		text_set(why, size, "%s cannot be read: %s", q->shown, strerror(errno));
		return false;
	}
	a->script = magic[0] == '#' && magic[1] == '!';
	if (a->script) {
		a->standins = SANITIZER_ALL;
		return true;
	}
	if (memcmp(magic, "\177ELF", 4)) {
		text_set(why, size, "%s is neither an ELF program nor a script that starts with #!", q->shown);
		return false;
	}
	if (!read_elf(fd, &facts)) {
		text_set(why, size, "%s is a damaged program file: %s", q->shown, elf_errmsg(-1));
		return false;
	}
	if (!check_kind(&facts, q->shown, why, size) || (!q->plain && !check_libraries(&facts, q, a, why, size)))
		return false;
	facts.sanitizer.address |= a->first != NULL;
	a->sanitized = facts.sanitizer.address;
	return check_sanitizer(&facts, q, a, why, size);
}

bool target_check(const struct target_question *q, struct target_answer *a, char *why, size_t size)
{
	struct stat st;
	bool ok;
	int fd;

	memset(a, 0, sizeof(*a));
	if (!check_file(q->path, q->shown, &st, why, size))
		return false;
	fd = open(q->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		text_set(why, size, "%s cannot be read: %s; simul needs to read the program to check it", q->shown,
			strerror(errno));
		return false;
	}
	ok = check_privileges(fd, &st, q->shown, why, size) && check_contents(fd, q, a, why, size);
	close(fd);
	return ok;
}
