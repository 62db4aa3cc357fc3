/* Compress and decompress in two threads.
 * build: gcc -g -O1 -pthread -o zlibmt zlibmt.c -lz
 */
#include "two.h"
#include <zlib.h>
static void *f(void *a)
{
	unsigned char o[100];
	uLongf n = 100;
	assert(compress(o, &n, (void *)"aaaa", 4) == Z_OK);
	unsigned char b[9];
	uLongf k = 9;
	assert(uncompress(b, &k, o, n) == Z_OK && k == 4);
	return 0;
}

int main()
{
	TWO(f);
}
