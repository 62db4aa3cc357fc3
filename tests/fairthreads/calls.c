/* Each function of fthread.h once, natively and under simul: results, stop with cleanup, suspend and resume, values, link and unlink, orders of main. */
#include <assert.h>
#include <fthread.h>
#include <stdio.h>
#include <string.h>

static ft_scheduler_t s;
static ft_event_t event[2], never;
static ft_thread_t victim, sleeper, child, hermit;
static int cleaned, slept, went_on, born;

static void cleanup(void *arg)
{
	cleaned = *(int *)arg;
}

static void wait_for_ever(void *arg)
{
	ft_thread_await(never);
	assert(0);
}

static void sleep_long(void *arg)
{
	ft_thread_cooperate();
	slept = 1;
}

static void be_born(void *arg)
{
	born = 1;
	ft_thread_exit();
}

/* Leaves the scheduler, does something in parallel, and comes back. */
static void leave(void *arg)
{
	assert(ft_thread_unlink() == OK);
	assert(ft_thread_scheduler() == NULL && ft_thread_cooperate() == BADLINK && ft_thread_generate(never) == BADLINK);
	assert(ft_thread_link(s) == OK);
	assert(ft_thread_link(s) == BADLINK && ft_thread_scheduler() == s);
	went_on = 1;
}

static void steer(void *arg)
{
	int mask[2];
	void *value = NULL;
	assert(ft_thread_self() != NULL && ft_thread_self() != victim);
	assert(ft_scheduler_suspend(sleeper) == OK && ft_scheduler_stop(victim) == OK);
	assert(ft_thread_cooperate_n(3) == OK);
	assert(!slept && ft_thread_join(victim) == OK && cleaned == 7);
	assert(ft_thread_join_n(sleeper, 2) == ETIMEOUT);
	assert(ft_scheduler_resume(sleeper) == OK && ft_thread_join(sleeper) == OK && slept);
	child = ft_thread_create(s, be_born, NULL, NULL);
	assert(ft_thread_join(child) == OK && born);
	assert(ft_scheduler_broadcast(event[1]) == OK);
	assert(ft_thread_select(2, event, mask) == OK && !mask[0] && mask[1]);
	assert(ft_thread_select_n(2, event, mask, 1) == OK && ft_thread_await_n(event[0], 1) == ETIMEOUT);
	assert(ft_thread_generate_value(event[0], "one") == OK && ft_thread_await(event[0]) == OK);
	assert(ft_thread_get_value(event[0], 0, &value) == OK && !strcmp(value, "one"));
	assert(ft_thread_get_value(event[0], 1, &value) == NEXT);
	assert(ft_scheduler_broadcast_value(event[1], "two") == OK && ft_thread_await(event[1]) == OK);
	assert(ft_thread_get_value(event[1], 0, &value) == OK && !strcmp(value, "two"));
	assert(ft_thread_join(hermit) == OK && went_on);
	puts("all done");
}

int main(void)
{
	static int seven = 7;
	s = ft_scheduler_create();
	for (int i = 0; i < 2; i++)
		event[i] = ft_event_create(s);
	never = ft_event_create(s);
	assert(ft_thread_self() == NULL && ft_thread_cooperate() == BADLINK);
	assert(ft_thread_generate(NULL) == BADCREATE && ft_thread_create(NULL, steer, NULL, NULL) == NULL);
	ft_thread_create(s, steer, NULL, NULL);
	victim = ft_thread_create(s, wait_for_ever, cleanup, &seven);
	sleeper = ft_thread_create(s, sleep_long, NULL, NULL);
	hermit = ft_thread_create(s, leave, NULL, NULL);
	assert(ft_scheduler_start(s) == OK && ft_scheduler_start(s) == BADCREATE);
	ft_exit();
}
