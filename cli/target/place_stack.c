#include "cli/target/place_stack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fixed_start.h"
#include "base/xalloc.h"

#define AUX_ROOM 40 /* entries; more than any kernel passes, so that their number does not move the stack */
#define ALIGN 16

/* ---- reading ---- */

/* Counts the words from `at` up to a 0; false: there is no 0. */
static bool count_list(const uint64_t *word, size_t words, size_t at, size_t *n)
{
	for (*n = 0; at + *n < words; ++*n)
		if (!word[at + *n])
			return true;
	return false;
}

static bool parse(struct start_stack *s)
{
	size_t words = (s->hi - s->sp) / 8, n, at;

	s->word = (uint64_t *)(void *)s->bytes;
	s->argc = s->word[0];
	if (!count_list(s->word, words, 1, &n) || n != s->argc)
		return false;
	at = 1 + n + 1;
	if (!count_list(s->word, words, at, &s->envc))
		return false;
	at += s->envc + 1;
	s->aux = (Elf64_auxv_t *)(void *)&s->word[at];
	for (s->aux_n = 1; at + 2 * s->aux_n <= words; s->aux_n++)
		if (s->aux[s->aux_n - 1].a_type == AT_NULL)
			return true;
	return false;
}

bool start_stack_read(struct start_stack *s, int mem_fd, uint64_t sp, uint64_t lo, uint64_t hi)
{
	size_t size = hi - sp;

	*s = (struct start_stack){.sp = sp, .lo = lo, .hi = hi, .bytes = xcalloc(size, 1)};
	if (pread(mem_fd, s->bytes, size, (off_t)sp) == (ssize_t)size && parse(s))
		return true;
	start_stack_free(s);
	return false;
}

void start_stack_free(struct start_stack *s)
{
	free(s->bytes);
	s->bytes = NULL;
}

uint64_t start_stack_value(const struct start_stack *s, uint64_t type)
{
	for (size_t i = 0; i < s->aux_n; i++)
		if (s->aux[i].a_type == type)
			return s->aux[i].a_un.a_val;
	return 0;
}

/* ---- the same data at another address ---- */

static bool within(const struct start_stack *s, uint64_t addr)
{
	return addr >= s->sp && addr < s->hi;
}

/* Returns the lowest string of the arguments, the environment and the file name. The kernel puts the data below it at random distances. */
static uint64_t lowest_string(const struct start_stack *s)
{
	uint64_t lowest = s->hi, name = start_stack_value(s, AT_EXECFN);

	for (size_t i = 1; i < 1 + s->argc + 1 + s->envc; i++)
		if (within(s, s->word[i]) && s->word[i] < lowest)
			lowest = s->word[i];
	return within(s, name) && name < lowest ? name : lowest;
}

static uint64_t new_value(const struct start_moves *m, const Elf64_auxv_t *a, uint64_t random, uint64_t platform)
{
	uint64_t v = a->a_un.a_val;

	switch (a->a_type) {
	case AT_PHDR:
	case AT_ENTRY:
		return v + m->program;
	case AT_BASE:
		return v + m->linker;
	case AT_SYSINFO_EHDR:
		return v + m->kernel;
	case AT_RANDOM:
		return random + m->stack;
	case AT_PLATFORM:
		return platform + m->stack;
	case AT_EXECFN:
		return v + m->stack;
	default:
		return v;
	}
}

static void put_pointers(struct start_image *out, const struct start_stack *s, const struct start_moves *m)
{
	uint64_t *to = (uint64_t *)(void *)(out->bytes + (out->sp - out->at));
	size_t n = 1 + s->argc + 1 + s->envc + 1;

	to[0] = s->word[0];
	for (size_t i = 1; i < n; i++)
		to[i] = within(s, s->word[i]) ? s->word[i] + m->stack : s->word[i];
	out->aux = (Elf64_auxv_t *)(void *)(to + n);
}

bool start_image_make(struct start_image *out, const struct start_stack *s, const struct start_moves *m)
{
	static const unsigned char fixed[FIXED_START_BYTES] = FIXED_START;
	uint64_t strings = lowest_string(s), random = strings / ALIGN * ALIGN - FIXED_START_BYTES, platform = random - ALIGN;
	uint64_t name = start_stack_value(s, AT_PLATFORM);
	size_t words = 1 + s->argc + 1 + s->envc + 1 + 2 * (s->aux_n > AUX_ROOM ? s->aux_n : AUX_ROOM);
	uint64_t sp = (platform - 8 * words) / ALIGN * ALIGN;

	uint64_t at = sp < s->sp ? sp : s->sp; /* the memory below the new start is cleared */

	*out = (struct start_image){.at = at + m->stack, .sp = sp + m->stack};
	if (sp < s->lo || platform < s->lo)
		return false;
	out->size = strings - at;
	out->bytes = xcalloc(out->size, 1);
	memcpy(out->bytes + (random - at), fixed, sizeof(fixed));
	if (within(s, name))
		strncpy((char *)out->bytes + (platform - at), (const char *)s->bytes + (name - s->sp), ALIGN - 1);
	put_pointers(out, s, m);
	for (size_t i = 0; i < s->aux_n; i++) {
		out->aux[i] = (Elf64_auxv_t){s->aux[i].a_type, {new_value(m, &s->aux[i], random, platform)}};
		if (s->aux[i].a_type == AT_SYSINFO_EHDR)
			out->kernel_entry = (size_t)((unsigned char *)&out->aux[i] - out->bytes);
	}
	return true;
}
