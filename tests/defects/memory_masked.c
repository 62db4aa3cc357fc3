/* maskmovdqu stores only the bytes that its mask selects. simul once treated it as a store of all 16 bytes, and reported a heap overflow when the
 * mask leaves out the bytes behind the block.
 * build: gcc -g -O1 -pthread
 * check: complete traces=1 : --strategy optimal --
 */
#include <emmintrin.h>
#include <pthread.h>
#include <stdlib.h>

static char *block;

static void *fill(void *unused)
{
	__m128i low_half = _mm_set_epi32(0, 0, -1, -1);

	_mm_maskmoveu_si128(_mm_set1_epi8(7), low_half, block + 16);
	return unused;
}

int main(void)
{
	pthread_t t;
	int wrong;

	block = calloc(24, 1);
	pthread_create(&t, NULL, fill, NULL);
	pthread_join(t, NULL);
	wrong = block[15] != 0 || block[16] != 7 || block[23] != 7;
	free(block);
	return wrong;
}
