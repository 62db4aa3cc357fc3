// The variable for swapping is declared outside of the loop, so it is shared: a thread may write back the other one's value.
// verdict: bug
#include <assert.h>

int main(void)
{
	volatile int left[] = {1, 2}, right[] = {10, 20}, temporary;
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 2; i++) {
		temporary = left[i];
		left[i] = right[i];
		right[i] = temporary;
	}
	assert(left[0] == 10 && left[1] == 20);
	assert(right[0] == 1 && right[1] == 2);
	return 0;
}
