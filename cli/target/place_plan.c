#include "cli/target/place_plan.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fixed_start.h"
#include "cli/base/proc_text.h"
#include "cli/base/say.h"
#include "cli/target/place_stack.h"
#include "base/xalloc.h"

#define PAGE UINT64_C(4096)
#define ADDRESS_END UINT64_C(0x7ffffffff000)  /* end of user addresses */
#define PROGRAM_AT UINT64_C(0x555555554000)
#define KERNEL_AT UINT64_C(0x6effffff0000)    /* the linker ends here */
#define ASIDE_AT UINT64_C(0x0e0000000000)     /* temporary place for mappings that are in the way of others */
#define LEAST_STACK_ROOM (UINT64_C(128) << 20)
#define STACK_GUARD (UINT64_C(1) << 20)
#define MOST_MAPPINGS 128
#define MOST_HEADERS 64

enum part { PART_NONE, PART_PROGRAM, PART_LINKER, PART_KERNEL, PART_STACK, PARTS };

struct place {
	uint64_t lo, hi;
	enum part part;
	bool is_kernel;
};

struct survey {
	pid_t pid;
	int mem_fd;
	struct place map[MOST_MAPPINGS];
	size_t n;
	uint64_t lo[PARTS], hi[PARTS]; /* hi = 0: no such part */
	uint64_t delta[PARTS];         /* offset by which it moves */
	uint64_t pc, sp;
	struct start_stack start;
};

static uint64_t page_up(uint64_t v)
{
	return (v + PAGE - 1) / PAGE * PAGE;
}

/* ---- the mappings ---- */

static bool read_maps(struct survey *s)
{
	char *maps = proc_text_maps(s->pid);
	struct mapping m;
	bool ok = true;

	for (const char *at = maps; *at && ok;) {
		ok = s->n < MOST_MAPPINGS && proc_text_line(&at, &m);
		if (ok && m.low < ADDRESS_END) /* not [vsyscall] */
			s->map[s->n++] = (struct place){.lo = m.low,
				.hi = m.high,
				.is_kernel = !strncmp(m.path, "[vvar", 5) || !strcmp(m.path, "[vdso]")};
	}
	free(maps);
	return ok && s->n > 0;
}

/* Assigns the mappings within these addresses to a part. */
static void take(struct survey *s, enum part part, uint64_t lo, uint64_t hi)
{
	s->lo[part] = lo;
	s->hi[part] = hi;
	for (size_t i = 0; i < s->n; i++)
		if (s->map[i].lo >= lo && s->map[i].hi <= hi)
			s->map[i].part = part;
}

static void take_kernel(struct survey *s)
{
	uint64_t lo = UINT64_MAX, hi = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->map[i].is_kernel)
			continue;
		lo = s->map[i].lo < lo ? s->map[i].lo : lo;
		hi = s->map[i].hi > hi ? s->map[i].hi : hi;
	}
	if (hi)
		take(s, PART_KERNEL, lo, hi);
}

/* The addresses that the segments of a file take and their largest alignment, from its program headers. */
struct extent {
	uint64_t lo, hi, align;
	uint64_t headers; /* address of the headers according to themselves; UINT64_MAX: they do not say */
};

static bool read_extent(const struct survey *s, uint64_t at, uint64_t n, struct extent *out)
{
	Elf64_Phdr ph[MOST_HEADERS];

	*out = (struct extent){UINT64_MAX, 0, PAGE, UINT64_MAX};
	if (!n || n > MOST_HEADERS || pread(s->mem_fd, ph, n * sizeof(*ph), (off_t)at) != (ssize_t)(n * sizeof(*ph)))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (ph[i].p_type == PT_PHDR)
			out->headers = ph[i].p_vaddr;
		if (ph[i].p_type != PT_LOAD)
			continue;
		if (ph[i].p_vaddr / PAGE * PAGE < out->lo)
			out->lo = ph[i].p_vaddr / PAGE * PAGE;
		if (page_up(ph[i].p_vaddr + ph[i].p_memsz) > out->hi)
			out->hi = page_up(ph[i].p_vaddr + ph[i].p_memsz);
		if (ph[i].p_align > out->align)
			out->align = ph[i].p_align;
	}
	return out->lo < out->hi;
}

