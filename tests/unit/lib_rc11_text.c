/* The text of the programs of lib_rc11.h. */
#include "tests/unit/lib_rc11.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char places[] = "xyzfmn", regs[] = "abcd";
static const char *const orders[] = {"rlx", "con", "acq", "rel", "ar", "sc", "na"};
static const struct {
	const char *word;
	int object; /* -1: the mutex that is named */
} calls[RC_CALLS] = {
	[RC_TRYLOCK] = {"trylock", -1},
	[RC_WAIT] = {"wait", RC_COND}, /* with the mutex that is named */
	[RC_SIGNAL] = {"signal", RC_COND},
	[RC_BROADCAST] = {"broadcast", RC_COND},
	[RC_POST] = {"post", RC_SEM},
	[RC_SEMWAIT] = {"semwait", RC_SEM},
	[RC_SEMTRY] = {"semtry", RC_SEM},
	[RC_RDLOCK] = {"rdlock", RC_RWLOCK},
	[RC_WRLOCK] = {"wrlock", RC_RWLOCK},
	[RC_TRYRD] = {"tryrd", RC_RWLOCK},
	[RC_TRYWR] = {"trywr", RC_RWLOCK},
	[RC_CLAIM] = {"claim", RC_RWLOCK},
	[RC_RDUNLOCK] = {"rdunlock", RC_RWLOCK},
	[RC_WRUNLOCK] = {"wrunlock", RC_RWLOCK},
	[RC_BARRIER] = {"barrier", RC_BARRIERS},
	[RC_ONCE] = {"once", RC_ONCES},
	[RC_FUTEX_WAIT] = {"fwait", RC_FUTEX},
	[RC_FUTEX_WAKE] = {"fwake", RC_FUTEX},
};
static const char *const updates[] = {"xchg", "add", "sub", "and", "or", "xor", "nand"};

static int place_of(const char *w)
{
	const char *at = w[0] && !w[1] ? strchr(places, w[0]) : NULL;
	return at ? (int)(at - places) : -1;
}

static int reg_of(char c)
{
	const char *at = c ? strchr(regs, c) : NULL;
	return at ? (int)(at - regs) : -1;
}

static bool word_of(const char *w, const char *const *list, size_t n, unsigned *out)
{
	for (*out = 0; *out < n; ++*out)
		if (!strcmp(w, list[*out]))
			return true;
	return false;
}

static bool order_of(const char *w, enum rc11_order *out)
{
	unsigned k;
	bool known = word_of(w, orders, sizeof orders / sizeof *orders, &k);
	*out = (enum rc11_order)k;
	return known;
}

/* "3", "a" or "a+1" */
static bool value_of(const char *w, struct rc_value *out)
{
	*out = (struct rc_value){.reg = reg_of(w[0])};
	if (out->reg >= 0) {
		out->constant = w[1] == '+' ? atoi(w + 2) : 0;
		return !w[1] || w[1] == '+';
	}
	out->constant = atoi(w);
	return isdigit((unsigned char)w[0]) || w[0] == '-';
}

static bool read_access(struct rc_line *l, char **w, unsigned n)
{
	unsigned k;
	if (n < 4 || strcmp(w[1], "="))
		return false;
	l->place = place_of(w[0]);
	if (l->place >= 0) {
		l->what = RC_STORE;
		return n == 4 && value_of(w[2], &l->value) && order_of(w[3], &l->order);
	}
	l->reg = w[0][1] ? -1 : reg_of(w[0][0]);
	if (l->reg < 0)
		return false;
	if (!strcmp(w[2], "cas")) {
		l->what = RC_CAS;
		return n == 8 && (l->place = place_of(w[3])) >= 0 && value_of(w[4], &l->expected) && value_of(w[5], &l->value) && order_of(w[6], &l->order) &&
		       order_of(w[7], &l->fail);
	}
	if (word_of(w[2], updates, 7, &k)) {
		l->what = RC_UPDATE;
		l->update = (enum rc11_update)k;
		return n == 6 && (l->place = place_of(w[3])) >= 0 && value_of(w[4], &l->value) && order_of(w[5], &l->order);
	}
	l->what = RC_LOAD;
	return n == 4 && (l->place = place_of(w[2])) >= 0 && order_of(w[3], &l->order);
}

/* Reads "wait m", "a = semtry" or "a = timed wait m". Returns false if it is no call. */
static bool read_call(struct rc_line *l, char **w, unsigned n)
{
	bool found = n > 2 && !strcmp(w[1], "=") && !w[0][1] && reg_of(w[0][0]) >= 0;
	unsigned k = 0, at = found ? 2 : 0;
	l->timed = n > at && !strcmp(w[at], "timed");
	at += l->timed;
	while (n > at && k < RC_CALLS && strcmp(w[at], calls[k].word) != 0)
		k++;
	if (n <= at || k == RC_CALLS)
		return false;
	int mutex = n == at + 2 ? place_of(w[at + 1]) : -1;
	l->what = RC_CALL;
	l->call = (enum rc_call)k;
	l->reg = found ? reg_of(w[0][0]) : -1;
	l->place = calls[k].object >= 0 ? calls[k].object : mutex;
	l->other = mutex;
	return l->place >= 0 && (k != RC_WAIT || mutex >= 0);
}

