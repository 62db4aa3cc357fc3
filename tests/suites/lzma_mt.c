/* The multithreaded encoder, three blocks, two threads.
 * build: gcc -g -O1 -pthread -o lzma_mt lzma_mt.c -llzma
 */
#include "two.h"
#include <lzma.h>
int main()
{
	static unsigned char in[9000], out[20000];
	for (int i = 0; i < 9000; i++)
		in[i] = i * 7;
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_mt m = {.threads = 2, .block_size = 4096, .preset = 0, .check = LZMA_CHECK_CRC32};
	assert(lzma_stream_encoder_mt(&s, &m) == LZMA_OK);
	s.next_in = in;
	s.avail_in = 9000;
	s.next_out = out;
	s.avail_out = 20000;
	lzma_ret r;
	do
		r = lzma_code(&s, LZMA_FINISH);
	while (r == LZMA_OK);
	assert(r == LZMA_STREAM_END);
	lzma_end(&s);
}
