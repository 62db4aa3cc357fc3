/* Any bytes as a recording, whose JSON must be read again and be ASCII; and any bytes as the JSON that `simul stress` keeps of a test and reads again. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/show.h"
#include "recorder/json/report_json.h"
#include "recorder/report/report.h"
#include "tests/fuzz/lib_fuzz.h"

static void try(struct recording *r)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	json_t *back;

	INVARIANT(f && report_json(f, r) == 0 && !fclose(f), "no JSON");
	for (const char *c = text; *c; c++)
		INVARIANT((*c >= ' ' && (unsigned char)*c < 0x80) || *c == '\n', "a byte that JSON should escape");
	back = json_loads(text, 0, NULL);
	INVARIANT(back, "it cannot be read again");
	json_decref(back);
	free(text);
}

static void try_results(const uint8_t *data, size_t size)
{
	struct stress_test t = {.name = "fuzz", .suite = "fuzz", .files.recordings = "/nonexistent"};
	json_t *record = json_loadb((const char *)data, size, 0, NULL);
	char *detail;

	if (!record)
		return;
	t.run = json_incref(json_object_get(record, "run"));
	bugs_from_run(&t);
	detail = show_detail(&t);
	fuzz_expect_harmless(detail, "the line of a test");
	free(detail);
	for (size_t i = 0; i < t.n_bugs; i++)
		stress_bug_free(&t.bug[i]);
	free(t.bug);
	free(t.note);
	json_decref(t.run);
	json_decref(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && data[0] == '{')
		try_results(data, size);
	else
		fuzz_recordings(data, size, try);
	return 0;
}
