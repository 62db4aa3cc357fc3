/*
 * Choices of a scheduler of the program's own, such as SystemC's: CHOOSE steps with labels of kind LABEL_ORDER. Such
 * a label names the chosen thread, and then the others in the order of their values: "b before a, c".
 */
#include <string.h>

#include "recorder/report/report_internal.h"
#include "sched/choice.h"

static bool is_choice(const struct rec_step *s)
{
	return s->kind == EV_CHOOSE;
}

static bool is_made(const struct rec_step *s)
{
	return is_choice(s) && choose_chosen(s->result).count == 1;
}

static const struct rec_label *order_after(const struct recording *r, size_t i)
{
	for (size_t k = 0; k < r->n_labels && r->labels[k].before <= i + 1; k++)
		if (r->labels[k].kind == LABEL_ORDER && r->labels[k].before == i + 1 &&
			r->labels[k].thread == r->steps[i].thread)
			return &r->labels[k];
	return NULL;
}

const struct rec_label *report_choice(const struct recording *r, size_t i)
{
	while (i + 1 < r->n_steps && is_choice(&r->steps[i]) && !is_made(&r->steps[i]))
		i++;
	return i < r->n_steps && is_made(&r->steps[i]) ? order_after(r, i) : NULL;
}

bool report_is_own_choice(const struct recording *r, size_t i)
{
	return is_made(&r->steps[i]) && !choose_chosen(r->steps[i].result).first && order_after(r, i);
}

bool report_is_other_choice(const struct recording *r, size_t i)
{
	return is_made(&r->steps[i]) && choose_chosen(r->steps[i].result).first && order_after(r, i);
}

bool report_other_choices(const struct recording *r, unsigned *n, bool *more)
{
	bool any = false;

	*n = 0;
	*more = r->n_labels >= SESSION_LABELS;
	for (size_t i = 0; i < r->n_labels; i++)
		any |= r->labels[i].kind == LABEL_ORDER;
	for (size_t i = 0; i < r->n_steps && any; i++)
		*n += report_is_other_choice(r, i);
	return any;
}

const struct rec_label *report_phase(const struct recording *r, size_t i)
{
	const struct rec_label *phase = NULL;

	for (size_t k = 0; k < r->n_labels && r->labels[k].before <= i; k++)
		if (r->labels[k].kind == LABEL_PHASE)
			phase = &r->labels[k];
	return phase;
}

/* Returns the name number k of a label, and sets *n to its length; NULL: the label has fewer names. */
static const char *name_at(const char *text, uint32_t k, size_t *n)
{
	const char *before = strstr(text, " before ");

	if (!before)
		return NULL;
	*n = (size_t)(before - text);
	for (const char *at = before + strlen(" before "); k; k--) {
		text = at;
		if (!*text)
			return NULL;
		at = strstr(text, ", ");
		*n = at ? (size_t)(at - text) : strlen(text);
		at = at ? at + 2 : text + *n;
	}
	return text;
}

char *report_choice_name(const struct recording *r, size_t i, uint32_t value, char *buf, size_t size)
{
	const struct rec_label *label = is_made(&r->steps[i]) ? order_after(r, i) : NULL;
	uint32_t chosen = choose_chosen(r->steps[i].result).first;
	const char *name = NULL;
	char text[CELL_TEXT];
	size_t n = 0;

	if (label && value == chosen)
		name = name_at(label->text, 0, &n);
	else if (label)
		name = name_at(label->text, value < chosen ? value + 1 : value, &n);
	if (name && strlen(label->text) >= SESSION_LABEL_TEXT - 1 && !name[n])
		name = NULL; /* the label was cut here */
	snprintf(text, sizeof(text), "%.*s", (int)n, name ? name : "");
	report_clean_text(name ? text : "another", buf, size);
	return buf;
}
