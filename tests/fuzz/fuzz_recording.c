/* Any bytes through the reader of recordings and the text made of what it accepts, which must survive being written and read again. */
#include <stdlib.h>

#include "base/check.h"
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"
#include "recorder/report/report.h"
#include "tests/fuzz/lib_fuzz.h"

static void try(struct recording *r)
{
	const struct report_options options = { .width = 80 };
	enum recording_error err;
	char message[256], *text = NULL, *again;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct recording *back;

	INVARIANT(f, "out of memory");
	report_show(f, r, &options);
	report_bug_summary(f, r, &options);
	fclose(f);
	fuzz_expect_harmless(text, "the report");
	free(text);
	report_dot(fuzz_sink(), r, &options);
	again = recording_format(r, &n);
	back = recording_parse(again, n, "fuzz", &err, message, sizeof(message));
	INVARIANT(back, "written and not read again: %s", message);
	recording_free(back);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_recordings(data, size, try);
	return 0;
}
