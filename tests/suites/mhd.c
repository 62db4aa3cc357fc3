/* Start and stop a daemon with two threads.
 * build: gcc -g -O1 -pthread -o mhd mhd.c -lmicrohttpd
 */
#include "two.h"
#include <microhttpd.h>
static enum MHD_Result h(void *c, struct MHD_Connection *n, const char *u, const char *m, const char *v,
	const char *d, size_t *s, void **p)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(2, "ok", MHD_RESPMEM_PERSISTENT);
	enum MHD_Result x = MHD_queue_response(n, 200, r);
	MHD_destroy_response(r);
	return x;
}

int main()
{
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC, 0, 0, 0, h, 0,
		MHD_OPTION_THREAD_POOL_SIZE, 2, MHD_OPTION_END);
	assert(d);
	MHD_stop_daemon(d);
}
