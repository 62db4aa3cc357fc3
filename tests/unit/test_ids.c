/* Names of threads and drain agents: several processes add them at the same time and get the same ids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/ids.h"

#define PROCESSES 4u
#define THREADS 300u
#define AGENTS 500u
#define PLACE(k) (UINT64_C(0x7fffdead0000) + (k) * 8)

struct shared {
	struct thread_names names;
	uint32_t ready;
	thread_id thread[PROCESSES][THREADS], agent[PROCESSES][AGENTS];
};

/* Each process adds the names in its own order. */
static void add_all(struct shared *s, uint32_t who)
{
	static const uint32_t step[PROCESSES] = {1, 7, 77, 299}; /* coprime with the numbers of names */
	__atomic_add_fetch(&s->ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&s->ready, __ATOMIC_SEQ_CST) < PROCESSES)
		;
	for (uint32_t i = 0, k = 0; i < THREADS; i++, k = (k + step[who]) % THREADS)
		s->thread[who][k] = thread_names_intern(&s->names, 0, k + 1);
	for (uint32_t i = 0, k = who; i < AGENTS; i++, k = (k + step[who]) % AGENTS)
		s->agent[who][k] = agent_intern(&s->names, (thread_id)(k % 3), PLACE(k));
}

static void together(void **state)
{
	struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	assert_true(s != MAP_FAILED);
	thread_names_init(&s->names);
	for (thread_id t = 1; t < 3; t++) /* owners that all processes know */
		assert_int_equal(thread_names_intern(&s->names, 0, t), t);
	for (uint32_t who = 0; who < PROCESSES; who++)
		if (!fork()) {
			add_all(s, who);
			_exit(0);
		}
	for (uint32_t who = 0; who < PROCESSES; who++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(s->names.count, THREADS + 1);
	assert_int_equal(s->names.agents, AGENTS);
	for (uint32_t who = 0; who < PROCESSES; who++) {
		assert_memory_equal(s->thread[who], s->thread[0], sizeof s->thread[0]);
		assert_memory_equal(s->agent[who], s->agent[0], sizeof s->agent[0]);
	}
	for (uint32_t k = 0; k < THREADS; k++)
		assert_int_equal(s->names.name[s->thread[0][k]].child_no, k + 1);
	for (uint32_t k = 0; k < AGENTS; k++) {
		const struct agent_name *a = &s->names.agent[s->agent[0][k] - MAX_THREADS];
		assert_int_equal(agent_name_place(a), PLACE(k));
		assert_int_equal(agent_name_owner(a), k % 3);
	}
	munmap(s, sizeof *s);
}

/* A process died after writing the word and before writing the number. The next process completes the entry. */
static void half_done(void **state)
{
	static struct thread_names n;
	thread_names_init(&n);
	n.name[1].parent = 0;
	n.name[1].child_no = 4;
	assert_int_equal(thread_names_intern(&n, 0, 5), 2);
	assert_int_equal(n.count, 3);
	assert_int_equal(thread_names_intern(&n, 0, 4), 1);
	n.agent[0].word = UINT64_C(1) << PLACE_BITS | 0x1000;
	assert_int_equal(agent_intern(&n, 0, 0x1000), MAX_THREADS);
	assert_int_equal(n.agents, 1);
}

static void no_address(void **state)
{
	static struct thread_names n;
	thread_names_init(&n);
	assert_int_equal(agent_intern(&n, 0, UINT64_C(1) << PLACE_BITS), NO_THREAD);
	assert_int_equal(agent_intern(&n, 1, 8), NO_THREAD); /* no such thread */
	assert_int_equal(agent_intern(&n, 0, PLACE_ALL), MAX_THREADS);
	assert_int_equal(agent_owner(&n, MAX_THREADS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(together), cmocka_unit_test(half_done), cmocka_unit_test(no_address)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