static bool find_program(struct survey *s)
{
	uint64_t at = start_stack_value(&s->start, AT_PHDR), bias;
	struct extent e;

	if (!read_extent(s, at, start_stack_value(&s->start, AT_PHNUM), &e) || e.headers == UINT64_MAX)
		return false;
	bias = at - e.headers;
	take(s, PART_PROGRAM, e.lo + bias, e.hi + bias);
	if (bias) /* otherwise it has a fixed address */
		s->delta[PART_PROGRAM] = PROGRAM_AT / e.align * e.align - bias;
	return true;
}

static bool find_linker(struct survey *s)
{
	uint64_t at = start_stack_value(&s->start, AT_BASE);
	Elf64_Ehdr eh;
	struct extent e;

	if (!at || pread(s->mem_fd, &eh, sizeof(eh), (off_t)at) != sizeof(eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
		!read_extent(s, at + eh.e_phoff, eh.e_phnum, &e) || e.lo)
		return false;
	take(s, PART_LINKER, at, at + e.hi);
	s->delta[PART_LINKER] = (KERNEL_AT - e.hi) / e.align * e.align - at;
	return true;
}

static bool find_stack(struct survey *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->sp < s->map[i].lo || s->sp >= s->map[i].hi)
			continue;
		take(s, PART_STACK, s->map[i].lo, s->map[i].hi);
		s->delta[PART_STACK] = ADDRESS_END - s->map[i].hi;
		return start_stack_read(&s->start, s->mem_fd, s->sp, s->map[i].lo, s->map[i].hi);
	}
	return false;
}

static bool survey(struct survey *s, char *why, size_t size)
{
	if (!read_maps(s))
		return text_fail(why, size, "its mappings cannot be read");
	if (!find_stack(s))
		return text_fail(why, size, "its stack does not have the kernel's layout");
	if (!find_program(s))
		return text_fail(why, size, "its auxiliary vector does not locate its program headers");
	if (!find_linker(s) || s->pc < s->lo[PART_LINKER] || s->pc >= s->hi[PART_LINKER])
		return text_fail(why, size, "its entry point is not in a dynamic linker");
	take_kernel(s);
	if (s->hi[PART_KERNEL])
		s->delta[PART_KERNEL] = KERNEL_AT - s->lo[PART_KERNEL];
	return true;
}

/* ---- system calls of the plan ---- */

static unsigned add_call(struct place_plan *p, uint32_t number, bool soft, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	if (p->calls < PLACE_CALLS)
		*place_call(p, p->calls) = (struct place_call){number, soft, {a, b, c, d, e, 0}, 0};
	return p->calls++;
}

/* `sealed`: the kernel's pages, which some kernels do not allow to move. A test makes the call fail, since few kernels seal them. */
static void move(struct place_plan *p, uint64_t from, uint64_t to, uint64_t bytes, bool sealed)
{
	uint64_t flags = sealed && getenv("SIMUL_TEST_PLACE_SEALED") ? 0 : MREMAP_MAYMOVE;

	add_call(p, SYS_mremap, sealed, from, bytes, bytes, flags | MREMAP_FIXED, to);
}

static bool overlap(uint64_t a_lo, uint64_t a_hi, uint64_t b_lo, uint64_t b_hi)
{
	return a_lo < b_hi && b_lo < a_hi;
}

/* Returns whether part `k` would overlap another mapping, of this part or another one. */
static bool in_the_way(const struct survey *s, enum part k)
{
	for (size_t i = 0; i < s->n; i++)
		if (overlap(s->map[i].lo, s->map[i].hi, s->lo[k] + s->delta[k], s->hi[k] + s->delta[k]) && s->delta[k])
			return true;
	return false;
}

/* Returns whether no unmoved mapping lies where a part will go. Mappings that belong to no part are not moved. */
static bool room_for_all(const struct survey *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (enum part k = PART_PROGRAM; k < PARTS && s->map[i].part == PART_NONE; k++)
			if (s->hi[k] && overlap(s->map[i].lo, s->map[i].hi, s->lo[k] + s->delta[k], s->hi[k] + s->delta[k]))
				return false;
	return true;
}

/* Moves the mappings of a part: directly, to the temporary area (aside), or from there to the target (back). */
enum leg { LEG_ALL, LEG_ASIDE, LEG_BACK };

