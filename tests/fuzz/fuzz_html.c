/* Any bytes as a recording, and the page of `simul show --html` made of what is accepted: nothing of it becomes a tag, or is harmful to read. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "recorder/html/html.h"
#include "recorder/report/report.h"
#include "tests/fuzz/lib_fuzz.h"

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void try(struct recording *r)
{
	static unsigned scripts, tags;
	size_t size;
	char *page = report_html(r, "fuzz <b>\x1b\xe2\x80\xae", &size);

	INVARIANT(strlen(page) == size, "the page has a NUL byte");
	fuzz_expect_harmless(page, "the page");
	if (!scripts) {
		scripts = count(page, "<script");
		tags = count(page, "<");
	}
	INVARIANT(count(page, "<script") == scripts && count(page, "<") == tags, "the recording made a tag");
	free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_recordings(data, size, try);
	return 0;
}
