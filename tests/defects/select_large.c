/* select with more descriptors than an fd_set has bits: Linux ignores those that cannot exist. simul once made the call fail with EINVAL.
 * check: complete traces=1 : --
 */
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static void *wait_for_one(void *arg)
{
	int fd = eventfd(1, 0);
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	assert(select(getdtablesize() + FD_SETSIZE, &set, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &set));
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_one, NULL);
	pthread_join(t, NULL);
	return 0;
}
