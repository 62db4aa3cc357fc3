/* Reports the accesses that printf, scanf and their families make according to their formats; see accesses.h. */
#include "preload/libc/accesses.h"

#include <stdarg.h>
#include <wchar.h>

#include "preload/accesses/mem.h"
#include "preload/accesses/landing.h"
#include "preload/memory/constants.h"
#include "preload/base/real.h"
#include "preload/libc/format_arguments.h"
#include "preload/libc/format_plan.h"
#include "preload/base/rules.h"

#define COPIES 6 /* at most this many visible strings of one call are copied when they are reported */
#define PLACES 32 /* destinations of one scanf */
#define PROBE 4096 /* if the destination has no limit, this many of its bytes are checked for visibility */

/* ---- the format ---- */

struct format {
	const char *at;
	size_t unit; /* bytes of a character */
};

static uint32_t peek(const struct format *f)
{
	return f->unit == 1 ? *(const unsigned char *)f->at : *(const uint32_t *)f->at;
}

static uint32_t take_character(struct format *f)
{
	uint32_t ch = peek(f);

	f->at += ch ? f->unit : 0;
	return ch;
}

/* Moves past the next %. Returns false at the end. */
static bool next_conversion(struct format *f)
{
	uint32_t ch;

	if (f->unit == 1)
		f->at = real_strchrnul(f->at, '%');
	while ((ch = take_character(f)))
		if (ch == '%')
			return true;
	return false;
}

static bool is_flag(uint32_t c)
{
	return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0' || c == '\'' || c == 'I';
}

static bool is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

static size_t take_number(struct format *f)
{
	size_t n = 0;

	while (is_digit(peek(f)))
		n = n * 10 + (take_character(f) - '0');
	return n;
}

enum length { LENGTH_INT, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_DOUBLE };

static enum length take_length(struct format *f)
{
	switch (peek(f)) {
	case 'h':
		take_character(f);
		if (peek(f) != 'h')
			return LENGTH_SHORT;
		take_character(f);
		return LENGTH_CHAR;
	case 'l':
		take_character(f);
		if (peek(f) != 'l')
			return LENGTH_LONG;
		take_character(f);
		return LENGTH_LONG_DOUBLE;
	case 'q':
	case 'L':
		take_character(f);
		return LENGTH_LONG_DOUBLE;
	case 'j':
	case 'z':
	case 'Z':
	case 't':
		take_character(f);
		return LENGTH_LONG;
	}
	return LENGTH_INT;
}

static size_t integer_bytes(enum length l)
{
	return l == LENGTH_INT ? 4 : l == LENGTH_CHAR ? 1 : l == LENGTH_SHORT ? 2 : 8;
}

/* Returns whether the conversion names its argument by number (%1$d). Formats with such conversions are not followed. */
static bool has_position(const struct format *f)
{
	struct format at = *f;

	return is_digit(peek(&at)) && (take_number(&at), peek(&at) == '$');
}

/* ---- printf ---- */

/* Copies of strings, which libc gets in place of the arguments. */
struct copies {
	unsigned n;
	struct {
		uint64_t *where, was;
		struct kept bytes;
	} copy[COPIES];
};

/* Reports the read of a string argument. If other threads may change it, adds a copy. */
static void libc_string(struct libc_call *c, struct copies *k, uint64_t *where, size_t most, bool wide)
{
	const void *s = (const void *)*where, *data;

	if (!s || constants_has((uintptr_t)s))
		return;
	if (wide || k->n == COPIES) {
		range_string(s, most, wide ? sizeof(wchar_t) : 1, c->pc, NULL, NULL);
		return;
	}
	struct kept *kept = &k->copy[k->n].bytes;
	size_t n = range_string(s, most, 1, c->pc, kept, &data);

	if (data == s || n >= KEPT)
		return;
	kept->bytes[n] = 0;
	k->copy[k->n].where = where;
	k->copy[k->n].was = *where;
	k->n++;
}

/* Reads flags, width and precision. Returns the precision; SIZE_MAX if there is none or it is negative. Sets *limited if there is one. */
static size_t take_precision(struct format *f, struct cursor *a, struct plan *plan, bool *limited)
{
	while (is_flag(peek(f)))
		take_character(f);
	if (peek(f) == '*') {
		take_character(f);
		next_word(a);
		plan_add(plan, PLAN_WORD);
	} else
		take_number(f);
	*limited = peek(f) == '.';
	if (!*limited)
		return SIZE_MAX;
	take_character(f);
	if (peek(f) != '*')
		return take_number(f);
	take_character(f);
	plan_add(plan, PLAN_WORD);
	int n = (int)*next_word(a);

	return n < 0 ? SIZE_MAX : (size_t)n;
}

