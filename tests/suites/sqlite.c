/* Two threads insert through one connection.
 * build: gcc -g -O1 -pthread -o sqlite sqlite.c -lsqlite3
 */
#include "two.h"
#include <sqlite3.h>
static sqlite3 *d;
static void *f(void *a)
{
	char q[64];
	sprintf(q, "insert into t values(%ld)", (long)a);
	int r = sqlite3_exec(d, q, 0, 0, 0);
	assert(r == SQLITE_OK);
	return 0;
}

static int cb(void *p, int n, char **v, char **k)
{
	*(int *)p = atoi(v[0]);
	return 0;
}

int main()
{
	assert(!sqlite3_open_v2(":memory:", &d, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, 0));
	sqlite3_exec(d, "create table t(x)", 0, 0, 0);
	TWO(f);
	int c = 0;
	sqlite3_exec(d, "select count(*) from t", cb, &c, 0);
	assert(c == 2);
	sqlite3_close(d);
}
