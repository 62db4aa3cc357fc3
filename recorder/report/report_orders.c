/* Which stronger memory orders would have prevented the failure, in the schedule that was replayed with them (RC11). */
#include "recorder/report/report_internal.h"

/* "sb.c:23 (store y)", "sb.c:24 (fence)", "queue.h:568 (store heap#1+64, called at test.cc:8)" */
static void put_place(const struct report *p, size_t step)
{
	const struct rec_step *s = &p->r->steps[step];
	const struct rec_frame *frame = rec_stack_access_frame(&s->stack);
	const char *verb = event_kind_text(s->kind);
	char user[CELL_TEXT], where[CELL_TEXT];

	if (s->kind == EV_RMW)
		verb = report_is_cas(p, s) ? "cas" : "update";
	report_where(&s->stack, false, user, sizeof(user));
	bool called = frame && frame != rec_stack_line_frame(&s->stack);
	if (called)
		fputs(rec_frame_where(frame, where, sizeof(where)), p->out);
	else if (user[0])
		fputs(user, p->out);
	else
		fprintf(p->out, "step %zu", step + 1);
	fprintf(p->out, " (%s%s%s", verb, s->obj[0] ? " " : "", report_object(p, s->obj[0]));
	if (called)
		fprintf(p->out, ", called at %s", user);
	fputc(')', p->out);
}

/* "release at sb.c:23 (store y) and acquire at sb.c:31 (load y)" */
static void put_places(const struct report *p)
{
	const struct rec_orders *o = &p->r->orders;

	for (size_t i = 0; i < o->n; i++) {
		bool same = i && o->place[i].order == o->place[i - 1].order;
		if (i)
			fputs(i + 1 < o->n ? ", " : " and ", p->out);
		if (!same)
			fprintf(p->out, "%s at ", rec_order_text(o->place[i].order));
		put_place(p, o->place[i].step);
	}
}

static void put_effect(const struct report *p)
{
	const struct rec_step *s = &p->r->steps[p->r->orders.step];

	if (!alternative_is_older(s->alt))
		fputs("there is no data race", p->out);
	else if (s->kind == EV_STORE)
		fprintf(p->out, "step %zu cannot be placed before the later store", p->r->orders.step + 1);
	else
		fprintf(p->out, "step %zu cannot read the older value", p->r->orders.step + 1);
	fputs(" in this schedule.", p->out);
}

void report_orders(const struct report *p)
{
	const struct rec_orders *o = &p->r->orders;

	if (!o->runs)
		return;
	if (!o->prevented) {
		fprintf(p->out,
			"  Tried: with seq_cst at each atomic access and fence of this schedule (%zu %s in the code), "
			"it fails in the same way.\n",
			o->n, o->n == 1 ? "place" : "places");
		return;
	}
	fputs("  Tried: with ", p->out);
	put_places(p);
	fputs(", ", p->out);
	put_effect(p);
	if (o->fewest)
		fprintf(p->out, " With a weaker order %s it fails in the same way.",
			o->n == 1 ? "there" : "at any of these places");
	fputc('\n', p->out);
}
