#include "preload/modules/runtimes.h"

#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/mman.h>

#include "base/lock_owners.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/memory/left_out.h"
#include "preload/memory/lock_sites.h"
#include "preload/control/whole_calls.h"
#include "preload/base/rules.h"

#define MOST_WAITS 64u
#define MOST_SLOW 64u

static const struct {
	const char *pattern;
	uint32_t owner;
	enum role { TAKES_LOCK, WAITS_FOR_LOCK, IS_LEFT_OUT, IS_ONE_STEP, PARKS_THREAD, WAITS_UNTIL_TIME, TAKES_PAIRED, GIVES_PAIRED, TELLS_PAIRED, IS_TAKING, IS_OPERATION, IS_SLOW_READ, IS_SLOW_WRITE, IS_SLOW_WAKE } role;
} known[] = {
#define WAITS(id, pattern) { pattern, LOCK_OF_##id, WAITS_FOR_LOCK },
#define WAITS_UNTIL(id, pattern) { pattern, LOCK_OF_##id, WAITS_UNTIL_TIME },
#define LOCKS(id, pattern) { pattern, LOCK_OF_##id, TAKES_LOCK },
#define LEAVES_OUT(id, pattern) { pattern, LOCK_OF_##id, IS_LEFT_OUT },
#define ONE_STEP(id, pattern) { pattern, LOCK_OF_##id, IS_ONE_STEP },
#define PARKS(id, pattern) { pattern, LOCK_OF_##id, PARKS_THREAD },
#define TAKES_AFTER_LOAD(id, pattern) { pattern, LOCK_OF_##id, TAKES_PAIRED },
#define GIVES_AFTER_LOAD(id, pattern) { pattern, LOCK_OF_##id, GIVES_PAIRED },
#define TELLS_WAITING(id, pattern) { pattern, LOCK_OF_##id, TELLS_PAIRED },
#define TAKES(id, pattern) { pattern, LOCK_OF_##id, IS_TAKING },
#define OPERATES(id, pattern) { pattern, LOCK_OF_##id, IS_OPERATION },
#define SLOW_READS(id, pattern) { pattern, LOCK_OF_##id, IS_SLOW_READ },
#define SLOW_WRITES(id, pattern) { pattern, LOCK_OF_##id, IS_SLOW_WRITE },
#define SLOW_WAKES(id, pattern) { pattern, LOCK_OF_##id, IS_SLOW_WAKE },
#include "base/runtimes.def"
};
static const struct {
	const char *pattern;
	uint32_t owner;
} without_locks[] = {
#define UNLESS(id, pattern) { pattern, LOCK_OF_##id },
#include "base/runtimes.def"
};
static const struct {
	const char *pattern;
	uint32_t owner;
	enum lock_role role;
} of_lock[] = {
#define LOCKS(id, pattern) { pattern, LOCK_OF_##id, LOCK_TAKES },
#define SEEN(id, pattern) { pattern, LOCK_OF_##id, LOCK_SEEN },
#define CALLS(id, pattern) { pattern, LOCK_OF_##id, LOCK_CALLS },
#define WITHIN(id, pattern) { pattern, LOCK_OF_##id, LOCK_WITHIN },
#define ALL_TAKE_LIKE(id, name) { name, LOCK_OF_##id, LOCK_ALL_TAKE },
#define ALL_GIVE_LIKE(id, name) { name, LOCK_OF_##id, LOCK_ALL_GIVE },
#include "base/runtimes.def"
};
/* All these patterns have one of them, so most names need not be compared. */
#define IN_LOCKS "ock"
#define IN_CRITICAL "_critical_"
#define IN_MUTEX "g_mutex_"
#define IN_CONDITION "g_cond_"
#define IN_QUEUE "g_async_queue_"
#define IN_HANDLER "stack_overflow"
#define IN_KEY "5guard3key"
#define IN_START "12thread_start"
#define IN_PARK "4park"
#define IN_CHANNEL "3std4sync4mp"
#define IN_CHANNEL_TRAIT "std..sync..mp"
#define IN_ABSL "4absl"
#define IN_MAP "19concurrent_hash_map"
#define IN_BUMP "9bump_slow"

static struct {
	uint64_t addr;
	uint32_t owner;
	bool until;
} waiting[MOST_WAITS];
static unsigned n_waiting;

static struct slow_part {
	uint64_t addr;
	uint32_t owner;
	enum lock_slow_part part;
} slow[MOST_SLOW];
static unsigned n_slow;

static uint64_t refused; /* of the module that is read: bits of those whose locks are none in it (UNLESS) */
_Static_assert(LOCK_OWNERS <= 64, "a bit for each");

static struct lock_function *functions; /* not NULL: the library that is read is one of which only the functions of locks are seen */
static unsigned n_functions;

bool runtimes_wanted(uint64_t pc)
{
	return !left_out(pc);
}

