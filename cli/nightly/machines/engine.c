#include "cli/nightly/machines/engine.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/printable.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/library.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"

#define OLDEST_SERVER 130000 /* gen_random_uuid without an extension */
#define GIVEN_UP_NS (300 * NS_PER_S)
#define PAUSE_NS (NS_PER_S / 2) /* before the second attempt to connect; doubled each time */
#define LONGEST_PAUSE_NS (30 * NS_PER_S)
#define MOST_PARAMETERS 20

/* The functions of libpq that are used. */
#define LIBPQ(X) \
	X(PQconninfoParse) X(PQconninfoFree) X(PQfreemem) X(PQconnectdbParams) X(PQstatus) X(PQerrorMessage) X(PQserverVersion) X(PQfinish) \
	X(PQexec) X(PQexecParams) X(PQresultStatus) X(PQresultErrorMessage) X(PQresultErrorField) X(PQclear) X(PQntuples) X(PQgetvalue) X(PQgetlength) \
	X(PQgetisnull) X(PQsetNoticeProcessor)

struct engine {
	char *url;
	const char *sslmode; /* unless the URL sets it; NULL: what libpq takes */
	PGconn *connection;
	PGresult *result;
	char why[512];
	bool lost, broken; /* broken: the last statement failed because of the connection */
};

static struct {
	LIBPQ(LIBRARY_POINTER)
} pq;
static const char *const libpq_names[] = {LIBPQ(LIBRARY_NAME) NULL};
static struct library libpq = {.soname = "libpq.so.5", .package = "libpq5", .name = libpq_names, .function = &pq};

/* Copies the first line of a message, without what libpq puts before and after it. */
static void first_line(char *why, size_t size, const char *said)
{
	if (!strncmp(said, "ERROR:  ", 8))
		said += 8;
	text_set(why, size, "%.*s", (int)strcspn(said, "\n"), *said ? said : "no reason given");
	printable_in_place(why, size, PRINTABLE_LINE);
}

static const char *value_of(const PQconninfoOption *list, const char *keyword)
{
	for (; list->keyword; list++)
		if (!strcmp(list->keyword, keyword))
			return list->val;
	return NULL;
}

/* Returns whether all these hosts, separated by commas, are this machine: sockets of it, or addresses of the loopback device. NULL: not given, a socket. */
static bool all_on_this_machine(const char *hosts)
{
	char *copy = xstrdup(hosts ? hosts : ""), *rest = copy, *host;
	bool all = true;
	struct in_addr in;

	while (all && (host = strsep(&rest, ",")))
		all = !*host || *host == '/' || *host == '@' || !strcmp(host, "localhost") || !strcmp(host, "::1") ||
		      (inet_pton(AF_INET, host, &in) == 1 && ntohl(in.s_addr) >> 24 == 127);
	free(copy);
	return all;
}

/* Checks the URL, and decides about TLS. */
static bool read_url(struct engine *e, char *why, size_t size)
{
	char *said = NULL;
	const char *host, *address;
	PQconninfoOption *list;
	bool ok = false;

	if (!strchr(e->url, '=') && strncmp(e->url, "postgresql://", 13) && strncmp(e->url, "postgres://", 11)) {
		text_set(why, size, "not the URL of a database; for example postgresql://user@host/database");
		return false;
	}
	list = pq.PQconninfoParse(e->url, &said);
	if (!list) {
		first_line(why, size, said ? said : "out of memory");
		pq.PQfreemem(said);
		return false;
	}
	host = value_of(list, "host");
	address = value_of(list, "hostaddr");
	if (value_of(list, "password"))
		text_set(why, size, "a password in the URL can be seen by other users; put it into PGPASSWORD or ~/.pgpass");
	else
		ok = true;
	if (!value_of(list, "sslmode") && !getenv("PGSSLMODE") && !value_of(list, "service") && !getenv("PGSERVICE") &&
		!all_on_this_machine(address ? address : host ? host : getenv("PGHOST")))
		e->sslmode = "verify-full";
	pq.PQconninfoFree(list);
	return ok;
}

static void drop_result(struct engine *e)
{
	if (e->result)
		pq.PQclear(e->result);
	e->result = NULL;
}

static void disconnect(struct engine *e)
{
	drop_result(e);
	if (e->connection)
		pq.PQfinish(e->connection);
	e->connection = NULL;
}

static void no_notices(void *arg, const char *message)
{
}

