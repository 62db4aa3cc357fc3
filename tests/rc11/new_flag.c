/*
 * new_flag: a flag, of which another thread says where it is, orders the accesses of the data: correct.
 *
 * The place of the flag depends on the schedule. So the warm-up meets new places when it knows already that the data
 * are shared. Such an execution must not report a race, or with -DSTALE, where the data are atomic, read the first
 * value.
 * -DWEAK: the flag is relaxed.
 */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define PUBLISH rlx
#else
#define PUBLISH rel
#endif

static atomic_int tickets, place, flag[5];
#ifdef STALE
static atomic_int data;
#define SET() store(&data, 1, rlx)
#define GET() load(&data, rlx)
#else
static int data;
#define SET() (void)(data = 1)
#define GET() data
#endif

static void *writer(void *unused)
{
	int mine = 1 + fadd(&tickets, 1, rlx);
	SET();
	store(&flag[mine], 1, PUBLISH);
	store(&place, mine, rlx);
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 3; i++)
		fadd(&tickets, 1, rlx);
	if (load(&flag[load(&place, rlx)], acq))
		CHECK(GET() == 1);
	return unused;
}

int main(void)
{
	RUN(writer, reader);
	return 0;
}
