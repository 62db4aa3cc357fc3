#include "cli/collect/kept_env.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base_name.h"
#include "cli/collect/origin.h"
#include "cli/base/proc_text.h"
#include "recorder/secrets.h"
#include "base/xalloc.h"

static bool starts(const char *text, const char *const *with)
{
	for (; *with; with++)
		if (!strncmp(text, *with, strlen(*with)))
			return true;
	return false;
}

/* Returns whether the variable gives an argument to a replay. The program does not get it. */
static bool is_argument(const char *entry)
{
	return !strncmp(entry, KEPT_ARGUMENT, strlen(KEPT_ARGUMENT));
}

bool kept_env_matters(const char *entry)
{
	static const char *const login[] = {"SSH_", "GPG_", "DBUS_", "XDG_", "TERM", "COLORTERM=", "LS_COLORS=",
		"PS1=", "PS2=", "PS4=", "SHLVL=", "OLDPWD=", "_=", "WINDOWID=", "DISPLAY=", "WAYLAND_", "XAUTH",
		"LESS", "PAGER=", "EDITOR=", "VISUAL=", "MAIL=", "COLUMNS=", "LINES=", "TMUX", "STY=", "VTE_",
		"KONSOLE_", "SESSION_", "DESKTOP_", "HIST", "BASH_FUNC_", "SUDO_", SESSION_ENV "=", NULL};

	return strchr(entry, '=') && !is_argument(entry) && !secret_looks(entry) && !starts(entry, login);
}

/* Returns whether libc, the loader or a run-time library reads the variable itself: before the program starts, or not through getenv. */
static bool is_of_libraries(const char *entry)
{
	static const char *const names[] = {"LANG=", "LANGUAGE=", "LC_", "TZ=", "TZDIR=", "LD_", "LOCPATH=", "NLSPATH=", "GCONV_PATH=",
		"GETCONF_DIR=", "MALLOC_", "GLIBC_TUNABLES=", "POSIXLY_CORRECT=", "RES_OPTIONS=", "LOCALDOMAIN=", "HOSTALIASES=",
		"RESOLV_", "OUTPUT_CHARSET=", "TMPDIR=", "OMP_", "GOMP_", "KMP_", "ASAN_OPTIONS=", "LSAN_OPTIONS=", "TSAN_OPTIONS=",
		"UBSAN_OPTIONS=", NULL};

	return starts(entry, names);
}

/* ---- code that reads the whole environment ---- */

static bool has_environ(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &sh) || sh.sh_type != SHT_DYNSYM)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && sh.sh_entsize && gelf_getsym(data, i, &sym); i++) {
			const char *name = elf_strptr(elf, sh.sh_link, sym.st_name);

			if (name && (!strcmp(name, "environ") || !strcmp(name, "__environ") || !strcmp(name, "_environ")))
				return true;
		}
	}
	return false;
}

/* Returns whether the file uses the variable `environ`. libc and simul use it too, but what they read is known (is_of_libraries,
   session_reads). */
static bool file_sees_all(const char *path)
{
	const char *base = base_name(path);
	static const char *const known[] = {"libc.so", "ld-linux", "libsimul", NULL};
	int fd = starts(base, known) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool all = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	all = elf && elf_kind(elf) == ELF_K_ELF && has_environ(elf);
	elf_end(elf);
	close(fd);
	return all;
}

static bool code_sees_all(const char *maps)
{
	char before[sizeof(((struct mapping *)0)->path)] = "";
	struct mapping m;

	while (proc_text_mapping(&maps, &m)) {
		if (!m.code || m.path[0] != '/' || !strcmp(m.path, before))
			continue;
		if (file_sees_all(m.path))
			return true;
		memcpy(before, m.path, sizeof(before));
	}
	return false;
}

/* ---- choosing ---- */

static bool is_in(char *const *list, const char *entry)
{
	size_t n = strcspn(entry, "=") + 1;

	for (; list && *list; list++)
		if (!strncmp(*list, entry, n))
			return true;
	return false;
}