static bool connect_once(struct engine *e)
{
	const char *keyword[] = {"connect_timeout", "sslmode", "dbname", "fallback_application_name", NULL};
	const char *value[] = {"8", e->sslmode, e->url, "simul", NULL}; /* a later one, also one in the URL, replaces an earlier one */

	disconnect(e);
	e->connection = pq.PQconnectdbParams(keyword, value, 1);
	if (!e->connection || pq.PQstatus(e->connection) != CONNECTION_OK) {
		first_line(e->why, sizeof(e->why), e->connection ? pq.PQerrorMessage(e->connection) : "out of memory");
		disconnect(e);
		return false;
	}
	pq.PQsetNoticeProcessor(e->connection, no_notices, NULL);
	return true;
}

struct engine *engine_open(const char *url, char *why, size_t size)
{
	struct engine *e;

	if (!library_load(&libpq, why, size))
		return NULL;
	e = xcalloc(1, sizeof(*e));
	e->url = xstrdup(url);
	if (!read_url(e, why, size)) {
		engine_close(e);
		return NULL;
	}
	if (!connect_once(e)) {
		text_set(why, size, "%s", e->why);
	} else if (pq.PQserverVersion(e->connection) < OLDEST_SERVER) {
		text_set(why, size, "the server is PostgreSQL %d; 13 or later is needed", pq.PQserverVersion(e->connection) / 10000);
		disconnect(e);
	}
	if (!e->connection) {
		engine_close(e);
		return NULL;
	}
	return e;
}

void engine_close(struct engine *e)
{
	if (!e)
		return;
	disconnect(e);
	free(e->url);
	free(e);
}

const char *engine_why(const struct engine *e)
{
	return e->why;
}

bool engine_is_lost(const struct engine *e)
{
	return e->lost;
}

/* ---- statements ---- */

/* Returns whether the statement may succeed on another connection: the server is shutting down or starting, has no memory or disk space, or
   the transaction was in conflict with another one. Classes of SQLSTATE: 08 connection, 40 rollback, 53 resources, 57P server. */
static bool may_succeed_later(const struct engine *e)
{
	const char *state = e->result ? pq.PQresultErrorField(e->result, PG_DIAG_SQLSTATE) : NULL;

	if (pq.PQstatus(e->connection) != CONNECTION_OK || !state)
		return true;
	return !strncmp(state, "08", 2) || !strncmp(state, "40", 2) || !strncmp(state, "53", 2) || !strncmp(state, "57P", 3);
}

/* Takes the result of a statement, NULL if there is none. Returns whether the statement succeeded. */
static bool take_result(struct engine *e, PGresult *result)
{
	ExecStatusType status = result ? pq.PQresultStatus(result) : PGRES_FATAL_ERROR;

	e->result = result;
	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
		return true;
	e->broken = may_succeed_later(e);
	first_line(e->why, sizeof(e->why), result ? pq.PQresultErrorMessage(result) : pq.PQerrorMessage(e->connection));
	drop_result(e);
	return false;
}

static bool query(struct engine *e, const char *sql, const struct engine_value *value, int n, int binary)
{
	const char *data[MOST_PARAMETERS];
	int length[MOST_PARAMETERS], format[MOST_PARAMETERS];

	INVARIANT(n <= MOST_PARAMETERS, "%d parameters", n);
	drop_result(e);
	for (int i = 0; i < n; i++) {
		data[i] = value[i].data;
		length[i] = (int)value[i].size;
		format[i] = value[i].binary;
	}
	return take_result(e, pq.PQexecParams(e->connection, sql, n, NULL, data, length, format, binary));
}

bool engine_script(struct engine *e, const char *sql)
{
	drop_result(e);
	return take_result(e, pq.PQexec(e->connection, sql));
}

bool engine_query(struct engine *e, const char *sql, const struct engine_value *value, int n)
{
	return query(e, sql, value, n, 0);
}

bool engine_query_binary(struct engine *e, const char *sql, const struct engine_value *value, int n)
{
	return query(e, sql, value, n, 1);
}

int engine_rows(const struct engine *e)
{
	return e->result ? pq.PQntuples(e->result) : 0;
}

struct engine_value engine_field(const struct engine *e, int row, int column)
{
	if (pq.PQgetisnull(e->result, row, column))
		return (struct engine_value){.data = NULL};
	return (struct engine_value){pq.PQgetvalue(e->result, row, column), (size_t)pq.PQgetlength(e->result, row, column), false};
}

long engine_number(const struct engine *e, int row, int column)
{
	struct engine_value v = engine_field(e, row, column);

	return v.data ? strtol(v.data, NULL, 10) : 0;
}

