#include "cli/nightly/machines/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cli/base/say.h"

#define NUMBER 24

static struct engine_value name_of(const char id[UUID])
{
	return engine_text(*id ? id : NULL);
}

static void take_name(char to[UUID], struct engine_value v)
{
	uuid_take(to, v.data, v.size);
}

static void take_text(char *to, size_t size, struct engine_value v)
{
	text_set(to, size, "%.*s", (int)(v.size < size ? v.size : size - 1), v.data ? v.data : "");
	printable_in_place(to, size, PRINTABLE_LINE);
}

static bool says(struct engine_value v, const char *text)
{
	return v.data && v.size == strlen(text) && !memcmp(v.data, text, v.size);
}

static enum store_state state_of(struct engine_value v)
{
	return says(v, "shared") ? STORE_SHARED : says(v, "single") ? STORE_SINGLE : says(v, "over") ? STORE_OVER : STORE_ALONE;
}

/* bigint of SQL has a sign. */
static long long bigint(uint64_t n)
{
	return n < INT64_MAX ? (long long)n : INT64_MAX;
}

/* A count; null and what is below 0: 0. */
static uint64_t count_at(const struct engine *e, int row, int column)
{
	long n = engine_number(e, row, column);

	return n > 0 ? (uint64_t)n : 0;
}

static char *copy_of(struct engine_value v)
{
	char *copy = v.data ? xcalloc(v.size + 1, 1) : NULL;

	if (copy)
		memcpy(copy, v.data, v.size);
	return copy;
}

/* ---- whole transactions ---- */

struct entering {
	struct store *s;
	const struct store_wish *wish;
	struct store_entry *out;
};

static bool enter(struct engine *e, void *arg)
{
	struct entering *x = arg;
	const struct store_wish *wish = x->wish;
	struct engine_value v[] = {engine_text(wish->digest), engine_bytes(wish->identity->text, wish->identity->size), engine_text(x->s->self),
		engine_bytes(wish->command->text, wish->command->size), engine_text(wish->to_first_bug ? "true" : "false"), {NULL, 0, false}, {NULL, 0, false}};
	struct store_entry *out = x->out;
	struct engine_value identity;
	char seconds[NUMBER], most[NUMBER];

	text_set(seconds, sizeof(seconds), "%.3f", (double)wish->time_ns / (double)NS_PER_S);
	if (wish->time_ns)
		v[5] = engine_text(seconds);
	text_set(most, sizeof(most), "%lld", bigint(wish->executions));
	if (wish->executions)
		v[6] = engine_text(most);
	if (!engine_query_binary(e, "SELECT id::text, generation::text, state, reason, mine::text, identity, maps FROM "
		"simul_search.enter_search($1, $2, $3, $4, $5, $6, $7)", v, 7) || engine_rows(e) != 1)
		return false;
	take_name(x->s->search, engine_field(e, 0, 0));
	take_name(x->s->generation, engine_field(e, 0, 1));
	out->state = state_of(engine_field(e, 0, 2));
	take_text(out->reason, sizeof(out->reason), engine_field(e, 0, 3));
	out->mine = says(engine_field(e, 0, 4), "true");
	identity = engine_field(e, 0, 5);
	free(out->identity);
	free(out->maps);
	out->identity = copy_of(identity);
	out->identity_size = identity.size;
	out->maps = copy_of(engine_field(e, 0, 6));
	return true;
}

bool store_enter(struct store *s, const struct store_wish *wish, struct store_entry *out)
{
	struct entering x = {s, wish, out};

	s->slot[0] = s->commit[0] = 0;
	s->version = 0;
	return engine_do(s->engine, enter, &x);
}

struct looking {
	struct store *s;
	struct store_view *out;
};

static bool look(struct engine *e, void *arg)
{
	struct looking *x = arg;
	const struct store *s = x->s;
	const struct engine_value v[] = {name_of(s->search), name_of(s->generation), name_of(s->self), name_of(s->slot), name_of(s->token)};

	if (!engine_query(e, "SELECT valid, state, reason, stop, version, spare, others, others_blocked FROM simul_search.look($1, $2, $3, $4, $5)",
		v, 5) || engine_rows(e) != 1)
		return false;
	x->out->valid = engine_true(e, 0, 0);
	x->out->state = state_of(engine_field(e, 0, 1));
	take_text(x->out->reason, sizeof(x->out->reason), engine_field(e, 0, 2));
	x->out->stop = engine_true(e, 0, 3);
	x->out->version = engine_number(e, 0, 4);
	x->out->spare = engine_true(e, 0, 5);
	x->out->others = count_at(e, 0, 6);
	x->out->others_blocked = count_at(e, 0, 7);
	return true;
}

