/* A reader in each of two threads.
 * build: gcc -g -O1 -pthread -o hiredis hiredis.c -lhiredis
 */
#include "two.h"
#include <hiredis/hiredis.h>
static void *f(void *a)
{
	redisReader *r = redisReaderCreate();
	redisReaderFeed(r, "+OK\r\n", 5);
	void *x;
	assert(!redisReaderGetReply(r, &x) && x);
	freeReplyObject(x);
	redisReaderFree(r);
	return 0;
}

int main()
{
	TWO(f);
}