static bool read_line(struct rc_line *l, char *text)
{
	char *w[12], *rest = NULL;
	unsigned n = 0;
	*l = (struct rc_line){.reg = -1, .place = -1, .cond = -1, .value.reg = -1, .expected.reg = -1};
	for (char *t = strtok_r(text, " ", &rest); t && n < 12; t = strtok_r(NULL, " ", &rest))
		w[n++] = t;
	if (n > 4 && !strcmp(w[0], "if")) {
		l->cond = reg_of(w[1][0]);
		l->cond_value = atoi(w[3]);
		memmove(w, w + 4, (n - 4) * sizeof *w);
		n -= 4;
	}
	if (n == 2 && !strcmp(w[0], "fence")) {
		l->what = RC_FENCE;
		return order_of(w[1], &l->order);
	}
	if (n == 2 && (!strcmp(w[0], "lock") || !strcmp(w[0], "unlock"))) {
		l->what = w[0][0] == 'l' ? RC_LOCK : RC_UNLOCK;
		return (l->place = place_of(w[1])) >= 0;
	}
	if (n == 2 && (!strcmp(w[0], "create") || !strcmp(w[0], "join"))) {
		l->what = w[0][0] == 'c' ? RC_CREATE : RC_JOIN;
		l->other = atoi(w[1]);
		return true;
	}
	return read_call(l, w, n) || read_access(l, w, n);
}

bool rc_read(struct rc_program *p, const char *text)
{
	char *copy = strdup(text), *of_threads = NULL;
	bool good = true;
	memset(p, 0, sizeof *p);
	for (char *t = strtok_r(copy, "|", &of_threads); t && good; t = strtok_r(NULL, "|", &of_threads)) {
		char *of_lines = NULL;
		good = p->threads < RC_THREADS;
		for (char *l = strtok_r(t, ";", &of_lines); l && good; l = strtok_r(NULL, ";", &of_lines)) {
			struct rc_line *line = &p->line[p->threads][p->length[p->threads]++];
			good = p->length[p->threads] <= RC_LENGTH && read_line(line, l);
			p->futex |= good && line->what == RC_CALL && line->place == RC_FUTEX;
			if (good && line->what == RC_CALL)
				p->calls = true;
			else if (good && line->place >= (int)p->places)
				p->places = (unsigned)line->place + 1;
		}
		p->threads++;
	}
	free(copy);
	return good;
}

static void print_value(struct rc_value v)
{
	if (v.reg < 0)
		printf(" %d", v.constant);
	else if (v.constant)
		printf(" %c+%d", regs[v.reg], v.constant);
	else
		printf(" %c", regs[v.reg]);
}

static void print_call(const struct rc_line *l)
{
	if (l->reg >= 0)
		printf("%c = ", regs[l->reg]);
	printf("%s%s", l->timed ? "timed " : "", calls[l->call].word);
	if (l->call == RC_TRYLOCK || l->call == RC_WAIT)
		printf(" %c", places[l->call == RC_WAIT ? l->other : l->place]);
}

static void print_line(const struct rc_line *l)
{
	if (l->cond >= 0)
		printf("if %c == %d: ", regs[l->cond], l->cond_value);
	if (l->what == RC_CALL) {
		print_call(l);
		return;
	}
	if (l->what == RC_FENCE)
		printf("fence %s", orders[l->order]);
	else if (l->what == RC_LOCK || l->what == RC_UNLOCK)
		printf("%s %c", l->what == RC_LOCK ? "lock" : "unlock", places[l->place]);
	else if (l->what == RC_CREATE || l->what == RC_JOIN)
		printf("%s %d", l->what == RC_CREATE ? "create" : "join", l->other);
	else if (l->what == RC_STORE)
		printf("%c =", places[l->place]);
	else if (l->what == RC_LOAD)
		printf("%c = %c %s", regs[l->reg], places[l->place], orders[l->order]);
	else
		printf("%c = %s %c", regs[l->reg], l->what == RC_CAS ? "cas" : updates[l->update], places[l->place]);
	if (l->what == RC_CAS)
		print_value(l->expected);
	if (l->what != RC_STORE && l->what != RC_UPDATE && l->what != RC_CAS)
		return;
	print_value(l->value);
	printf(" %s", orders[l->order]);
	if (l->what == RC_CAS)
		printf(" %s", orders[l->fail]);
}

void rc_print(const struct rc_program *p)
{
	for (unsigned t = 0; t < p->threads; t++) {
		printf("%s", t ? " | " : "\t");
		for (unsigned i = 0; i < p->length[t]; i++) {
			printf("%s", i ? "; " : "");
			print_line(&p->line[t][i]);
		}
	}
	printf("\n");
}
