/*
 * Any bytes through the reader of recordings and the reports made of what it accepts.
 *
 *	clang -g -O1 -I. -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined -o fuzz_recording \
 *		tests/fuzz/fuzz_recording.c tests/unit/lib_check.c recorder/[a-z]*.c sched/event.c \
 *		-ldw -lelf -ljansson -l:libiberty.a
 *	./fuzz_recording -max_total_time=60 CORPUS_DIRECTORY     (start with a few real recordings)
 *
 * The input is read as it is, and once more with its checksum made right, so that the parser behind the
 * checksum is reached too. What is accepted must be in range and survive being written and read again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "recorder/format.h"
#include "recorder/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_text(const char *text, size_t size, FILE *sink)
{
	struct report_options options = { .width = 80, .colour = true };
	enum recording_error err = RECORDING_OK;
	const char *why = "";
	char message[256], *again;
	struct recording *r = recording_parse(text, size, "fuzz", &err, message, sizeof(message)), *back;
	size_t n;

	INVARIANT((r != NULL) == (err == RECORDING_OK), "error %d", (int)err);
	if (!r)
		return;
	INVARIANT(recording_valid(r, &why), "%s", why);
	report_show(sink, r, &options);
	INVARIANT(report_json(sink, r) == 0, "no JSON");
	report_dot(sink, r, &options);
	again = recording_format(r, &n);
	back = recording_parse(again, n, "fuzz", &err, message, sizeof(message));
	INVARIANT(back, "written and not read again: %s", message);
	recording_free(back);
	recording_free(r);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *sink;
	char *copy;

	if (!sink && !(sink = fopen("/dev/null", "w")))
		return 0;
	try_text((const char *)data, size, sink);
	if (size < 21)
		return 0;
	copy = malloc(size + 1);
	memcpy(copy, data, size);
	snprintf(copy + size - 21, 22, "end %016llx\n",
		(unsigned long long)format_checksum(copy, size - 21));
	try_text(copy, size, sink);
	free(copy);
	return 0;
}