bool store_look(struct store *s, struct store_view *out)
{
	struct looking x = {s, out};

	return engine_do(s->engine, look, &x);
}

struct restarting {
	struct store *s;
	const char *why;
	bool done;
};

static bool begin_again(struct engine *e, void *arg)
{
	struct restarting *x = arg;
	struct store *s = x->s;
	const struct engine_value v[] = {name_of(s->search), name_of(s->generation), name_of(s->slot), name_of(s->token), name_of(s->self),
		engine_text(x->why)};

	if (!engine_query(e, "SELECT simul_search.begin_again($1, $2, $3, $4, $5, $6)", v, 6) || engine_rows(e) != 1)
		return false;
	x->done = engine_field(e, 0, 0).data;
	if (x->done)
		take_name(s->generation, engine_field(e, 0, 0));
	return true;
}

bool store_begin_again(struct store *s, const char *why)
{
	struct restarting x = {s, why, false};

	if (!engine_do(s->engine, begin_again, &x) || !x.done)
		return false;
	s->slot[0] = s->commit[0] = 0;
	s->version = 0;
	return true;
}

struct storing_bug {
	struct store *s;
	const char *signature;
	struct engine_value data;
	bool stop;
};

static bool put_bug(struct engine *e, void *arg)
{
	struct storing_bug *x = arg;
	const struct engine_value v[] = {name_of(x->s->search), engine_text(x->signature), x->data, engine_text(x->stop ? "true" : "false")};

	return engine_query(e, "SELECT simul_search.store_bug($1, $2, $3, $4)", v, 4);
}

bool store_bug(struct store *s, const char *signature, const void *data, size_t size, bool stop)
{
	struct storing_bug x = {s, signature, engine_bytes(data, size), stop};

	return engine_do(s->engine, put_bug, &x);
}

static bool leave(struct engine *e, void *arg)
{
	const struct store *s = arg;
	const struct engine_value v[] = {name_of(s->slot), name_of(s->token)};

	return engine_query(e, "SELECT simul_search.leave_slot($1, $2)", v, 2);
}

void store_leave(struct store *s)
{
	if (s->slot[0])
		engine_do(s->engine, leave, s);
}

struct sampling {
	struct store *s;
	struct engine_value data;
	unsigned most;
	size_t most_bytes;
	struct store_sample *sample;
	size_t n;
};

static bool put_sample(struct engine *e, void *arg)
{
	struct sampling *x = arg;
	char most[NUMBER];
	const struct engine_value v[] = {name_of(x->s->search), name_of(x->s->slot), name_of(x->s->token), x->data, engine_text(most)};

	text_set(most, sizeof(most), "%u", x->most);
	return engine_query(e, "SELECT simul_search.store_sample($1, $2, $3, $4, $5)", v, 5);
}

bool store_sample(struct store *s, const void *data, size_t size, unsigned most)
{
	struct sampling x = {.s = s, .data = engine_bytes(data, size), .most = most};

	return engine_do(s->engine, put_sample, &x);
}

static void forget_samples(struct sampling *x)
{
	for (size_t i = 0; i < x->n; i++)
		free(x->sample[i].data);
	free(x->sample);
	x->sample = NULL;
	x->n = 0;
}

static bool get_samples(struct engine *e, void *arg)
{
	struct sampling *x = arg;
	char most[NUMBER], bytes[NUMBER];
	const struct engine_value v[] = {name_of(x->s->search), engine_text(most), engine_text(bytes)};

	forget_samples(x); /* of an earlier attempt */
	text_set(most, sizeof(most), "%u", x->most);
	text_set(bytes, sizeof(bytes), "%zu", x->most_bytes);
	if (!engine_query_binary(e,
		    "SELECT CASE WHEN length(data) <= $3 THEN data ELSE '' END FROM simul_search.samples_of($1) "
		    "LIMIT $2",
		    v, 3))
		return false;
	for (int i = 0; i < engine_rows(e); i++) {
		struct engine_value data = engine_field(e, i, 0);

		x->sample = xgrow(x->sample, x->n, sizeof(*x->sample));
		x->sample[x->n++] = (struct store_sample){copy_of(data), data.size};
	}
	return true;
}

bool store_samples(struct store *s, unsigned most, size_t most_bytes, struct store_sample **sample, size_t *n)
{
	struct sampling x = {.s = s, .most = most, .most_bytes = most_bytes};
	bool ok = engine_do(s->engine, get_samples, &x);

	if (!ok)
		forget_samples(&x);
	*sample = x.sample;
	*n = x.n;
	return ok;
}

