#include "cli/target/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/say.h"

static const char *const standin_name[SANITIZER_STANDINS] = {"libtsan.so.2", "libclang_rt.tsan-x86_64.so"};
enum { STANDIN_GCC, STANDIN_CLANG };

/* ---- reading ---- */

static void read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *sh, struct sanitizer_facts *out)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 0; data && sh->sh_entsize && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, sh->sh_link, sym.st_name);
		bool defined = sym.st_shndx != SHN_UNDEF;

		if (!name || strncmp(name, "__", 2))
			continue;
		out->thread |= defined && !strcmp(name, "__tsan_init");
		out->address |= defined && !strcmp(name, "__asan_init");
		out->undefined |= !defined && !strncmp(name, "__ubsan_handle_", 15);
	}
}

void sanitizer_read(Elf *elf, struct sanitizer_facts *out)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	memset(out, 0, sizeof(*out));
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && (sh.sh_type == SHT_DYNSYM || sh.sh_type == SHT_SYMTAB))
			read_symbols(elf, section, &sh, out);
}

unsigned sanitizer_standins(const char *line)
{
	unsigned set = 0;

	for (unsigned i = 0; i < SANITIZER_STANDINS; i++)
		if (strstr(line, standin_name[i]))
			set |= 1u << i;
	return set;
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_address_runtime(const char *name)
{
	return starts(name, "libasan.so") || starts(name, "libclang_rt.asan");
}

char *sanitizer_first(const char *line)
{
	const char *name = line + strspn(line, " \t"), *arrow = strstr(line, "=> /");
	const char *path = arrow ? arrow + 3 : NULL, *end = path ? strstr(path, " (0x") : NULL;

	return is_address_runtime(name) && end ? xasprintf("%.*s", (int)(end - path), path) : NULL;
}

/* ---- judging ---- */

bool sanitizer_library_ok(const char *name, char *why, size_t size)
{
	if ((starts(name, "libtsan.so") || starts(name, "libclang_rt.tsan")) && !sanitizer_standins(name))
		text_set(why, size, "needs %s, the run-time library of a compiler that simul does not support (it supports gcc 12 and later: %s, and "
			"clang: %s); build it with one of these, or without -fsanitize=thread",
			name, standin_name[STANDIN_GCC], standin_name[STANDIN_CLANG]);
	else if (starts(name, "liblsan.so"))
		text_set(why, size, "is built with -fsanitize=leak, whose runtime stops all threads; build it "
			"without");
	else
		return true;
	return false;
}

static bool env_has(char *const *env, const char *name, const char *text)
{
	for (size_t n = strlen(name); *env; env++)
		if (!strncmp(*env, name, n) && (*env)[n] == '=' && strstr(*env + n, text))
			return true;
	return false;
}

bool sanitizer_ok(const struct sanitizer_facts *f, unsigned standins, char *const *env, char *why, size_t size)
{
	if (f->thread)
		text_set(why, size, "has ThreadSanitizer's runtime linked in, which simul must replace; link it with "
			"the shared runtime (clang: -shared-libsan, gcc: without -static-libtsan, rustc: "
			"-Zexternal-clangrt and more, see docs/rc11.md), or build it without -fsanitize=thread: simul "
			"also sees the accesses of ordinary programs");
	else if (f->address && !env_has(env, "ASAN_OPTIONS", "detect_leaks=0"))
		text_set(why, size, "is built with AddressSanitizer, whose leak checker stops all threads; switch it "
			"off: ASAN_OPTIONS=detect_leaks=0");
	else if (f->undefined && (standins & 1u << STANDIN_CLANG))
		text_set(why, size, "is built with -fsanitize=undefined and -fsanitize=thread, which share the runtime that simul replaces; build it "
			"without -fsanitize=undefined, or with gcc");
	else
		return true;
	return false;
}

/* ---- preloading ---- */

/* Returns the path of preloaded file i; 0 is `library`. */
static char *preload_path(const char *library, unsigned i)
{
	const char *slash = strrchr(library, '/');

	return i == 0 ? xstrdup(library)
		      : xasprintf("%.*s%s", slash ? (int)(slash + 1 - library) : 0, library, standin_name[i - 1]);
}

static bool is_preloaded(unsigned i, unsigned standins)
{
	return i == 0 || (standins >> (i - 1) & 1);
}

static char *joined(char *list, char *next)
{
	char *both = list ? xasprintf("%s:%s", list, next) : xstrdup(next);

	free(list);
	free(next);
	return both;
}

char *sanitizer_preload(const char *first, const char *library, unsigned standins)
{
	char *list = first ? xstrdup(first) : NULL;

	for (unsigned i = 0; i <= SANITIZER_STANDINS; i++)
		if (is_preloaded(i, standins))
			list = joined(list, preload_path(library, i));
	return list;
}

char *sanitizer_preload_by_fd(const char *first, int fd, unsigned standins)
{
	char *list = first ? xstrdup(first) : NULL;

	for (unsigned i = 0; i <= SANITIZER_STANDINS; i++)
		if (is_preloaded(i, standins))
			list = joined(list, xasprintf("/proc/self/fd/%d", fd + (int)i));
	return list;
}

bool sanitizer_open(int fd, const char *library, unsigned standins)
{
	for (unsigned i = 0; i <= SANITIZER_STANDINS; i++) {
		char *path;
		int from;

		if (!is_preloaded(i, standins))
			continue;
		path = preload_path(library, i);
		from = open(path, O_RDONLY | O_CLOEXEC);
		free(path);
		if (from < 0 || dup2(from, fd + (int)i) < 0)
			return false;
		close(from);
	}
	return true;
}
