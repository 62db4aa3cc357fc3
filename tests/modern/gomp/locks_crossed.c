// Two threads take the locks of two cells in opposite orders: each may hold one and wait for the other.
// verdict: bug
#include <assert.h>
#include <omp.h>

struct cell {
	omp_lock_t lock;
	int heat;
};

static void flow(struct cell *from, struct cell *to)
{
	omp_set_lock(&from->lock);
	omp_set_lock(&to->lock);
	int difference = (from->heat - to->heat) / 2;
	from->heat -= difference;
	to->heat += difference;
	omp_unset_lock(&to->lock);
	omp_unset_lock(&from->lock);
}

int main(void)
{
	struct cell cells[2] = {{.heat = 10}, {.heat = 2}};
	for (int i = 0; i < 2; i++)
		omp_init_lock(&cells[i].lock);
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num();
		flow(&cells[me], &cells[1 - me]);
	}
	assert(cells[0].heat + cells[1].heat == 12);
	return 0;
}
