#include <pthread.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
/* Polls a descriptor that has a byte or not, which the time decides. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
static void *w(void *a) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } return a; }
int main(void)
{
	int p[2], q[2];
	unsigned lo;
	pthread_t t, u;
	pipe(p); pipe(q);
	write(q[1], "x", 1);
	pthread_create(&t, 0, w, 0);
	pthread_create(&u, 0, w, 0);
	char text[64] = "";
	int fd = open("/proc/uptime", O_RDONLY);
	read(fd, text, 63);
	close(fd);
	lo = strchr(text, '.')[2] << 7;
	struct pollfd f = {lo >> 7 & 1 ? p[0] : q[0], POLLIN, 0};
	poll(&f, 1, 0);
	w(0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
