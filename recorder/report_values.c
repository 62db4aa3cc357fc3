/* What accesses of memory read and wrote, in words. Types are not known: numbers are shown so that the usual ones read well. */
#include <inttypes.h>
#include <string.h>

#include "recorder/report_internal.h"

#define SMALL_NEGATIVE 65536

static uint64_t number_of(const uint8_t *bytes, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = size; i-- > 0;)
		v = v << 8 | bytes[i];
	return v;
}

/* Flags, hashes and addresses in hexadecimal, the rest in decimal; what is just below 0 as that. */
static void number_text(uint64_t v, unsigned size, char *buf, size_t room)
{
	uint64_t limit = size < 8 ? UINT64_C(1) << (8 * size) : 0; /* 2^64 is 0 */

	if (size >= 4 && limit - v <= SMALL_NEGATIVE)
		snprintf(buf, room, "-%" PRIu64, limit - v);
	else if (v < UINT64_C(1) << 31)
		snprintf(buf, room, "%" PRIu64, v);
	else
		snprintf(buf, room, "0x%" PRIx64, v);
}

static void word_text(const struct report *p, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	uint64_t v = number_of(bytes, size);
	const char *name = size == 8 ? rec_pointer_name(p->r, v) : NULL;

	if (name)
		report_clean_text(name, buf, room);
	else
		number_text(v, size, buf, room);
}

char *report_value(const struct report *p, const uint8_t *bytes, unsigned size, char *buf, size_t room)
{
	char low[CELL_TEXT / 2], high[CELL_TEXT / 2];

	if (size <= 8) {
		word_text(p, bytes, size, buf, room);
		return buf;
	}
	word_text(p, bytes, 8, low, sizeof(low));
	word_text(p, bytes + 8, size - 8, high, sizeof(high));
	snprintf(buf, room, "{%s, %s}", low, high);
	return buf;
}

char *report_value_text(const struct report *p, const struct rec_step *s, char *buf, size_t room)
{
	const struct rec_value *v = &s->value;
	bool reads = s->kind == EV_LOAD || rec_step_failed(s), both = s->kind == EV_RMW && !reads;
	char before[CELL_TEXT / 2], after[CELL_TEXT / 2];

	buf[0] = '\0';
	if (!v->size || (!v->has_before && (reads || both)) || (!v->has_after && !reads))
		return buf;
	report_value(p, v->before, v->size, before, sizeof(before));
	report_value(p, v->after, v->size, after, sizeof(after));
	if (both)
		snprintf(buf, room, ": %s → %s", before, after);
	else
		snprintf(buf, room, " = %s", reads ? before : after);
	return buf;
}
