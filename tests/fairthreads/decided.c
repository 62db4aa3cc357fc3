/* What is decided about the order of threads in one instant holds in later ones. Safe in every order.
   -DTHROUGH: the first and the last thread are ordered by one that ends after the first instant.
   -DDISCOVER: the order of four threads selects the memory that two others write in two later instants. So executions discover shared memory
   while the order of the two is still open. */
#include <assert.h>
#include <fthread.h>

static ft_scheduler_t s;
#ifdef DISCOVER
static int path, last[256][2][8];

static void mark(void *arg)
{
	path = path * 4 + (int)(long)arg;
}

static void writer(void *arg)
{
	ft_thread_cooperate();
	last[path % 256][0][0] = (int)(long)arg;
	ft_thread_cooperate();
	last[path % 256][1][0] = (int)(long)arg;
	ft_thread_cooperate();
	assert(last[path % 256][0][0] == last[path % 256][1][0]);
}

static void create(void)
{
	for (long i = 0; i < 4; i++)
		ft_thread_create(s, mark, 0, (void *)i);
	ft_thread_create(s, writer, 0, (void *)1);
	ft_thread_create(s, writer, 0, (void *)2);
}
#else
static int x, y, z;
static ft_thread_t a, c;

static void first(void *arg)
{
	x = 1;
	ft_thread_cooperate();
	z = 1;
}

static void middle(void *arg)
{
	x = 2;
	y = 2;
}

static void third(void *arg)
{
	y = 3;
	ft_thread_cooperate();
	z = 3;
}

static void check(void *arg)
{
	ft_thread_join(a);
	ft_thread_join(c);
	assert(!(x == 2 && y == 3) || z == 3);
	assert(!(x == 1 && y == 2) || z == 1);
}

static void create(void)
{
	a = ft_thread_create(s, first, 0, 0);
	ft_thread_create(s, middle, 0, 0);
	c = ft_thread_create(s, third, 0, 0);
	ft_thread_create(s, check, 0, 0);
}
#endif

int main(void)
{
	s = ft_scheduler_create();
	create();
	ft_scheduler_start(s);
	ft_exit();
}
