#include "tests/fuzz/lib_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/printable.h"
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"
#include "tests/unit/lib_toy.h"

#define END_LINE 21 /* "end ", 16 digits, a newline */

FILE *fuzz_sink(void)
{
	static FILE *sink;

	if (!sink)
		sink = fopen("/dev/null", "w");
	INVARIANT(sink, "no /dev/null");
	return sink;
}

static void try_text(const char *text, size_t size, void (*f)(struct recording *r))
{
	enum recording_error err = RECORDING_OK;
	const char *why = "";
	char message[256];
	struct recording *r = recording_parse(text, size, "fuzz", &err, message, sizeof(message));

	INVARIANT((r != NULL) == (err == RECORDING_OK), "error %d", (int)err);
	if (!r) {
		INVARIANT(message[0], "refused without a word");
		return;
	}
	INVARIANT(recording_valid(r, &why), "%s", why);
	f(r);
	recording_free(r);
}

void fuzz_recordings(const uint8_t *data, size_t size, void (*f)(struct recording *r))
{
	char *copy;

	try_text((const char *)data, size, f);
	if (size < END_LINE)
		return;
	copy = malloc(size + 1);
	INVARIANT(copy, "out of memory");
	memcpy(copy, data, size);
	snprintf(copy + size - END_LINE, END_LINE + 1, "end %016llx\n", (unsigned long long)format_checksum(copy, size - END_LINE));
	try_text(copy, size, f);
	free(copy);
}

void fuzz_expect_harmless(const char *text, const char *what)
{
	char *clean = printable(text, PRINTABLE_LINES);

	INVARIANT(!strcmp(text, clean), "%s has a character that a terminal obeys", what);
	free(clean);
}

void fuzz_search(struct segment *seg, unsigned executions)
{
	static struct toy toy;
	struct toy_program p = {.name = "base", .threads = 4};
	struct strategy strategy;
	enum run_verdict verdict;

	for (unsigned t = 1; t < p.threads; t++) {
		toy_add(&p, 0, TOY_SPAWN, (int)t, 0, 0, 0, 0);
		toy_add(&p, t, TOY_LOCK, 0, 0, 0, 0, 0);
		toy_add(&p, t, TOY_ADD, 0, 1, 0, 0, 0);
		toy_add(&p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
	}
	toy_init(&toy, &p);
	INVARIANT(explore_attach((char *)seg->session + seg->layout.explore_off, seg->layout.explore_size, &strategy), "no search");
	for (unsigned i = 0; i < executions; i++)
		if (!toy_run(&toy, &strategy, &verdict))
			break;
}
