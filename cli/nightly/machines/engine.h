/*
 * A connection to PostgreSQL, through libpq. libpq is loaded when the first connection is opened, so simul does not need it otherwise.
 *
 * All work is done in transactions. When the connection breaks, engine_do connects again and repeats the transaction, so a transaction must
 * have the same effect when it is applied twice.
 */
#ifndef SIMUL_MACHINES_ENGINE_H
#define SIMUL_MACHINES_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

struct engine;

/* A parameter of a statement, or a field of a row. data NULL: SQL's null. Text is terminated; `size` counts without the zero byte. */
struct engine_value {
	const char *data;
	size_t size;
	bool binary; /* a parameter of type bytea */
};

/*
 * Connects to the database of a URL (postgresql://...) or of a connection string of libpq. Passwords come from where libpq takes them
 * (PGPASSWORD, ~/.pgpass, a service file), never from the URL, which other users can see in the list of processes. Unless the URL or
 * PGSSLMODE says otherwise, a server on another machine needs a certificate that names it (sslmode=verify-full).
 * NULL: `why` has the reason, one line.
 */
struct engine *engine_open(const char *url, char *why, size_t size);
void engine_close(struct engine *e);

/*
 * A transaction in steps. engine_begin connects again if the connection is lost; it waits for five minutes at most. After a failed statement
 * engine_rollback must follow. engine_commit: false: the transaction was not stored, or the connection broke, and it is not known.
 */
bool engine_begin(struct engine *e);
bool engine_commit(struct engine *e);
void engine_rollback(struct engine *e);

/* Runs the script `sql` in a transaction if the schema is missing. *version: what the schema's layout_version() returns. */
bool engine_schema(struct engine *e, const char *schema, const char *sql, long *version);

/* Runs `work` in a transaction. false: it failed, or there was no connection for five minutes, or the user interrupted; engine_why has the
   reason. `work` returns false after a failed statement. */
bool engine_do(struct engine *e, bool (*work)(struct engine *e, void *arg), void *arg);
/* Like engine_do for work that only reads: all its statements see the database as it was at the first one, whatever others store meanwhile. */
bool engine_read(struct engine *e, bool (*work)(struct engine *e, void *arg), void *arg);
/* Returns the reason of the last failure: one line. Valid until the next call. */
const char *engine_why(const struct engine *e);
/* Returns whether the connection was given up. Then engine_do fails at once. */
bool engine_is_lost(const struct engine *e);

/* Runs one statement with parameters $1 to $n, inside `work`. Its rows are valid until the next statement. false: it failed. */
bool engine_query(struct engine *e, const char *sql, const struct engine_value *value, int n);
/* Like engine_query; the fields of the rows are binary: bytes of bytea, and texts as they are. */
bool engine_query_binary(struct engine *e, const char *sql, const struct engine_value *value, int n);
/* Runs several statements without parameters. */
bool engine_script(struct engine *e, const char *sql);
int engine_rows(const struct engine *e);
struct engine_value engine_field(const struct engine *e, int row, int column);
/* Fields as numbers and booleans; null: 0. Not after engine_query_binary. */
long engine_number(const struct engine *e, int row, int column);
bool engine_true(const struct engine *e, int row, int column);

/* Return the parameter for a text; NULL: null. */
struct engine_value engine_text(const char *text);
struct engine_value engine_bytes(const void *data, size_t size);

#endif
