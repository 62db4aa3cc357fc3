/* Compress and decompress 1 MB with two threads.
 * build: gcc -g -O1 -pthread -o blosc blosc.c -lblosc
 */
#include "two.h"
#include <blosc.h>
int main()
{
	static int in[262144], out[1100000], bk[262144];
	for (int i = 0; i < 262144; i++)
		in[i] = i;
	blosc_init();
	blosc_set_nthreads(2);
	blosc_set_blocksize(65536);
	int n = blosc_compress(5, 1, 4, sizeof in, in, out, sizeof out);
	assert(n > 0);
	assert(blosc_decompress(out, bk, sizeof bk) == sizeof bk);
	assert(!memcmp(in, bk, sizeof in));
	blosc_destroy();
}
