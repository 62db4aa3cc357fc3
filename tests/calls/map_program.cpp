/*
 * map_program FD DIRECTORY OPERATIONS...: a thread for each argument, in which each letter is an operation on a map with the keys 0 (lower case) and 1 (upper case). The
 * outcome is a line that is written to FD. i inserts, a changes what is there, and both do so with an accessor that locks the entry. f reads it with one that others may have at
 * the same time. e erases the key, and x what an accessor refers to. MAP_KIND is TBB: tbb::concurrent_hash_map. Or LOCKED: a pthread mutex makes each operation one step, and a
 * thread waits at a condition variable while another one has the entry.
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/lib/letters.h"

#define LOCKED 1
#define TBB 2

#if MAP_KIND == TBB
#include <tbb/concurrent_hash_map.h>

using map = tbb::concurrent_hash_map<int, int, tbb::tbb_hash_compare<int>, std::allocator<std::pair<const int, int>>>;
static map words;

static char change(long t, int key, bool insert)
{
	map::accessor entry;
	bool fresh = false;

	if (insert)
		fresh = words.insert(entry, key);
	else if (!words.find(entry, key))
		return '-';
	entry->second = 3 * entry->second + (int)t + 1;
	return fresh ? '+' : (char)('a' + entry->second % 26);
}

static char find(int key)
{
	map::const_accessor entry;

	return words.find(entry, key) ? (char)('a' + entry->second % 26) : '-';
}

static char erase(int key)
{
	return words.erase(key) ? '+' : '-';
}

static char exclude(int key)
{
	map::accessor entry;

	if (!words.find(entry, key))
		return '-';
	entry->second++;
	return words.erase(entry) ? '+' : '*';
}
#else
struct entry {
	int value, readers;
	bool locked;
};

static pthread_mutex_t one_step = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct entry *words[2];

static void release(struct entry *e, bool writer)
{
	pthread_mutex_lock(&one_step);
	if (writer)
		e->locked = false;
	else
		e->readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&one_step);
}

/* Returns the entry, locked; NULL if there is none. */
static struct entry *acquire(int key, bool writer, bool insert, bool *fresh)
{
	struct entry *e;

	pthread_mutex_lock(&one_step);
	while ((e = words[key]) && (e->locked || (writer && e->readers)))
		pthread_cond_wait(&changed, &one_step);
	*fresh = !e && insert;
	if (*fresh)
		e = words[key] = (struct entry *)calloc(1, sizeof(*e));
	if (e && writer)
		e->locked = true;
	else if (e)
		e->readers++;
	pthread_mutex_unlock(&one_step);
	return e;
}

static char change(long t, int key, bool insert)
{
	bool fresh;
	struct entry *e = acquire(key, true, insert, &fresh);

	if (!e)
		return '-';
	e->value = 3 * e->value + (int)t + 1;
	char result = fresh ? '+' : (char)('a' + e->value % 26);
	release(e, true);
	return result;
}

static char find(int key)
{
	bool fresh;
	struct entry *e = acquire(key, false, false, &fresh);

	if (!e)
		return '-';
	char result = (char)('a' + e->value % 26);
	release(e, false);
	return result;
}

static char erase(int key)
{
	pthread_mutex_lock(&one_step);
	struct entry *e = words[key];
	words[key] = NULL;
	while (e && (e->locked || e->readers))
		pthread_cond_wait(&changed, &one_step);
	free(e);
	pthread_mutex_unlock(&one_step);
	return e ? '+' : '-';
}

static char exclude(int key)
{
	bool fresh, found;
	struct entry *e = acquire(key, true, false, &fresh);

	if (!e)
		return '-';
	e->value++;
	pthread_mutex_lock(&one_step);
	found = words[key] == e;
	if (found)
		words[key] = NULL;
	e->locked = false;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&one_step);
	return found ? '+' : '*';
}
#endif

static char operate(long t, char c)
{
	int key = c < 'a';

	switch (c | ('a' - 'A')) {
	case 'i':
		return change(t, key, true);
	case 'a':
		return change(t, key, false);
	case 'f':
		return find(key);
	case 'e':
		return erase(key);
	case 'x':
		return exclude(key);
	}
	return '.';
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	return !run_threads(argv + 3, argc - 3) ? 2 : put_outcome(atoi(argv[1]), find(0), find(1));
}