uint32_t runtimes_waits(uint64_t addr, bool *until)
{
	for (unsigned i = 0; i < n_waiting; i++)
		if (waiting[i].addr == addr) {
			*until = waiting[i].until;
			return waiting[i].owner;
		}
	return 0;
}

enum lock_slow_part runtimes_slow_part(uint64_t addr, uint32_t *owner)
{
	for (unsigned i = 0; i < n_slow; i++)
		if (slow[i].addr == addr) {
			*owner = slow[i].owner;
			return slow[i].part;
		}
	return LOCK_SLOW_NONE;
}

uint32_t runtimes_waits_named(const char *name, bool *until)
{
	if (!ctl_session->config.settings.known_locks || !strstr(name, IN_LOCKS))
		return 0;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if ((known[i].role == WAITS_FOR_LOCK || known[i].role == WAITS_UNTIL_TIME) && !(refused >> known[i].owner & 1) && !fnmatch(known[i].pattern, name, 0)) {
			*until = known[i].role == WAITS_UNTIL_TIME;
			return known[i].owner;
		}
	return 0;
}

/* Returns whether the function is one that the pattern names. */
static bool found(const char *pattern, uint32_t owner, enum role role, const char *name, uint64_t lo, uint64_t size)
{
	if (fnmatch(pattern, name, 0))
		return false;
	if (role == IS_LEFT_OUT && ctl_session->config.settings.model == MODEL_SC) { /* with store buffers, its locked instructions would be missed */
		code_ranges_add(&left_out_code, lo, lo + size, owner);
		ctl_session->ctl.facts.left_out |= 1u << owner;
	} else if (role == TAKES_LOCK) {
		code_ranges_add(&lock_functions, lo, lo + size, owner);
	} else if (role == TAKES_PAIRED || role == GIVES_PAIRED || role == TELLS_PAIRED) {
		whole_call_add(lo, lo + size, owner, role == TAKES_PAIRED ? CALL_PAIR_TAKES : role == GIVES_PAIRED ? CALL_PAIR_GIVES : CALL_TELLS);
	} else if (role == PARKS_THREAD && whole_calls_possible()) {
		code_ranges_add(&park_functions, lo, lo + size, owner);
	} else if (role == IS_ONE_STEP) {
		whole_call_add(lo, lo + size, owner, CALL_ONE_STEP);
	} else if (role == IS_TAKING || role == IS_OPERATION) {
		whole_call_add(lo, lo + size, owner, role == IS_TAKING ? CALL_TAKES : CALL_OPERATES);
	} else if (role == IS_SLOW_READ || role == IS_SLOW_WRITE || role == IS_SLOW_WAKE) {
		whole_call_add(lo, lo + size, owner, role == IS_SLOW_WAKE ? CALL_OPERATES_SLOWLY : CALL_TAKES_SLOWLY);
		if (n_slow < MOST_SLOW)
			slow[n_slow++] = (struct slow_part){ lo, owner, role == IS_SLOW_READ ? LOCK_SLOW_READS : role == IS_SLOW_WRITE ? LOCK_SLOW_WRITES : LOCK_SLOW_WAKES };
	} else if ((role == WAITS_FOR_LOCK || role == WAITS_UNTIL_TIME) && n_waiting < MOST_WAITS) {
		waiting[n_waiting].addr = lo;
		waiting[n_waiting].until = role == WAITS_UNTIL_TIME;
		waiting[n_waiting++].owner = owner;
	}
	return true;
}

static bool has_function(uint64_t lo, enum lock_role role)
{
	for (unsigned i = 0; i < n_functions; i++)
		if (functions[i].lo == lo && functions[i].role == role)
			return true;
	return false;
}

/* Adds the function if it belongs to a lock. One function may have several names and versions. */
static void add_function(const char *name, uint64_t lo, uint64_t size)
{
	if (!strstr(name, IN_MUTEX) && !strstr(name, IN_CONDITION) && !strstr(name, IN_LOCKS) && !strstr(name, IN_CRITICAL) && !strstr(name, IN_QUEUE))
		return;
	for (size_t i = 0; i < sizeof of_lock / sizeof *of_lock && n_functions < MOST_LOCK_FUNCTIONS; i++)
		if (!fnmatch(of_lock[i].pattern, name, 0) && !has_function(lo, of_lock[i].role))
			functions[n_functions++] = (struct lock_function){ .lo = lo, .hi = lo + size, .owner = of_lock[i].owner, .role = of_lock[i].role };
}

