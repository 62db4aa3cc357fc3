/* Two threads, a write transaction each.
 * build: gcc -g -O1 -pthread -o lmdb lmdb.c -llmdb
 */
#include "two.h"
#include <lmdb.h>
static MDB_env *e;
static MDB_dbi d;
static void *f(void *a)
{
	MDB_txn *t;
	assert(!mdb_txn_begin(e, 0, 0, &t));
	long k = (long)a;
	MDB_val K = {8, &k}, V = {8, &k};
	assert(!mdb_put(t, d, &K, &V, 0));
	assert(!mdb_txn_commit(t));
	return 0;
}

int main()
{
	char x[] = "/tmp/lmdb-XXXXXX";
	mkdtemp(x);
	assert(!mdb_env_create(&e));
	assert(!mdb_env_open(e, x, MDB_NOSYNC, 0600));
	MDB_txn *t;
	mdb_txn_begin(e, 0, 0, &t);
	assert(!mdb_dbi_open(t, 0, 0, &d));
	mdb_txn_commit(t);
	TWO(f);
	MDB_stat s;
	mdb_env_stat(e, &s);
	assert(s.ms_entries == 2);
	mdb_env_close(e);
}
