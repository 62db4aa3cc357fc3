/* For the litmus programs: main starts the threads, joins them in order and touches nothing else that is shared. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define T(name) static void *name(void *arg)
#define CHECK(call)                                                                                \
	do {                                                                                       \
		if ((call) != 0)                                                                   \
			_Exit(99);                                                                 \
	} while (0)

static inline void run_all(void *(*const *body)(void *), int n)
{
	pthread_t t[8];

	for (int i = 0; i < n; i++)
		CHECK(pthread_create(&t[i], NULL, body[i], NULL));
	for (int i = 0; i < n; i++)
		CHECK(pthread_join(t[i], NULL));
}
#define RUN(...)                                                                                   \
	do {                                                                                       \
		void *(*const bodies_[])(void *) = { __VA_ARGS__ };                                \
		run_all(bodies_, sizeof bodies_ / sizeof bodies_[0]);                              \
	} while (0)
