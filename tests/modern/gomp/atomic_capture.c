// Threads reserve places of an output array with an atomic capture, so that no place is used twice.
// verdict: complete
#include <assert.h>

int main(void)
{
	int values[] = {4, -1, 7, 9}, kept[4] = {0}, n = 0;
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++) {
		if (values[i] < 0)
			continue;
		int place;
#pragma omp atomic capture
		place = n++;
		assert(!kept[place]);
		kept[place] = values[i];
	}
	assert(n == 3);
	assert(kept[0] + kept[1] + kept[2] == 20 && !kept[3]);
	return 0;
}
