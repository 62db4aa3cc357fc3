/* Shrinks a failing program: see lib_weak.h. */
#include <string.h>

#include "tests/unit/lib_weak.h"

static void drop(struct toy_program *p, unsigned t, unsigned k)
{
	struct toy_instr *code = p->code[t];
	for (unsigned i = 0; i < k; i++)
		if ((code[i].op == TOY_SKIP_EQ || code[i].op == TOY_SKIP_NE) && i + (unsigned)code[i].c >= k)
			code[i].c--;
	memmove(code + k, code + k + 1, (TOY_CODE - 1 - k) * sizeof *code);
	p->len[t]--;
}

/* Removes instruction k of thread t. A lock is removed together with its unlock. */
static bool without(struct toy_program *p, unsigned t, unsigned k)
{
	const struct toy_instr i = p->code[t][k];
	if (i.op == TOY_SPAWN || i.op == TOY_JOIN || i.op == TOY_UNLOCK)
		return false;
	drop(p, t, k);
	if (i.op != TOY_LOCK)
		return true;
	while (k < p->len[t] && (p->code[t][k].op != TOY_UNLOCK || p->code[t][k].a != i.a))
		k++;
	if (k == p->len[t])
		return false;
	drop(p, t, k);
	return true;
}

static bool without_thread(struct toy_program *p, unsigned t)
{
	for (unsigned k = p->len[0]; k--;) {
		struct toy_instr *i = &p->code[0][k];
		if (i->op != TOY_SPAWN && i->op != TOY_JOIN)
			continue;
		if (i->a == (int)t)
			drop(p, 0, k);
		else if (i->a > (int)t)
			i->a--;
	}
	for (; t + 1 < p->threads; t++) {
		memcpy(p->code[t], p->code[t + 1], sizeof p->code[t]);
		p->len[t] = p->len[t + 1];
	}
	p->threads--;
	memset(p->code[p->threads], 0, sizeof p->code[0]);
	p->len[p->threads] = 0;
	return true;
}

/* Applies simplification number `way` to instruction k of thread t. */
static bool simpler(struct toy_program *p, unsigned t, unsigned k, unsigned way)
{
	struct toy_instr *i = &p->code[t][k], was = *i;
	bool rmw = i->op == TOY_ADD || i->op == TOY_XCHG || i->op == TOY_CAS;
	bool access = rmw || i->op == TOY_LOAD || i->op == TOY_STORE;
	int16_t *at = i->op == TOY_LOAD ? &i->b : &i->a;
	if (!access)
		return false;
	switch (way) {
	case 0:
		i->order = TOY_PLAIN;
		break;
	case 1:
		if (i->op == TOY_STORE)
			i->c = 0;
		break;
	case 2:
		if (rmw)
			*i = (struct toy_instr){.op = TOY_STORE, .size = i->size, .a = i->a, .b = 1};
		break;
	case 3:
		if (rmw)
			*i = (struct toy_instr){.op = TOY_LOAD, .size = i->size, .b = i->a};
		break;
	case 4: /* a whole variable */
		if (i->size) {
			*at /= 8;
			i->size = 0;
		}
		break;
	case 5:
		i->size /= 2;
		if (!i->size)
			i->size = was.size;
		break;
	default:
		if (i->size > 1) {
			*at = (int16_t)(*at + i->size / 2);
			i->size -= i->size / 2;
		}
	}
	return memcmp(i, &was, sizeof was) != 0;
}
#define WAYS 7

struct shrink {
	struct toy_program *p;
	weak_fails fails;
	void *ctx;
};

static bool take(struct shrink *s, const struct toy_program *smaller)
{
	if (!s->fails(smaller, s->ctx))
		return false;
	*s->p = *smaller;
	return true;
}

static bool shrink_once(struct shrink *s)
{
	struct toy_program q;
	for (unsigned t = 1; t < s->p->threads; t++) {
		q = *s->p;
		if (without_thread(&q, t) && take(s, &q))
			return true;
	}
	for (unsigned t = 0; t < s->p->threads; t++)
		for (unsigned k = 0; k < s->p->len[t]; k++) {
			q = *s->p;
			if (without(&q, t, k) && take(s, &q))
				return true;
		}
	for (unsigned t = 0; t < s->p->threads; t++)
		for (unsigned k = 0; k < s->p->len[t]; k++)
			for (unsigned way = 0; way < WAYS; way++) {
				q = *s->p;
				if (simpler(&q, t, k, way) && take(s, &q))
					return true;
			}
	return false;
}

void weak_shrink(struct toy_program *p, weak_fails fails, void *ctx)
{
	struct shrink s = {p, fails, ctx};
	while (shrink_once(&s))
		;
}