static void move_part(struct place_plan *p, const struct survey *s, enum part k, enum leg leg)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct place *m = &s->map[i];
		uint64_t aside = ASIDE_AT + (uint64_t)k * (UINT64_C(1) << 36) + (m->lo - s->lo[k]);

		if (m->part != k || !s->delta[k])
			continue;
		move(p, leg == LEG_BACK ? aside : m->lo, leg == LEG_ASIDE ? aside : m->lo + s->delta[k], m->hi - m->lo, k == PART_KERNEL);
	}
}

static void add_moves(struct place_plan *p, const struct survey *s)
{
	bool aside = getenv("SIMUL_TEST_PLACE_ASIDE"); /* for tests, since it is rarely needed */

	for (enum part k = PART_PROGRAM; k < PARTS; k++)
		aside |= in_the_way(s, k);
	for (enum part k = PART_PROGRAM; k < PARTS; k++) {
		if (k == PART_KERNEL)
			p->kernel_first = p->calls;
		move_part(p, s, k, aside ? LEG_ASIDE : LEG_ALL);
		if (k == PART_KERNEL)
			p->kernel_n = p->calls - p->kernel_first;
	}
	for (enum part k = PART_PROGRAM; k < PARTS && aside; k++)
		move_part(p, s, k, LEG_BACK);
}

static void reserve(struct place_plan *p, uint64_t lo, uint64_t hi)
{
	if (lo < hi)
		add_call(p, SYS_mmap, true, lo, hi - lo, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, UINT64_MAX);
}

/* Finds the lowest range above `at` that will be in use, or may be, after the moves. */
static bool next_taken(const struct survey *s, uint64_t at, uint64_t *lo, uint64_t *hi)
{
	bool found = false;

	*lo = *hi = 0;
	for (size_t i = 0; i < s->n; i++) {
		uint64_t d = s->delta[s->map[i].part];

		for (int moved = s->map[i].part != PART_KERNEL; moved < 2; moved++) { /* the kernel's pages may stay */
			uint64_t a = s->map[i].lo + (moved ? d : 0), b = s->map[i].hi + (moved ? d : 0);

			if (b <= at || (found && a >= *lo))
				continue;
			found = true;
			*lo = a;
			*hi = b;
		}
	}
	return found;
}

/* Reserves all memory from the top of the linker up to the room for the stack, so that the kernel's search for free memory starts right
   below the linker. */
static void add_reservations(struct place_plan *p, const struct survey *s, uint64_t stack_room)
{
	uint64_t at = s->hi[PART_LINKER] + s->delta[PART_LINKER], end = ADDRESS_END - stack_room, lo, hi;

	while (at < end && next_taken(s, at, &lo, &hi)) {
		reserve(p, at, lo < end ? lo : end);
		at = hi;
	}
	reserve(p, at, end);
	for (size_t i = 0; i < s->n; i++) /* also reserve where the kernel's pages were */
		if (s->map[i].part == PART_KERNEL && s->delta[PART_KERNEL] && s->map[i].lo >= KERNEL_AT)
			reserve(p, s->map[i].lo, s->map[i].hi);
}

/* ---- what the kernel knows about the process ---- */

/* Reads the fields of /proc/PID/stat by their numbers in proc(5). false: it cannot be read, or the addresses are hidden. */
static bool read_stat(pid_t pid, uint64_t field[53])
{
	char path[64], text[2048], *p;
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = 0;
	p = strrchr(text, ')'); /* the process name in front of it may contain any character */
	if (!p || strlen(p) < 4)
		return false;
	p += 3;
	for (int i = 4; i < 53; i++)
		field[i] = strtoull(p + 1, &p, 10);
	return field[26] > 1;
}

/* Adds the call that informs the kernel of the moved memory: the brk heap, which is still empty, the position of the stack, and the
   auxiliary vector that debuggers read. It needs no privilege. Old kernels and some configurations do not support it, so it may fail. */
