/* One thread makes a duplicate of a descriptor that another one closes. dup2 and dup3 did not count as uses of the number
 * that they duplicate, so only one order was explored, and the verdict was complete.
 * check: bug kind=assert : -- dup
 * check: bug kind=assert : -- dup2
 * check: bug kind=assert : -- dup3
 * check: bug kind=assert : -- same
 * check: bug kind=assert : -- fcntl
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static int from, to;
static void *closer(void *u)
{
	close(from);
	return u;
}
static int duplicate(const char *how)
{
	if (!strcmp(how, "dup2"))
		return dup2(from, to);
	if (!strcmp(how, "dup3"))
		return dup3(from, to, O_CLOEXEC);
	if (!strcmp(how, "same"))
		return dup2(from, from);
	return strcmp(how, "fcntl") ? dup(from) : fcntl(from, F_DUPFD, 20);
}
int main(int argc, char **argv)
{
	pthread_t t;
	from = open("/dev/null", O_RDONLY);
	to = open("/dev/zero", O_RDONLY);
	pthread_create(&t, 0, closer, 0);
	assert(duplicate(argc > 1 ? argv[1] : "dup") >= 0);
	return pthread_join(t, 0);
}
