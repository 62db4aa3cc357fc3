/* A message over inproc.
 * build: gcc -g -O1 -pthread -o nng nng.c -lnng
 */
#include "two.h"
#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>
int main()
{
	nng_socket a, b;
	assert(!nng_pair0_open(&a));
	assert(!nng_pair0_open(&b));
	assert(!nng_listen(a, "inproc://x", 0, 0));
	assert(!nng_dial(b, "inproc://x", 0, 0));
	assert(!nng_send(b, "hi", 3, 0));
	char t[8];
	size_t n = 8;
	assert(!nng_recv(a, t, &n, 0));
	nng_close(a);
	nng_close(b);
}
