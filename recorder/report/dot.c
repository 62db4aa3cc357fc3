/*
 * The happens-before order for graphviz: a column for each agent with its steps in order, arrows between columns. A long
 * schedule is cut to its last steps, because a graph of thousands of nodes is unreadable and takes dot too long.
 */
#include <string.h>

#include "recorder/order/order.h"
#include "recorder/report/report_internal.h"

/* Text between the quotes of a dot string. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else
			fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
	}
}

static void put_clean(FILE *out, const char *text)
{
	char buf[2 * CELL_TEXT];

	report_clean_text(text, buf, sizeof(buf));
	put_text(out, buf);
}

static void put_node(const struct report *p, size_t i)
{
	char text[CELL_TEXT], where[CELL_TEXT];
	const char *style = report_is_failing(p, i) ? ", color=red, penwidth=2" :
		p->preempted[i] ? ", color=orange, penwidth=2" : p->r->steps[i].kind == EV_UPDATE ? ", style=dashed" : "";

	fprintf(p->out, "\t\ts%zu [label=\"%zu  ", i + 1, i + 1);
	put_clean(p->out, report_step_text(p, &p->r->steps[i], text, sizeof(text)));
	if (report_where(&p->r->steps[i].stack, false, where, sizeof(where))[0]) {
		fputs("\\n", p->out);
		put_clean(p->out, where);
	}
	fprintf(p->out, "\"%s];\n", style);
}

static void put_agent(const struct report *p, const struct order *o, size_t agent, size_t from)
{
	const struct recording *r = p->r;
	size_t last = NO_STEP;
	char name[CELL_TEXT];

	for (size_t i = from; i < r->n_steps; i++) {
		if (o->agent[i] != agent)
			continue;
		if (last == NO_STEP) {
			fprintf(p->out, "\tsubgraph cluster_%zu {\n\t\tlabel=\"", agent);
			put_clean(p->out, agent < r->n_threads ? r->threads[agent].path : rec_agent_text(r, &r->steps[i], name, sizeof(name)));
			if (agent < r->n_threads && report_start(p, (thread_id)agent)[0]) {
				fputc(' ', p->out);
				put_clean(p->out, report_start(p, (thread_id)agent));
			}
			fputs("\";\n\t\tcolor=gray;\n", p->out);
		}
		put_node(p, i);
		if (last != NO_STEP)
			fprintf(p->out, "\t\ts%zu -> s%zu [weight=10, color=gray];\n", last + 1, i + 1);
		last = i;
	}
	if (last != NO_STEP)
		fputs("\t}\n", p->out);
}

static void put_edges(const struct report *p, const struct order *o, size_t from)
{
	for (size_t k = 0; k < o->n; k++) {
		const struct order_edge *e = &o->edge[k];
		if (e->from < from || o->agent[e->from] == o->agent[e->to])
			continue;
		fprintf(p->out, "\ts%zu -> s%zu [label=\"%s\", constraint=true%s];\n", e->from + 1, e->to + 1,
			order_why_text(e->why), e->why == ORDER_OTHER ? ", style=dotted" : "");
	}
}

void report_dot(FILE *out, const struct recording *r, const struct report_options *options)
{
	struct report p;
	struct order o;
	size_t from = !options->all && r->n_steps > REPORT_DOT_STEPS ? r->n_steps - REPORT_DOT_STEPS : 0;

	report_begin(&p, out, r, options);
	recording_order(r, &o);
	fputs("// Happens-before order of a schedule, made by simul show --dot. An arrow without a label: the order of one thread.\n", out);
	fputs("digraph schedule {\n\tnode [shape=box, fontname=\"monospace\", fontsize=10];\n\tedge [fontsize=9];\n\tlabelloc=t;\n\tlabel=\"", out);
	put_clean(out, bug_kind_text(r->failure.kind));
	fputs(" in ", out);
	put_clean(out, r->start.argv[0] ? r->start.argv[0] : r->start.program);
	if (r->failure.message[0]) {
		fputs("\\n", out);
		put_clean(out, r->failure.message);
	}
	if (from)
		fprintf(out, "\\nNOT ALL: steps %zu to %zu of %zu; simul show --dot --all prints every step", from + 1, r->n_steps,
			r->n_steps);
	if (!o.known)
		fputs("\\nToo many steps for so many threads: arrows between threads are missing", out);
	fputs("\";\n", out);
	for (size_t a = 0; a < o.n_agents; a++)
		put_agent(&p, &o, a, from);
	put_edges(&p, &o, from);
	fputs("}\n", out);
	order_free(&o);
	report_finish(&p);
}