/* Reads one conversion, whose % was taken, reports its access, and adds it to the plan. Returns false when its arguments are unknown. */
static bool printf_conversion(struct libc_call *c, struct format *f, struct cursor *a, struct copies *k, struct plan *plan)
{
	bool limited;

	if (has_position(f))
		return false;
	size_t most = take_precision(f, a, plan, &limited);
	enum length l = take_length(f);
	uint32_t ch = take_character(f);

	switch (ch) {
	case 0:
	case '%':
	case 'm':
		return true;
	case 's':
	case 'S':
		if (limited)
			plan_give_up(plan);
		plan_add(plan, ch == 'S' || l == LENGTH_LONG ? PLAN_WIDE_STRING : PLAN_STRING);
		libc_string(c, k, next_word(a), most, ch == 'S' || l == LENGTH_LONG);
		return true;
	case 'n':
		plan_give_up(plan);
		range_touch((void *)*next_word(a), integer_bytes(l), MEM_WRITE, c->pc);
		return true;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		plan_add(plan, l == LENGTH_LONG_DOUBLE ? PLAN_LONG_DOUBLE : PLAN_DOUBLE);
		if (l == LENGTH_LONG_DOUBLE)
			skip_long_double(a);
		else
			skip_double(a);
		return true;
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
	case 'c':
	case 'C':
	case 'p':
		plan_add(plan, PLAN_WORD);
		next_word(a);
		return true;
	}
	return false; /* a conversion that the program has registered, or of a later libc */
}

/* Returns the role of the destination of the text, or NULL. */
static const struct role *destination(const struct libc_call *c)
{
	const struct role *r = c->function->roles;

	while (r->kind && r->kind != ROLE_TEXT_TO)
		r++;
	return r->kind ? r : NULL;
}

/* Returns the bytes that a text of `result` characters takes in a destination with room for `room`. */
static size_t text_bytes(int result, size_t room, size_t unit)
{
	size_t n = result < 0 ? 0 : (size_t)result + 1;

	return (n < room ? n : room) * unit;
}

/* Performs a printf to memory. If the destination is visible, the number of written bytes must be known before the call, so the text is
   formatted twice. */
static uint64_t print_text(struct libc_call *c, const struct role *to, unsigned fixed)
{
	size_t room = to->a == NO_ARG ? SIZE_MAX / 8 : libc_size(c, to);
	void *p = (void *)c->arg[to->arg];
	bool shared = p && range_is_shared(p, (room < PROBE ? room : PROBE) * to->extent);

	if (shared && to->extent == 1) {
		struct list l = list_of(c, fixed);
		int n = ((int (*)(char *, size_t, const char *, struct list *))real_vsnprintf)(NULL, 0, (const char *)c->arg[fixed - 1], &l);

		range_touch(p, text_bytes(n, room, 1), MEM_WRITE, c->pc);
	} else if (shared)
		range_touch(p, (room < PROBE ? room : PROBE) * to->extent, MEM_WRITE, c->pc);
	uint64_t result = call_with_list(c, fixed);

	if (p && !shared)
		range_touch(p, text_bytes((int)result, room, to->extent), MEM_WRITE, c->pc);
	return result;
}

/* Reports the accesses of a format that has a plan. */
static void follow_plan(struct libc_call *c, const struct plan *plan, struct cursor *a, struct copies *k)
{
	for (unsigned i = 0; plan->strings && i < plan->n; i++)
		switch ((enum plan_step)plan->step[i]) {
		case PLAN_WORD:
			next_word(a);
			break;
		case PLAN_DOUBLE:
			skip_double(a);
			break;
		case PLAN_LONG_DOUBLE:
			skip_long_double(a);
			break;
		case PLAN_STRING:
		case PLAN_WIDE_STRING:
			libc_string(c, k, next_word(a), SIZE_MAX, plan->step[i] == PLAN_WIDE_STRING);
		}
}

/* Reads the format, reports the accesses, and makes a plan. */
static void follow_format(struct libc_call *c, struct format f, struct cursor *a, struct copies *k)
{
	const char *format = f.at;
	struct plan plan;

	plan_begin(&plan);
	while (next_conversion(&f))
		if (!printf_conversion(c, &f, a, k, &plan)) {
			libc_unseen(c->function->name, c->pc);
			return;
		}
	if (f.unit == 1)
		plan_keep(&plan, format);
}

/* fixed: number of arguments up to the format. */
static enum libc_way libc_printf(struct libc_call *c, struct format f, unsigned fixed)
{
	const struct role *to = destination(c);
	struct cursor a = first_argument(c, fixed);
	const struct plan *plan = f.unit == 1 ? plan_find(f.at) : NULL;
	struct copies k;

	k.n = 0;
	if (plan)
		follow_plan(c, plan, &a, &k);
	else
		follow_format(c, f, &a, &k);
	if (!c->function->with_list || (!k.n && !to))
		return LIBC_GO_ON;
	for (unsigned i = 0; i < k.n; i++)
		*k.copy[i].where = (uint64_t)k.copy[i].bytes.bytes;
	c->rax = to ? print_text(c, to, fixed) : call_with_list(c, fixed);
	for (unsigned i = 0; i < k.n; i++)
		*k.copy[i].where = k.copy[i].was;
	return LIBC_DONE;
}

