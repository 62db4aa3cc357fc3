/* A message over inproc.
 * build: gcc -g -O1 -pthread -o zmq zmq.c -lzmq
 */
#include "two.h"
#include <zmq.h>
static void *c;
static void *f(void *a)
{
	void *s = zmq_socket(c, ZMQ_PAIR);
	zmq_connect(s, "inproc://x");
	zmq_send(s, "hi", 2, 0);
	zmq_close(s);
	return 0;
}

int main()
{
	c = zmq_ctx_new();
	void *s = zmq_socket(c, ZMQ_PAIR);
	assert(!zmq_bind(s, "inproc://x"));
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	char b[4];
	assert(zmq_recv(s, b, 4, 0) == 2);
	pthread_join(t, 0);
	zmq_close(s);
	zmq_ctx_term(c);
}
