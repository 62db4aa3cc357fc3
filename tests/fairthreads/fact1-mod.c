/* fact1 with a supervisor: two threads compute M! as in fact1.c, and a third one awaits the end of each multiplication
   and checks the partial product. */
#include <assert.h>
#include <fthread.h>
#ifndef M
#define M 4
#endif
static ft_event_t next, taken;
static int factor, product = 1, done;
static void counter(void *arg)
{
	for (int i = 1; i <= M; i++) {
		factor = i;
		ft_thread_generate(next);
		ft_thread_await(taken);
		ft_thread_cooperate();
	}
}
static void multiplier(void *arg)
{
	for (int i = 1; i <= M; i++) {
		ft_thread_await(next);
		product *= factor;
		done = i;
		ft_thread_generate(taken);
		ft_thread_cooperate();
	}
}
static void supervisor(void *arg)
{
	static const int expect[] = { 1, 1, 2, 6, 24, 120, 720 };
	for (int i = 1; i <= M; i++) {
		ft_thread_await(taken);
		assert(done == i && product == expect[i]);
		ft_thread_cooperate();
	}
}
int main(void)
{
	ft_scheduler_t s = ft_scheduler_create();
	next = ft_event_create(s);
	taken = ft_event_create(s);
	ft_thread_create(s, counter, 0, 0);
	ft_thread_create(s, multiplier, 0, 0);
	ft_thread_create(s, supervisor, 0, 0);
	ft_scheduler_start(s);
	ft_exit();
	return 0;
}
