#include "preload/cooperative/systemc_labels.h"

#include "preload/cooperative/label_text.h"
#include "preload/hooks/choose.h"
#include "preload/base/rules.h"

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	bool running;        /* a process runs */
	bool phase_labelled; /* this delta cycle has its label */
} now;

/* ---- texts ---- */

static size_t add_text(char *text, size_t used, const char *more)
{
	return label_add(text, used, more, SIZE_MAX);
}

/* Adds a time in femtoseconds, in the largest unit in which it is a whole number: "10 ns". */
static size_t add_time(char *text, size_t used, uint64_t fs)
{
	static const char *const units[] = { " fs", " ps", " ns", " us", " ms", " s" };
	unsigned u = fs ? 0 : sizeof units / sizeof units[0] - 1;
	for (; fs && !(fs % 1000) && u + 1 < sizeof units / sizeof units[0]; u++)
		fs /= 1000;
	return add_text(text, label_add_number(text, used, fs), units[u]);
}

/* ---- labels ---- */

void labels_phase(void)
{
	char text[SESSION_LABEL_TEXT] = "";
	if (now.phase_labelled || !choose_labels_kept())
		return;
	now.phase_labelled = true;
	size_t used = add_time(text, 0, systemc_now());
	used = add_text(text, used, ", delta ");
	label_add_number(text, used, systemc_delta());
	choose_label(LABEL_PHASE, text);
}

void labels_order(const struct systemc_runnable *r, struct policy_point point, unsigned value)
{
	char text[SESSION_LABEL_TEXT] = "";
	if (!choose_labels_kept())
		return;
	size_t used = add_text(text, 0, systemc_name(r->process[policy_thread(point, value)]));
	for (unsigned v = 0, others = 0; v < r->n; v++)
		if (v != value) {
			used = add_text(text, used, others++ ? ", " : " before ");
			used = add_text(text, used, systemc_name(r->process[policy_thread(point, v)]));
		}
	choose_label(LABEL_ORDER, text);
}

void labels_runs(bool process)
{
	now.running = process;
}

void labels_phase_over(void)
{
	now.phase_labelled = false;
}

const char *systemc_failing(void)
{
	if (!now.running)
		return "";
	labels_phase();
	return systemc_name(systemc_current());
}
