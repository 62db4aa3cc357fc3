/* The LRU cache, insert and lookup by two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o leveldb leveldb.cc -lleveldb
 */
#include "two.h"
#include <leveldb/cache.h>
#include <leveldb/env.h>
#include <leveldb/slice.h>
static leveldb::Cache *c;
static void del(const leveldb::Slice &, void *)
{
}

static void *f(void *a)
{
	c->Release(c->Insert("k", a, 1, del));
	leveldb::Cache::Handle *h = c->Lookup("k");
	if (h)
		c->Release(h);
	return 0;
}

int main()
{
	c = leveldb::NewLRUCache(2);
	TWO(f);
	delete c;
}
