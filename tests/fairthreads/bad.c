/* What the library refuses: -DENDLESS, -DITSELF, -DMANY, -DTWO; each ends with one message. */
#include <fthread.h>
#include <stddef.h>

static ft_scheduler_t s;
static ft_event_t ping;
static ft_thread_t self;

static void run(void *arg)
{
#ifdef ENDLESS
	for (;;) {
		ft_thread_generate(ping);
		ft_thread_await(ping);
	}
#elif defined ITSELF
	ft_thread_join(self);
#endif
}

int main(void)
{
	s = ft_scheduler_create();
#ifdef TWO
	ft_scheduler_create();
#endif
	ping = ft_event_create(s);
#ifdef MANY
	for (int i = 0; i < FT_THREADS_MOST; i++)
		ft_thread_create(s, run, NULL, NULL);
#endif
	self = ft_thread_create(s, run, NULL, NULL);
	ft_scheduler_start(s);
	ft_exit();
}
