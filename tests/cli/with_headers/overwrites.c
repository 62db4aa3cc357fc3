/* A failing program that has written over simul's memory: what it left about stores and drain agents makes no sense. The argument
   chooses what. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/session.h"
#include "sched/event.h"

static atomic_int x, y;
static int a, b;

static void *one(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *two(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

static struct session *session(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long at = 0;
	char line[600];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "simul-session") && sscanf(line, "%lx", &at) == 1)
			return (struct session *)at;
	exit(3);
}

/* The same memory at another address, where simul does not expect it: else the write itself is a failure. */
static struct session *elsewhere(const struct session *s)
{
	const char *fd = getenv(SESSION_ENV);
	void *p = fd ? mmap(NULL, s->layout.size, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd), 0) : MAP_FAILED;

	if (p == MAP_FAILED || (s->layout.common_size && /* names are those of all workers */
		mmap((char *)p + s->layout.names_off, s->layout.names_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			s->config.common_fd, (off_t)s->layout.common_names) == MAP_FAILED))
		exit(4);
	return p;
}

static struct event *find(struct session *s, int kind)
{
	struct event *e = (struct event *)((char *)s + s->layout.events_off);

	while (e->kind != kind)
		e++;
	return e;
}

static void overwrite(struct session *s, int what)
{
	struct thread_names *names = (struct thread_names *)((char *)s + s->layout.names_off);

	switch (what) {
	case 0: /* an agent that there is not */
		find(s, EV_UPDATE)->thread = MAX_IDS - 1;
		break;
	case 1: /* a thread as an agent */
		find(s, EV_UPDATE)->thread = 1;
		break;
	case 2: /* the store of another thread */
		find(s, EV_UPDATE)->result = 0;
		break;
	case 3: /* another thread's agent */
		find(s, EV_STORE)->result ^= 1;
		break;
	case 4: /* a result that is no agent */
		find(s, EV_STORE)->result = -7;
		break;
	case 5: /* a store straight to memory, which cannot arrive once more */
		find(s, EV_STORE)->mode[0] = M_WRITE;
		break;
	case 6:
		names->agents = 100000;
		break;
	case 7:
		names->agent[1].word = UINT64_C(10000) << PLACE_BITS;
		break;
	case 8: /* an agent that does something else */
		find(s, EV_LOAD)->thread = MAX_THREADS;
		break;
	default:
		exit(3);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	if (a || b)
		return 0;
	overwrite(elsewhere(session()), argc > 1 ? atoi(argv[1]) : 0);
	abort();
}
