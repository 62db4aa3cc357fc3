/* Explains the marks of the table, only those that occur. */
#include <stdlib.h>

#include "base/check.h"
#include "recorder/report/report_internal.h"

/* Adds an entry, on the same line as the previous one if there is room. */
static void put_words(const struct report *p, FILE *out, unsigned *at, const char *text)
{
	unsigned width = report_width(text);
	bool fits = *at && *at + 3 + width <= p->opt.width;

	fprintf(out, "%s%s", fits ? "   " : *at ? "\n  " : "  ", text);
	*at = fits ? *at + 3 + width : 2 + width;
}

static void put_legend(const struct report *p, FILE *out)
{
	const struct recording *r = p->r;
	bool preempted = false, buffered = false, essential = false, chosen = false;
	unsigned at = 0;

	for (size_t i = 0; i < r->n_steps; i++) {
		preempted |= p->preempted[i];
		buffered |= r->steps[i].buffered;
		essential |= report_is_essential(p, i);
		chosen |= report_is_other_choice(r, i);
	}
	if (r->n_threads > 1)
		put_words(p, out, &at, "› switch to another thread");
	if (chosen)
		put_words(p, out, &at, "≠ the scheduler itself would take another one");
	if (preempted)
		put_words(p, out, &at, "» preemption: the thread before could have continued");
	put_words(p, out, &at, r->failure.kind == BUG_ROBUSTNESS ? "✗ on the cycle" : "✗ the failure");
	at = p->opt.width; /* the other entries get their own lines */
	if (essential)
		put_words(p, out, &at, "! essential: nothing failed when this switch was left out");
	at = p->opt.width;
	if (buffered)
		put_words(p, out, &at, "→ buffer: only its own thread sees the store, until it reaches memory");
	fputc('\n', out);
}

void report_legend(const struct report *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	INVARIANT(out, "out of memory");
	put_legend(p, out);
	INVARIANT(fclose(out) == 0, "out of memory");
	report_dim(p);
	report_wrapped(p->out, text, p->opt.width);
	report_plain(p);
	free(text);
}