/* ---- scanf ---- */

struct place {
	void *p;
	size_t bytes; /* 0: a string */
	size_t unit;
	bool counted; /* the result of scanf counts this place */
};

struct places {
	unsigned n;
	struct place place[PLACES];
};

static void skip_set(struct format *f)
{
	if (peek(f) == '^')
		take_character(f);
	if (peek(f) == ']')
		take_character(f);
	while (peek(f) && take_character(f) != ']')
		;
}

/* Sets *x to the destination of conversion `ch`. Returns false if this is unknown. */
static bool scanf_place(struct format *f, uint32_t ch, enum length l, size_t width, struct place *x)
{
	x->counted = ch != 'n';
	x->unit = 1;
	switch (ch) {
	case 'n':
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		x->bytes = integer_bytes(l);
		return true;
	case 'p':
		x->bytes = 8;
		return true;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		x->bytes = l == LENGTH_LONG_DOUBLE ? 16 : l == LENGTH_LONG ? 8 : 4;
		return true;
	case 'c':
	case 'C':
		x->unit = ch == 'C' || l == LENGTH_LONG ? sizeof(wchar_t) : 1;
		x->bytes = (width ? width : 1) * x->unit;
		return true;
	case '[':
		skip_set(f);
		/* fallthrough */
	case 's':
	case 'S':
		x->unit = ch == 'S' || l == LENGTH_LONG ? sizeof(wchar_t) : 1;
		return true;
	}
	return false;
}

/* Reads one conversion, whose % was taken. Returns false when its arguments are unknown. */
static bool scanf_conversion(struct format *f, struct cursor *a, struct places *to)
{
	struct place x = { 0 };
	bool ignored = false, allocated = false;

	if (has_position(f))
		return false;
	for (;; take_character(f)) {
		if (peek(f) == '*')
			ignored = true;
		else if (peek(f) != '\'' && peek(f) != 'I')
			break;
	}
	size_t width = take_number(f);

	if (peek(f) == 'm') {
		take_character(f);
		allocated = true;
	}
	enum length l = take_length(f);
	uint32_t ch = take_character(f);

	if (!ch || ch == '%')
		return true;
	if (!scanf_place(f, ch, l, width, &x))
		return false;
	if (ignored)
		return true;
	if (allocated)
		x.bytes = sizeof(char *);
	x.p = (void *)*next_word(a);
	if (to->n == PLACES)
		return false;
	to->place[to->n++] = x;
	return true;
}

/* Returns the number of bytes that the call wrote to the place. */
static size_t written(const struct place *x)
{
	return x->bytes ? x->bytes : x->unit == 1 ? real_strlen(x->p) + 1 : (real_wcslen(x->p) + 1) * sizeof(wchar_t);
}

/* Reports visible destinations before the call, and the others after it. Of a visible string it reports only the first character. */
static enum libc_way libc_scanf(struct libc_call *c, struct format f, unsigned fixed)
{
	struct cursor a = first_argument(c, fixed);
	struct places to;
	uint32_t before = 0;

	to.n = 0;
	while (next_conversion(&f))
		if (!scanf_conversion(&f, &a, &to)) {
			libc_unseen(c->function->name, c->pc);
			break;
		}
	for (unsigned i = 0; i < to.n; i++) {
		const struct place *x = &to.place[i];

		if (!range_is_shared(x->p, x->bytes ? x->bytes : x->unit))
			continue;
		range_touch(x->p, x->bytes ? x->bytes : x->unit, MEM_WRITE, c->pc);
		before |= 1u << i;
	}
	c->rax = call_with_list(c, fixed);
	int left = (int)c->rax;

	for (unsigned i = 0; i < to.n && (left > 0 || !to.place[i].counted); i++) {
		left -= to.place[i].counted;
		if (!(before & 1u << i))
			range_touch(to.place[i].p, written(&to.place[i]), MEM_WRITE, c->pc);
	}
	return LIBC_DONE;
}

enum libc_way libc_format(struct libc_call *c, const struct role *format)
{
	struct format f = { .at = (const char *)(format->arg < 6 ? c->arg[format->arg] : c->stack[format->arg - 6]), .unit = format->extent };
	unsigned fixed = format->arg + 1u;

	if (!f.at)
		return LIBC_GO_ON;
	libc_touch_object(LIBC_locale, MEM_READ, c->pc);
	if (!constants_has((uintptr_t)f.at))
		range_string(f.at, SIZE_MAX, f.unit, c->pc, NULL, NULL);
	return c->function->family == FAMILY_SCANF ? libc_scanf(c, f, fixed) : libc_printf(c, f, fixed);
}
