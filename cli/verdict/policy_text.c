#include "cli/verdict/policy_text.h"

#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/segment/segment.h"
#include "sched/policy.h"

void policy_summary(const struct session *s, FILE *out)
{
	uint32_t ran = shared_load(&s->ctl.facts.policies.ran);

	for (enum policy_number i = 0; i < POLICIES; i++) {
		const struct policy *p = policy_of(i);

		if (!(ran & POLICY_BIT(i)))
			continue;
		fprintf(out, "order: %s %s %s", p->scheduler, p->threads, p->words);
		if (policy_what_if(i))
			fprintf(out, " (a what-if: %s)", p->itself);
		fputc('\n', out);
	}
}

const char *policy_verdict(const struct session *s, char *buf, size_t size)
{
	uint32_t ran = shared_load(&s->ctl.facts.policies.ran);

	buf[0] = 0;
	for (enum policy_number i = 0; i < POLICIES; i++) {
		const struct policy *p = policy_of(i);

		if (!(ran & POLICY_BIT(i)))
			continue;
		if (policy_what_if(i))
			text_set(buf, size, "; a what-if: %s %s %s, but %s", p->scheduler, p->threads, p->words,
				p->itself);
		else if (p->rule == RULE_OWN)
			text_set(buf, size, "; %s %s only %s", p->scheduler, p->threads, p->words);
	}
	return buf;
}

json_t *policy_json(const struct session *s)
{
	uint32_t ran = shared_load(&s->ctl.facts.policies.ran);
	json_t *list = json_array();

	for (enum policy_number i = 0; i < POLICIES; i++)
		if (ran & POLICY_BIT(i))
			json_array_append_new(list, json_text(policy_of(i)->name));
	return list;
}

bool policy_tried_what_if(const struct session *s)
{
	uint32_t ran = shared_load(&s->ctl.facts.policies.ran);

	for (enum policy_number i = 0; i < POLICIES; i++)
		if ((ran & POLICY_BIT(i)) && policy_what_if(i))
			return true;
	return false;
}
