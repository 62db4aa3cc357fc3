/* Compress 1.1 MB with two workers.
 * build: gcc -g -O1 -pthread -o zstd_mt zstd_mt.c -lzstd
 */
#include "two.h"
#include <zstd.h>
int main()
{
	static char in[1100000], out[1200000], back[1100000];
	for (int i = 0; i < 1100000; i++)
		in[i] = i * 7;
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t e = ZSTD_CCtx_setParameter(c, ZSTD_c_nbWorkers, 2);
	assert(!ZSTD_isError(e));
	ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, 1);
	ZSTD_CCtx_setParameter(c, ZSTD_c_jobSize, 524288);
	size_t n = ZSTD_compress2(c, out, 1200000, in, 1100000);
	assert(!ZSTD_isError(n));
	ZSTD_freeCCtx(c);
	assert(ZSTD_decompress(back, 1100000, out, n) == 1100000);
}
