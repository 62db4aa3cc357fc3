/*
 * Double-checked locking (Schmidt and Harrison, 1996; "The double-checked locking is broken declaration", 2000). A thread that
 * finds the instance uses it without the lock. If its fields can reach memory after the pointer, the thread uses an incomplete instance.
 */
#include "weak.h"

#ifndef FIELDS
#define FIELDS 7
#endif

struct singleton {
	shared field[FIELDS];
};
static struct singleton storage;
static _Atomic(struct singleton *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct singleton *get_instance(void)
{
	struct singleton *s = LD(instance);

	if (s)
		return s;
	pthread_mutex_lock(&lock);
	s = LD(instance);
	if (!s) {
		s = &storage;
		for (int i = 0; i < FIELDS; i++)
			ST(s->field[i], i + 1);
		pso_fence();
		ST(instance, s);
	}
	pthread_mutex_unlock(&lock);
	return s;
}

T(user)
{
	struct singleton *s = get_instance();

	for (int i = 0; i < FIELDS; i++)
		assert(LD(s->field[i]) == i + 1);
	return NULL;
}

int main(void)
{
	run2(user, user);
	return 0;
}
