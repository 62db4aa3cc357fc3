/* Random programs of lib_rc11.h. */
#include "tests/unit/lib_rc11.h"

#include <string.h>

#include "base/hash.h"

static uint64_t seed_state;

static unsigned draw(unsigned n)
{
	seed_state += 0x9E3779B97F4A7C15ull;
	return (unsigned)(splitmix_output(seed_state) % n);
}

/* What a program has much of. */
enum mode { M_ANY, M_STRONG, M_CAS, M_FENCES, M_MODES };

static enum rc11_order order_for(enum rc_what what, enum mode mode)
{
	static const enum rc11_order load[] = {RC11_RELAXED, RC11_RELAXED, RC11_CONSUME, RC11_ACQUIRE, RC11_ACQUIRE, RC11_SEQ_CST};
	static const enum rc11_order store[] = {RC11_RELAXED, RC11_RELAXED, RC11_RELEASE, RC11_RELEASE, RC11_RELEASE, RC11_SEQ_CST};
	static const enum rc11_order both[] = {RC11_RELAXED, RC11_RELAXED, RC11_ACQUIRE, RC11_RELEASE, RC11_ACQ_REL, RC11_SEQ_CST};
	static const enum rc11_order fence[] = {RC11_ACQUIRE, RC11_ACQUIRE, RC11_RELEASE, RC11_RELEASE, RC11_ACQ_REL, RC11_SEQ_CST};
	unsigned k = draw(6);
	if (mode == M_STRONG && draw(6))
		return RC11_SEQ_CST;
	if (mode == M_FENCES && what != RC_FENCE)
		return RC11_RELAXED;
	return what == RC_LOAD ? load[k] : what == RC_STORE ? store[k] : what == RC_FENCE ? fence[k] : both[k];
}

static enum rc_what draw_what(enum mode mode)
{
	static const enum rc_what whats[] = {RC_LOAD, RC_LOAD, RC_LOAD, RC_STORE, RC_STORE, RC_STORE, RC_UPDATE, RC_CAS, RC_FENCE};
	if (mode == M_CAS && !draw(3))
		return RC_CAS;
	if (mode == M_FENCES && !draw(4))
		return RC_FENCE;
	return whats[draw(9)];
}

static void draw_line(const struct rc_program *p, struct rc_line *l, unsigned *found, enum mode mode)
{
	*l = (struct rc_line){.what = draw_what(mode), .reg = (int)*found, .place = (int)draw(p->places), .cond = -1, .value.reg = -1, .expected.reg = -1};
	l->order = order_for(l->what, mode);
	l->fail = order_for(RC_LOAD, mode);
	l->update = draw(2) ? RC11_ADD : (enum rc11_update)draw(7);
	l->value.constant = 1 + (int)draw(3);
	l->expected.constant = (int)draw(3);
	if (*found && !draw(6)) {
		l->cond = (int)draw(*found);
		l->cond_value = (int)draw(2);
	}
	if (*found && l->what == RC_STORE && !draw(4))
		l->value.reg = (int)draw(*found);
	if (l->what == RC_FENCE)
		l->place = -1;
	if (l->what == RC_FENCE || l->what == RC_STORE)
		l->reg = -1;
	else if (*found + 1 < RC_REGS)
		++*found;
}

/* Puts a part of the thread's lines between LOCK and UNLOCK of a mutex. */
static void add_section(struct rc_program *p, unsigned t)
{
	unsigned n = p->length[t], from = draw(n + 1), to = from + draw(n - from + 1);
	struct rc_line l = {.what = RC_LOCK, .reg = -1, .place = 4 + (int)draw(2), .cond = -1, .value.reg = -1, .expected.reg = -1};
	if (n + 2 > RC_LENGTH)
		return;
	memmove(&p->line[t][to + 2], &p->line[t][to], (n - to) * sizeof l);
	memmove(&p->line[t][from + 1], &p->line[t][from], (to - from) * sizeof l);
	p->line[t][from] = l;
	l.what = RC_UNLOCK;
	p->line[t][to + 1] = l;
	p->length[t] += 2;
	p->places = RC_PLACES;
}

/* Makes the load or store of a line plain, of the first place; most of them depend on what the thread found before. */
static void make_plain(struct rc_line *l, unsigned found)
{
	l->place = 0;
	l->order = RC11_PLAIN;
	if (l->cond < 0 && found && draw(4)) {
		l->cond = (int)draw(found);
		l->cond_value = (int)(1 + draw(3));
	}
}

void rc_draw(struct rc_program *p, uint64_t *state, unsigned with)
{
	bool joins = with & RC_JOINS;
	seed_state = *state;
	memset(p, 0, sizeof *p);
	enum mode mode = (enum mode)draw(M_MODES);
	p->places = 1 + draw(3);
	p->threads = 2 + draw(joins ? 2 : 3);
	unsigned total = with & RC_NESTED ? 2 + draw(4) : (with & RC_LOCKS ? 3 : 4) + draw(6);
	unsigned found[RC_THREADS] = {0}, joined = 0;
	for (unsigned i = 0; i < total; i++) {
		unsigned t = draw(p->threads), n = p->length[t];
		if (n + (joins && !t ? 2 * p->threads : 0) >= RC_LENGTH)
			continue;
		struct rc_line *l = &p->line[t][p->length[t]++];
		unsigned before = found[t];
		draw_line(p, l, &found[t], mode);
		if (with & RC_PLAIN && (l->what == RC_LOAD || l->what == RC_STORE) && draw(2))
			make_plain(l, before);
	}
	for (unsigned t = 1; joins && t < p->threads; t++) { /* thread 0 creates the others somewhere, and joins some of them later */
		unsigned at = draw(p->length[0] - joined + 1), n = p->length[0]++;
		memmove(&p->line[0][at + 1], &p->line[0][at], (n - at) * sizeof(struct rc_line));
		p->line[0][at] = (struct rc_line){.what = RC_CREATE, .reg = -1, .place = -1, .cond = -1, .value.reg = -1, .expected.reg = -1, .other = (int)t};
		if (draw(2)) {
			p->line[0][p->length[0]] = p->line[0][at];
			p->line[0][p->length[0]++].what = RC_JOIN;
			joined++;
		}
		if (draw(2) && p->length[0] + 2 < RC_LENGTH && joined) { /* a load behind the join */
			p->line[0][p->length[0]] = (struct rc_line){.what = RC_LOAD, .reg = 3, .place = (int)draw(p->places), .cond = -1, .value.reg = -1, .expected.reg = -1};
			p->line[0][p->length[0]++].order = RC11_RELAXED;
			joined++;
		}
	}
	for (unsigned t = joins && !(with & RC_NESTED); (with & RC_LOCKS) && t < p->threads; t++)
		for (unsigned k = 0; k < (with & RC_NESTED ? 2 : 1); k++)
			if (draw(4))
				add_section(p, t);
	*state = seed_state;
}
