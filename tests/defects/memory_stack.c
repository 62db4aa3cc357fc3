/* A pointer to a local variable is passed to a thread, and the function returns. The thread reads a frame that has ended, unless it is fast. In
 * another case, a thread publishes a pointer to its own stack and ends.
 * check: bug kind=memory says=dead_stack_frame._T0.1_reads_4_bytes_of_a_stack_frame_that_T0_has_left : --strategy optimal -- frame
 * check: bug kind=memory says=dead_stack_frame._T0_reads_4_bytes_of_a_stack_frame_that_T0.1_has_left : --strategy optimal -- thread
 * check: complete : --no-memory-check --strategy optimal -- frame
 */
#include <pthread.h>
#include <string.h>
struct job { int n; char text[400]; };
static pthread_t t;
static int *volatile left;
volatile int seen;
static void *worker(void *arg) { struct job *j = arg; seen = j->n; return NULL; }
static void *leaver(void *arg) { int x[10]; memset(x, 3, sizeof x); left = x; return arg; }
static __attribute__((noinline)) void start(int n)
{
	struct job j;
	memset(&j, n, sizeof j);
	pthread_create(&t, NULL, worker, &j);
}
int main(int argc, char **argv)
{
	(void)argc;
	if (!strcmp(argv[1], "thread")) {
		pthread_create(&t, NULL, leaver, NULL);
		pthread_join(t, NULL);
		return left[3] == 9;
	}
	start(5);
	pthread_join(t, NULL);
	return 0;
}