static bool was_asked_for(const struct session_reads *reads, const char *entry)
{
	size_t n = strcspn(entry, "="), bytes = reads->bytes < SESSION_READS ? reads->bytes : SESSION_READS;

	for (size_t at = 0; at < bytes;) {
		size_t length = strnlen(reads->name + at, bytes - at);

		if (length == n && !memcmp(reads->name + at, entry, n))
			return true;
		at += length + 1;
	}
	return false;
}

static void add_kept(char ***list, size_t *n, char *entry)
{
	*list = xgrow(*list, *n, sizeof(**list));
	(*list)[(*n)++] = entry;
}

static void end(char ***list, size_t n)
{
	*list = xgrow(*list, n, sizeof(**list));
	(*list)[n] = NULL;
}

static void free_list(char **list)
{
	for (char **at = list; at && *at; at++)
		free(*at);
	free(list);
}

/* Returns "NAME=DIGEST", so that a replay can report a changed value without knowing it. */
static char *hide(const char *entry)
{
	char *digest = origin_digest(entry), *hidden = xasprintf("%.*s=%s", (int)strcspn(entry, "="), entry, digest ? digest : "");

	free(digest);
	return hidden;
}

static void choose(struct recording *r, char *const *env, const struct env_reads *seen, bool all)
{
	const struct recording *also = seen ? seen->also : NULL;
	char **kept = NULL, **hidden = NULL;
	size_t n = 0, h = 0;

	for (; *env; env++) {
		bool wanted = all || is_of_libraries(*env) || was_asked_for(seen->reads, *env) ||
			      (also && (is_in(also->start.env, *env) || is_in(also->start.hidden, *env)));

		if (wanted && kept_env_matters(*env))
			add_kept(&kept, &n, xstrdup(*env));
		else if (wanted && strchr(*env, '=') && !is_argument(*env) && secret_looks(*env))
			add_kept(&hidden, &h, hide(*env));
	}
	for (char **old = r->start.hidden; old && *old; old++)
		if (kept_argument_index(*old, &(size_t){0}))
			add_kept(&hidden, &h, xstrdup(*old));
	end(&kept, n);
	end(&hidden, h);
	free_list(r->start.env);
	free_list(r->start.hidden);
	r->start.env = kept;
	r->start.hidden = hidden;
}

void kept_env(struct recording *r, char *const *env, const struct env_reads *seen)
{
	choose(r, env, seen, !seen->maps || seen->reads->all || code_sees_all(seen->maps));
}

void kept_env_all(struct recording *r, char *const *env)
{
	choose(r, env, NULL, true);
}

bool kept_argument_index(const char *hidden, size_t *index)
{
	const char *number = hidden + strlen(KEPT_ARGUMENT);
	char *after;

	if (!is_argument(hidden) || *number < '1' || *number > '9')
		return false;
	*index = strtoul(number, &after, 10);
	return *after == '=';
}

char **kept_argument_variables(char *const *argv)
{
	char **masked = secret_masked_arguments(argv), **list = NULL;
	size_t n = 0;

	for (size_t i = 0; masked[i]; i++)
		if (strcmp(masked[i], argv[i]))
			add_kept(&list, &n, xasprintf(KEPT_ARGUMENT "%zu=%s", i, argv[i]));
	end(&list, n);
	secret_free_list(masked);
	return list;
}

void kept_arguments(struct recording *r, char *const *argv)
{
	char **variables = kept_argument_variables(argv);
	size_t n = 0;

	while (r->start.hidden && r->start.hidden[n])
		n++;
	for (char **v = variables; *v; v++)
		add_kept(&r->start.hidden, &n, hide(*v));
	end(&r->start.hidden, n);
	secret_free_list(variables);
	r->start.argv = secret_masked_arguments(argv);
}

char **kept_env_spare(void)
{
	size_t k = 0, own = 0;
	char **env;

	while (environ[own])
		own++;
	env = xcalloc(own + 1, sizeof(*env));
	for (size_t i = 0; i < own; i++)
		if (!kept_env_matters(environ[i]) && !is_argument(environ[i]))
			env[k++] = environ[i];
	return env;
}