static void add_record(struct place_plan *p, const struct survey *s, const struct start_image *image)
{
	struct prctl_mm_map *m = (struct prctl_mm_map *)(void *)(p->scratch + PLACE_DATA_AT);
	uint64_t f[53], d = s->delta[PART_PROGRAM], stack = s->delta[PART_STACK], brk = s->hi[PART_PROGRAM] + d;
	size_t bytes = s->start.aux_n * sizeof(Elf64_auxv_t);

	if (!read_stat(s->pid, f) || PLACE_DATA_AT + sizeof(*m) + bytes > PLACE_SCRATCH_BYTES)
		return;
	memcpy(m + 1, image->aux, bytes);
	*m = (struct prctl_mm_map){
		.start_code = f[26] + d,
		.end_code = f[27] + d,
		.start_data = f[45] + d,
		.end_data = f[46] + d,
		.start_brk = brk,
		.brk = brk,
		.start_stack = image->sp,
		.arg_start = f[48] + stack,
		.arg_end = f[49] + stack,
		.env_start = f[50] + stack,
		.env_end = f[51] + stack,
		.auxv = (__u64 *)(PLACE_SCRATCH + PLACE_DATA_AT + sizeof(*m)),
		.auxv_size = (uint32_t)bytes,
		.exe_fd = UINT32_MAX,
	};
	add_call(p, SYS_prctl, true, PR_SET_MM, PR_SET_MM_MAP, PLACE_SCRATCH + PLACE_DATA_AT, sizeof(*m), 0);
}

static uint64_t stack_room(pid_t pid)
{
	struct rlimit r = {0, 0};
	uint64_t room;

	if (prlimit(pid, RLIMIT_STACK, NULL, &r) || r.rlim_cur > FIXED_START_STACK_MOST)
		r.rlim_cur = FIXED_START_STACK_MOST;
	room = page_up(r.rlim_cur) + STACK_GUARD;
	return room > LEAST_STACK_ROOM ? room : LEAST_STACK_ROOM;
}

/* Adds a call that shows where the kernel puts the next mapping. */
static void add_probe(struct place_plan *p, const struct survey *s)
{
	p->probe_result = s->lo[PART_LINKER] + s->delta[PART_LINKER] - PAGE;
	p->probe = add_call(p, SYS_mmap, true, 0, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX);
	add_call(p, SYS_munmap, true, p->probe_result, PAGE, 0, 0, 0);
}

/* Adds the call that maps the page of the linker's detour, in the reserved memory. */
static void add_detour(struct place_plan *p, const struct survey *s)
{
	p->linker_lo = s->lo[PART_LINKER] + s->delta[PART_LINKER];
	p->linker_hi = s->hi[PART_LINKER] + s->delta[PART_LINKER];
	for (size_t i = 0; i < s->n; i++) /* the kernel's pages may have stayed */
		if (overlap(s->map[i].lo, s->map[i].hi, FIXED_START_DETOUR, FIXED_START_DETOUR + PAGE))
			return;
	p->detour = add_call(p, SYS_mmap, true, FIXED_START_DETOUR, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, UINT64_MAX);
}

static bool plan(struct place_plan *p, const struct survey *s, char *why, size_t size)
{
	struct start_moves moves = {s->delta[PART_PROGRAM], s->delta[PART_LINKER], s->delta[PART_KERNEL], s->delta[PART_STACK]};
	struct start_image image;

	if (!room_for_all(s))
		return text_fail(why, size, "the target addresses are in use");
	if (!start_image_make(&image, &s->start, &moves))
		return text_fail(why, size, "its arguments and environment fill the stack");
	p->stack = image.bytes;
	p->stack_bytes = image.size;
	p->stack_at = image.at;
	p->kernel_entry = image.kernel_entry;
	p->sp = image.sp;
	p->entry = s->pc + s->delta[PART_LINKER];
	add_moves(p, s);
	add_record(p, s, &image);
	add_reservations(p, s, stack_room(s->pid));
	add_probe(p, s);
	add_detour(p, s);
	if (p->calls >= PLACE_CALLS)
		return text_fail(why, size, "it has too many mappings");
	place_call(p, p->calls)->number = PLACE_END;
	return true;
}

bool place_plan_make(struct place_plan *p, pid_t pid, uint64_t pc, uint64_t sp, char *why, size_t size)
{
	struct survey s = {.pid = pid, .pc = pc, .sp = sp};
	char path[64];
	bool ok;

	memset(p, 0, sizeof(*p));
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	s.mem_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s.mem_fd < 0) {
		text_set(why, size, "its memory cannot be read: %s", strerror(errno));
		return false;
	}
	ok = survey(&s, why, size) && plan(p, &s, why, size);
	start_stack_free(&s.start);
	close(s.mem_fd);
	return ok;
}

void place_plan_free(struct place_plan *p)
{
	free(p->stack);
	p->stack = NULL;
}
