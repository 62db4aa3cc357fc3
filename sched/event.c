/* Names of event kinds, object kinds and alternatives, generated from event_kinds.def. */
#include "sched/event.h"

#include <string.h>

#define MAY_BLOCK(waits) ((waits) > WAITS_CHANGE ? K_BLOCK : 0)

const uint16_t event_flags_of_kind[EV_COUNT] = {
#define EVENT(name, text, object, mode, mode2, waits, other, outcome, seq, result, bits, round, enforce, flags) \
	[EV_##name] = (flags) | MAY_BLOCK(WAITS_##waits),
#include "sched/event_kinds.def"
};

const struct event_traits event_traits[EV_COUNT] = {
#define EVENT(name, text, object, mode, mode2, waits, other, outcome, seq, result, bits, round, enforce, flags) \
	[EV_##name] = { OBJ_##object, { M_##mode, M_##mode2 }, WAITS_##waits, EV_##other, OUTCOME_##outcome, SEQ_##seq, RESULT_##result, \
		BITS_##bits, ROUND_##round, ENFORCE_##enforce },
#include "sched/event_kinds.def"
};

static const char *const kind_texts[EV_COUNT] = {
	[EV_NONE] = "none",
#define EVENT(name, text, ...) [EV_##name] = text,
#include "sched/event_kinds.def"
};

static const char *const object_texts[OBJ_COUNT] = {
	[OBJ_NONE] = "none",
	[OBJ_THREAD] = "thread",
	[OBJ_MUTEX] = "mutex",
	[OBJ_SPIN] = "spin",
	[OBJ_COND] = "cond",
	[OBJ_RWLOCK] = "rwlock",
	[OBJ_SEM] = "sem",
	[OBJ_BARRIER] = "barrier",
	[OBJ_ONCE] = "once",
	[OBJ_FUTEX] = "futex",
	[OBJ_FD] = "fd",
	[OBJ_PROCESS] = "process",
	[OBJ_MEMORY] = "memory",
};

static const char *const alternative_texts[ALT_COUNT] = {
	[ALT_NORMAL] = "",
	[ALT_TIMEOUT] = "timeout",
	[ALT_SPURIOUS] = "spurious",
	[ALT_SIGNAL] = "signal",
	[ALT_CANCEL] = "cancel",
	[ALT_SECOND] = "second",
	[ALT_THIRD] = "third",
	[ALT_FOURTH] = "fourth",
	[ALT_BEFORE] = "before",
};

/* From ALT_OLDER on. */
#define OLDER4(a, b, c, d) "older" #a, "older" #b, "older" #c, "older" #d
static const char *const older_texts[] = {
	OLDER4(1, 2, 3, 4),
	OLDER4(5, 6, 7, 8),
	OLDER4(9, 10, 11, 12),
	OLDER4(13, 14, 15, 16),
	OLDER4(17, 18, 19, 20),
	OLDER4(21, 22, 23, 24),
	OLDER4(25, 26, 27, 28),
	OLDER4(29, 30, 31, 32),
};
_Static_assert(sizeof older_texts / sizeof *older_texts == OLDER_STORES, "older_texts");

static int find_text(const char *const *texts, unsigned n, const char *text)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(texts[i], text) == 0)
			return (int)i;
	return -1;
}

const char *event_kind_text(unsigned kind)
{
	return kind < EV_COUNT ? kind_texts[kind] : "?";
}

int event_kind_parse(const char *text)
{
	return find_text(kind_texts, EV_COUNT, text);
}

const char *object_kind_text(unsigned object_kind)
{
	return object_kind < OBJ_COUNT ? object_texts[object_kind] : "?";
}

int object_kind_parse(const char *text)
{
	return find_text(object_texts, OBJ_COUNT, text);
}

const char *alternative_text(unsigned alt)
{
	if (alternative_is_older(alt))
		return older_texts[alt - ALT_OLDER];
	return alt < ALT_COUNT ? alternative_texts[alt] : "?";
}

int alternative_parse(const char *text)
{
	int alt = find_text(alternative_texts, ALT_COUNT, text);
	int older = alt < 0 ? find_text(older_texts, OLDER_STORES, text) : -1;
	return older < 0 ? alt : ALT_OLDER + older;
}