struct reserving {
	struct store *s;
	uint64_t most, *may;
	bool *over, valid;
};

static bool reserve(struct engine *e, void *arg)
{
	struct reserving *x = arg;
	char most[NUMBER];
	const struct engine_value v[] = {name_of(x->s->search), name_of(x->s->slot), name_of(x->s->token), engine_text(most)};

	text_set(most, sizeof(most), "%lld", bigint(x->most));
	if (!engine_query(e, "SELECT may, over FROM simul_search.reserve($1, $2, $3, $4)", v, 4) || engine_rows(e) != 1)
		return false;
	x->valid = engine_field(e, 0, 0).data;
	*x->may = count_at(e, 0, 0);
	*x->over = engine_true(e, 0, 1);
	return true;
}

bool store_reserve(struct store *s, uint64_t most, uint64_t *may, bool *over)
{
	struct reserving x = {s, most, may, over, false};

	return engine_do(s->engine, reserve, &x) && x.valid;
}

/* ---- inside a transaction ---- */

bool store_lock(struct store *s, bool *ok)
{
	const struct engine_value v[] = {name_of(s->search), name_of(s->generation), name_of(s->slot), name_of(s->token), name_of(s->commit)};

	if (!engine_query(s->engine, "SELECT outcome, version, latest FROM simul_search.lock_search($1, $2, $3, $4, $5)", v, 5) || engine_rows(s->engine) != 1)
		return false;
	s->latest_version = engine_number(s->engine, 0, 1);
	take_name(s->latest, engine_field(s->engine, 0, 2));
	*ok = s->locked = says(engine_field(s->engine, 0, 0), "ok");
	return true;
}

static uint64_t big_endian(struct engine_value v)
{
	uint64_t n = 0;

	for (size_t i = 0; i < v.size && i < sizeof(n); i++)
		n = n << 8 | (unsigned char)v.data[i];
	return n;
}

static bool read_latest(struct store *s)
{
	const struct engine_value v[] = {name_of(s->search)};

	if (!engine_query(s->engine, "SELECT commit_id, version FROM simul_search.latest($1)", v, 1) || engine_rows(s->engine) != 1)
		return false;
	take_name(s->latest, engine_field(s->engine, 0, 0));
	s->latest_version = engine_number(s->engine, 0, 1);
	return true;
}

bool store_fetch(struct store *s, struct replica *r, bool *clash)
{
	char text[NUMBER];
	long version;
	struct engine_value v[] = {name_of(s->search), {NULL, 0, false}};
	struct replica_pages own;

	*clash = false;
	snprintf(text, sizeof(text), "%ld", s->version);
	v[1] = engine_text(text);
	if (!s->locked && !read_latest(s))
		return false;
	s->locked = false;
	memcpy(s->commit, s->latest, sizeof(s->commit));
	version = s->latest_version;
	if (version == s->version)
		return true;
	if (!engine_query_binary(s->engine, "SELECT page, data FROM simul_search.pages_since($1, $2)", v, 2))
		return false;
	replica_changed(r, true, &own);
	*clash = own.n != 0;
	replica_free(&own);
	for (int i = 0; !*clash && i < engine_rows(s->engine); i++) {
		struct engine_value data = engine_field(s->engine, i, 1);

		*clash = !replica_put(r, true, big_endian(engine_field(s->engine, i, 0)), data.data, data.size);
	}
	s->version = version;
	return true;
}

/* Runs take_slot or new_slot. The slot is empty if there is none. */
static bool get_slot(struct store *s, const char *sql)
{
	char process[NUMBER];
	const struct engine_value v[] = {name_of(s->search), name_of(s->token), engine_text(s->machine),
		engine_text(process)};

	text_set(process, sizeof(process), "%d", s->process);
	if (!engine_query(s->engine, sql, v, 4) || engine_rows(s->engine) != 1)
		return false;
	take_name(s->slot, engine_field(s->engine, 0, 0));
	memcpy(s->slot_commit, s->token, sizeof(s->slot_commit));
	return true;
}

bool store_take_slot(struct store *s)
{
	return get_slot(s, "SELECT simul_search.take_slot($1, $2, $3, $4)");
}

bool store_new_slot(struct store *s)
{
	return get_slot(s, "SELECT simul_search.new_slot($1, $2, $3, $4)");
}

