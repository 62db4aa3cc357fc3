/* Names of event kinds, object kinds and alternatives, generated from event_kinds.def. */
#include "sched/event.h"

#include <string.h>

struct kind_info {
	const char *text;
	uint8_t object;
};

const uint8_t event_flags_of_kind[EV_COUNT] = {
#define EVENT(name, text, object, flags) [EV_##name] = (flags),
#include "sched/event_kinds.def"
#undef EVENT
};

static const struct kind_info kinds[EV_COUNT] = {
	[EV_NONE] = {"none", OBJ_NONE},
#define EVENT(name, text, object, flags) [EV_##name] = {text, object},
#include "sched/event_kinds.def"
#undef EVENT
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
};

static int find_text(const char *const *texts, unsigned n, const char *text)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(texts[i], text) == 0)
			return (int)i;
	return -1;
}

const char *event_kind_text(unsigned kind)
{
	return kind < EV_COUNT ? kinds[kind].text : "?";
}

int event_kind_parse(const char *text)
{
	for (unsigned k = 0; k < EV_COUNT; k++)
		if (strcmp(kinds[k].text, text) == 0)
			return (int)k;
	return -1;
}

unsigned event_kind_object(unsigned kind)
{
	return kind < EV_COUNT ? kinds[kind].object : OBJ_NONE;
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
	return alt < ALT_COUNT ? alternative_texts[alt] : "?";
}

int alternative_parse(const char *text)
{
	return find_text(alternative_texts, ALT_COUNT, text);
}

static const char *const model_texts[] = { "sc", "tso", "pso" };

const char *memory_model_text(unsigned model)
{
	return model <= MODEL_PSO ? model_texts[model] : "?";
}

int memory_model_parse(const char *text)
{
	return find_text(model_texts, MODEL_PSO + 1, text);
}