static void compare(const char *name, uint64_t lo, uint64_t size, const char *users, const char *users_end)
{
	if (functions) {
		add_function(name, lo, size);
		return;
	}
	if (ctl_session->config.settings.known_locks && (strstr(name, IN_LOCKS) || strstr(name, IN_CRITICAL) || strstr(name, IN_HANDLER) || strstr(name, IN_KEY) ||
		strstr(name, IN_START) || strstr(name, IN_PARK) || strstr(name, IN_CHANNEL) || strstr(name, IN_CHANNEL_TRAIT) || strstr(name, IN_ABSL) || strstr(name, IN_MAP)))
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			if (!(refused >> known[i].owner & 1))
				found(known[i].pattern, known[i].owner, known[i].role, name, lo, size);
	uint32_t bit = 1;
	for (const char *p = users; p < users_end && *p; p += strlen(p) + 1) {
		bool leave = !strncmp(p, LEAVE_PATTERN, strlen(LEAVE_PATTERN));
		if (!leave && strncmp(p, LOCK_PATTERN, strlen(LOCK_PATTERN)))
			continue;
		if (found(p + strlen(leave ? LEAVE_PATTERN : LOCK_PATTERN), LOCK_OF_USER, leave ? IS_LEFT_OUT : TAKES_LOCK, name, lo, size))
			ctl_session->ctl.facts.named_functions |= bit;
		bit <<= 1;
	}
}

/* Returns whether the user names functions. */
static bool names_functions(void)
{
	const char *p = ctl_segment(ctl_session->layout.patch_off), *end = p + ctl_session->layout.patch_size;
	for (; p < end && *p; p += strlen(p) + 1)
		if (!strncmp(p, LEAVE_PATTERN, strlen(LEAVE_PATTERN)) || !strncmp(p, LOCK_PATTERN, strlen(LOCK_PATTERN)))
			return true;
	return false;
}

/* Returns the bytes of the section inside the file; NULL: they are not there. */
static const void *contents(const char *file, uint64_t bytes, const Elf64_Shdr *s)
{
	return s->sh_offset <= bytes && s->sh_size <= bytes - s->sh_offset ? file + s->sh_offset : NULL;
}

static bool is_function(const Elf64_Sym *sym, const Elf64_Shdr *names)
{
	return ELF64_ST_TYPE(sym->st_info) == STT_FUNC && sym->st_shndx && sym->st_name < names->sh_size;
}

static void refuse(const char *name)
{
	for (size_t i = 0; i < sizeof without_locks / sizeof *without_locks; i++)
		if (!fnmatch(without_locks[i].pattern, name, 0))
			refused |= UINT64_C(1) << without_locks[i].owner;
}

static void read_symbols(const char *file, uint64_t bytes, const Elf64_Shdr *s, const Elf64_Shdr *names, uint64_t base)
{
	const Elf64_Sym *sym = contents(file, bytes, s);
	const char *text = contents(file, bytes, names);
	const char *users = ctl_segment(ctl_session->layout.patch_off);
	if (!sym || !text || !names->sh_size || text[names->sh_size - 1])
		return;
	refused = 0;
	for (uint64_t i = 0; i < s->sh_size / sizeof *sym; i++)
		if (is_function(&sym[i], names) && strstr(text + sym[i].st_name, IN_BUMP))
			refuse(text + sym[i].st_name);
	for (uint64_t i = 0; i < s->sh_size / sizeof *sym; i++)
		if (is_function(&sym[i], names))
			compare(text + sym[i].st_name, base + sym[i].st_value, sym[i].st_size, users, users + ctl_session->layout.patch_size);
}

static void read_file(const char *file, uint64_t bytes, uint64_t base)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)file;
	if (bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_shentsize != sizeof(Elf64_Shdr) ||
		h->e_shoff > bytes || h->e_shnum > (bytes - h->e_shoff) / sizeof(Elf64_Shdr) || h->e_shoff % 8)
		return;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(file + h->e_shoff), *best = NULL;
	for (unsigned i = 0; i < h->e_shnum; i++) /* .symtab has all of .dynsym */
		if (s[i].sh_type == SHT_SYMTAB || (s[i].sh_type == SHT_DYNSYM && !best))
			best = &s[i];
	if (best && best->sh_link < h->e_shnum && best->sh_offset % 8 == 0)
		read_symbols(file, bytes, best, &s[best->sh_link], base);
}

static void read_module(const char *path, uint64_t base)
{
	long fd = sys_call3(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC);
	if (sys_failed(fd))
		return;
	long bytes = sys_call3(SYS_lseek, fd, 0, 2 /* SEEK_END */);
	void *file = bytes > 0 ? sys_mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, (int)fd, 0) : NULL;
	if (file && !sys_failed((long)file)) {
		read_file(file, (uint64_t)bytes, base);
		sys_munmap(file, (size_t)bytes);
	}
	sys_close((int)fd);
}

void runtimes_read(const char *path, uint64_t base)
{
	if (ctl_session->config.settings.known_locks || names_functions())
		read_module(path, base);
}

unsigned runtimes_locks_of(const char *path, uint64_t base, struct lock_function to[MOST_LOCK_FUNCTIONS])
{
	functions = to;
	n_functions = 0;
	read_module(path, base);
	functions = NULL;
	return n_functions;
}