bool store_read_slot(struct store *s, const char *slot, struct replica *r, bool *ok)
{
	const struct engine_value v[] = {engine_text(slot)};

	if (!engine_query_binary(s->engine, "SELECT page, data, pages FROM simul_search.slot_pages($1)", v, 1))
		return false;
	*ok = engine_rows(s->engine) > 0 && (uint64_t)engine_rows(s->engine) == big_endian(engine_field(s->engine, 0, 2));
	r->damaged |= !*ok;
	for (int i = 0; *ok && i < engine_rows(s->engine); i++) {
		struct engine_value data = engine_field(s->engine, i, 1);

		*ok = replica_put(r, false, big_endian(engine_field(s->engine, i, 0)), data.data, data.size);
	}
	return true;
}

bool store_slots(struct store *s, char (**slot)[UUID], size_t *n)
{
	const struct engine_value v[] = {name_of(s->search)};

	*slot = NULL;
	*n = 0;
	if (!engine_query(s->engine, "SELECT id FROM simul_search.slots_of($1)", v, 1))
		return false;
	for (int i = 0; i < engine_rows(s->engine); i++) {
		*slot = xgrow(*slot, *n, sizeof(**slot));
		take_name((*slot)[(*n)++], engine_field(s->engine, i, 0));
	}
	return true;
}

static bool publish(struct store *s, const char *sql, const struct identity *id, const char *maps, bool *ok)
{
	const struct engine_value v[] = {name_of(s->search), name_of(s->generation), name_of(s->self), engine_bytes(id->text, id->size),
		engine_text(maps)};

	if (!engine_query(s->engine, sql, v, 5) || engine_rows(s->engine) != 1)
		return false;
	*ok = engine_true(s->engine, 0, 0);
	return true;
}

bool store_publish(struct store *s, const struct identity *id, const char *maps, bool *ok)
{
	return publish(s, "SELECT simul_search.publish($1, $2, $3, $4, $5)", id, maps, ok);
}

bool store_leave_alone(struct store *s, const struct identity *id, const char *maps, bool *ok)
{
	return publish(s, "SELECT simul_search.leave_alone($1, $2, $3, $4, $5)", id, maps, ok);
}

bool store_put(struct store *s, const struct replica_pages *shared, const struct replica_pages *own,
	const struct store_slot_facts *facts)
{
	const struct engine_value null = {NULL, 0, false};
	const struct explore_stats *stats = facts->stats;
	char commit[UUID], executions[NUMBER], blocked[NUMBER], reserved[NUMBER], open[NUMBER], estimate[4 * NUMBER];

	text_set(executions, sizeof(executions), "%lld", bigint(stats->executions));
	text_set(blocked, sizeof(blocked), "%lld", bigint(stats->blocked));
	text_set(reserved, sizeof(reserved), "%lld", bigint(facts->may));
	text_set(open, sizeof(open), "%ld", facts->open);
	text_set(estimate, sizeof(estimate), "{%lld,%lld,%lld}", bigint(stats->estimate), bigint(stats->estimate_low),
		bigint(stats->estimate_high));
	uuid_random(s->slot_next);
	uuid_random(commit);
	const struct engine_value v[] = {
		name_of(s->search),
		name_of(s->generation),
		shared ? engine_text(commit) : null,
		shared && facts->open >= 0 ? engine_text(open) : null,
		shared ? engine_text(shared->numbers) : null,
		shared ? engine_bytes(shared->rows, shared->n * REPLICA_ROW) : null,
		name_of(s->slot),
		name_of(s->token),
		name_of(s->slot_commit),
		engine_text(s->slot_next),
		name_of(s->commit),
		engine_text(own->numbers),
		engine_bytes(own->rows, own->n * REPLICA_ROW),
		engine_text(executions),
		engine_text(blocked),
		engine_text(reserved),
		stats->estimate && facts->works ? engine_text(estimate) : null,
		engine_text(facts->works ? "true" : "false"),
		engine_text(facts->keep ? "true" : "false"),
	};

	if (!engine_query(s->engine,
		    "SELECT simul_search.store_both($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
		    "$15, $16, $17, $18, $19)",
		    v, 19) ||
		engine_rows(s->engine) != 1)
		return false;
	if (shared) {
		s->version = engine_number(s->engine, 0, 0);
		memcpy(s->commit, commit, sizeof(commit));
	}
	return true;
}

void store_slot_is_stored(struct store *s)
{
	memcpy(s->slot_commit, s->slot_next, sizeof(s->slot_commit));
}

bool store_finish(struct store *s)
{
	const struct engine_value v[] = {name_of(s->search), name_of(s->generation)};

	return engine_query(s->engine, "SELECT simul_search.finish($1, $2)", v, 2);
}
