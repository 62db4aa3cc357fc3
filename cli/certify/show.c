/* simul show of a certificate: the ordered events with their source lines, and what is not ordered. */
#include <inttypes.h>

#include "base/exit_codes.h"
#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/certify/certify.h"
#include "cli/certify/show.h"
#include "cli/options/run_options.h"
#include "sched/event.h"

static void print_command(FILE *out, const struct certificate *c)
{
	fprintf(out, "Certificate of");
	for (char **a = c->argv; *a; a++)
		fprintf(out, " %s", *a);
	fprintf(out, "\n  build-id %s; standard input: %s; %" PRIu32 " processors\n", c->build_id, strcmp(c->input, NO_INPUT) ? c->input : "empty",
		c->processors);
}

static void print_state(FILE *out, const struct certificate *c)
{
	char text[2048];

	certify_describe(c, text, sizeof(text));
	fprintf(out, "  %s\n  search: %s, memory model %s", text, c->strategy, memory_model_text(c->settings.model));
	if (c->certified && c->estimate > c->executions)
		fprintf(out, ", about %.3g %% of an estimated %" PRIu64 " executions", 100.0 * (double)c->executions / (double)c->estimate, c->estimate);
	for (const struct setting *of = settings_table; of < settings_table + SETTINGS; of++)
		if (of->certificate == CERTIFICATE_SAME && of != &settings_table[SETTING_OF_model] &&
			run_option_given(&c->settings, of)) {
			setting_text(&c->settings, of, text, sizeof(text));
			fprintf(out, ", --%s %s", run_option_of(of), text);
		}
	fprintf(out, "%s%s\n", c->fail_on_race ? ", --fail-on-race" : "", c->robustness ? ", --robustness" : "");
	if (c->from)
		fprintf(out, "  first execution: as recorded in %s\n", c->from);
	if (c->but)
		fprintf(out, "  weaker, since the search did not see everything: %s\n", c->but);
}

/* Prints an event and its thread, without a line end. */
static void print_what(FILE *out, const struct certificate *c, uint32_t i)
{
	const struct cert_event *e = &c->events[i];
	char path[128], name[256] = "", what[320];

	if (e->object[0])
		certificate_object(c, e->object[0] - 1, name, sizeof(name));
	snprintf(what, sizeof(what), "%s%s%s%s", event_kind_text(e->kind), name[0] ? " " : "", name, e->failed && i < c->certified ? " (fails)" : "");
	fprintf(out, "  %5" PRIu32 "  %-8s %-32s %s", i + 1, certificate_path(c, e->thread, path, sizeof(path)), what, e->where ? e->where : "");
}

/* Prints an event that may be performed instead of another one. What it waits for in the execution has no meaning then. */
static void print_choice(FILE *out, const struct certificate *c, uint32_t i)
{
	print_what(out, c, i);
	fputc('\n', out);
}

static void print_event(FILE *out, const struct certificate *c, uint32_t i)
{
	const struct cert_event *e = &c->events[i];

	print_what(out, c, i);
	for (uint32_t k = 0; k < e->n; k++)
		fprintf(out, "%s%" PRIu32, k ? ", " : "   after ", c->after[e->first + k] + 1);
	fputc('\n', out);
}

/* Prints the objects that the prefix uses. Other threads can use them only after the prefix. */
static void print_held(FILE *out, const struct certificate *c)
{
	uint32_t *last = xcalloc(c->n_objects + 1, sizeof(*last)); /* by object: its last event in the prefix, + 1 */
	bool any = false;

	for (uint32_t i = 0; i < c->certified; i++)
		for (int k = 0; k < 2; k++)
			if (c->events[i].object[k])
				last[c->events[i].object[k]] = i + 1;
	for (uint32_t o = 1; o <= c->n_objects; o++) {
		char name[256];

		if (!last[o] || c->objects[o - 1].kind == OBJ_THREAD)
			continue;
		if (!any)
			fprintf(out, "\nHeld back: later uses of these wait until the event has been performed\n");
		any = true;
		fprintf(out, "  %-32s event %" PRIu32 "\n", certificate_object(c, o - 1, name, sizeof(name)), last[o]);
	}
	free(last);
}

int show_certificate(const char *path)
{
	char message[1024];
	struct certificate *c = certificate_read(path, message, sizeof(message));
	FILE *out;

	if (!c) {
		say("%s", message);
		return SIMUL_EXIT_USAGE;
	}
	out = printable_stream(stdout);
	print_command(out, c);
	print_state(out, c);
	if (c->certified)
		fprintf(out, "\nOrdered: each event waits for the events of other threads listed under \"after\"\n");
	for (uint32_t i = 0; i < c->certified; i++)
		print_event(out, c, i);
	if (c->n_instead)
		fprintf(out, "\nAlternatives to event %" PRIu32 ": the first of these that a thread reaches\n", c->certified);
	for (size_t k = 0; k < c->n_instead; k++)
		print_choice(out, c, c->instead[k]);
	print_held(out, c);
	fprintf(out, "\nFree: everything else%s\n", c->certified ? "; after these events, everything" : "");
	fclose(out);
	certificate_free(c);
	return SIMUL_EXIT_OK;
}