bool engine_true(const struct engine *e, int row, int column)
{
	struct engine_value v = engine_field(e, row, column);

	return v.data && v.data[0] == 't';
}

struct engine_value engine_text(const char *text)
{
	return (struct engine_value){text, text ? strlen(text) : 0, false};
}

struct engine_value engine_bytes(const void *data, size_t size)
{
	return (struct engine_value){size ? data : "", size, true};
}

/* ---- transactions ---- */

#define BEGIN "BEGIN"
#define BEGIN_READING "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"

/* Connects if there is no connection, and begins. */
static bool begin_once(struct engine *e, const char *begin)
{
	e->broken = false;
	if (!e->connection) {
		e->broken = true;
		if (!connect_once(e))
			return false;
		e->broken = false;
	}
	if (query(e, begin, NULL, 0, 0))
		return true;
	if (e->broken)
		disconnect(e);
	return false;
}

void engine_rollback(struct engine *e)
{
	char why[sizeof(e->why)];

	if (e->broken || !e->connection) {
		disconnect(e);
		return;
	}
	memcpy(why, e->why, sizeof(why));
	if (!query(e, "ROLLBACK", NULL, 0, 0))
		disconnect(e);
	e->broken = false;
	memcpy(e->why, why, sizeof(why));
}

bool engine_commit(struct engine *e)
{
	if (query(e, "COMMIT", NULL, 0, 0))
		return true;
	engine_rollback(e);
	return false;
}

static bool attempt(struct engine *e, const char *begin, bool (*work)(struct engine *e, void *arg), void *arg)
{
	bool broken;

	if (!begin_once(e, begin))
		return false;
	if (!work || work(e, arg)) {
		if (!work || query(e, "COMMIT", NULL, 0, 0))
			return true;
	}
	broken = e->broken;
	engine_rollback(e);
	e->broken = broken;
	return false;
}

/* Waits, but not longer than until the user interrupts. */
static void pause_for(uint64_t ns)
{
	uint64_t until = wall_clock_ns() + ns;
	struct timespec step = {.tv_nsec = 50000000};

	while (!interrupt_count() && wall_clock_ns() < until)
		nanosleep(&step, NULL);
}

static bool persist(struct engine *e, const char *begin, bool (*work)(struct engine *e, void *arg), void *arg)
{
	uint64_t begun = wall_clock_ns(), wait = PAUSE_NS;
	bool said = false, interrupted = interrupt_count() > 0;

	while (!e->lost) {
		if (attempt(e, begin, work, arg)) {
			if (said)
				say("--search: the connection is back");
			return true;
		}
		if (!e->broken)
			return false;
		if (wall_clock_ns() - begun > GIVEN_UP_NS || interrupted || interrupt_count()) {
			e->lost = true;
			say("--search: given up: %s", e->why);
			return false;
		}
		if (!said)
			say("--search: %s; trying again for %d minutes", e->why, (int)(GIVEN_UP_NS / NS_PER_S / 60));
		said = true;
		pause_for(wait);
		wait = wait * 2 < LONGEST_PAUSE_NS ? wait * 2 : LONGEST_PAUSE_NS;
	}
	return false;
}

bool engine_do(struct engine *e, bool (*work)(struct engine *e, void *arg), void *arg)
{
	return persist(e, BEGIN, work, arg);
}

bool engine_read(struct engine *e, bool (*work)(struct engine *e, void *arg), void *arg)
{
	return persist(e, BEGIN_READING, work, arg);
}

bool engine_begin(struct engine *e)
{
	return persist(e, BEGIN, NULL, NULL);
}

/* ---- schemas ---- */

struct schema {
	const char *name, *sql;
	long version;
};

/* Two machines may try at the same time: the lock makes one wait. */
static bool make_schema(struct engine *e, void *arg)
{
	struct schema *s = arg;
	struct engine_value name = engine_text(s->name);
	char text[128];

	if (!engine_query(e, "SELECT pg_advisory_xact_lock(7307199786210522733)", NULL, 0) ||
		!engine_query(e, "SELECT to_regnamespace($1) IS NOT NULL", &name, 1) || (!engine_true(e, 0, 0) && !engine_script(e, s->sql)))
		return false;
	text_set(text, sizeof(text), "SELECT %s.layout_version()", s->name);
	if (!engine_query(e, text, NULL, 0))
		return false;
	s->version = engine_number(e, 0, 0);
	return true;
}

bool engine_schema(struct engine *e, const char *name, const char *sql, long *version)
{
	struct schema s = {.name = name, .sql = sql};
	bool ok = engine_do(e, make_schema, &s);

	*version = s.version;
	return ok;
}
