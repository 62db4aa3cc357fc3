// The loop is computed in parallel, and its results are appended in the order of the iterations.
// verdict: complete
#include <assert.h>
#include <string.h>

int main(void)
{
	char text[8] = "";
	int length = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
	for (int i = 0; i < 3; i++) {
		char letter = 'a' + 2 * i;
#pragma omp ordered
		text[length++] = letter;
	}
	assert(length == 3);
	assert(!strcmp(text, "ace"));
	return 0;
}
