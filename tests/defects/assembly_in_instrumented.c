/* Code built with -fsanitize=thread calls functions for its accesses, but not for those of inline assembly. Locked
 * instructions there were not seen: the verdict was complete, with one trace. Fences there were not seen either: two
 * threads that wait for each other by relaxed accesses and fences raced, which they do not.
 * build: gcc -g -O1 -pthread -fsanitize=thread
 * build: gcc -g -O1 -pthread
 * check: bug kind=assert : -- locked
 * check: bug kind=assert : -- swap
 * check: complete never=possible_race : -- fence
 * check: bug kind=assert : --model tso -- nofence
 * check: complete : --model tso -- buffers
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char *how;
static int x, y, seen[2], data;

static int is(const char *what)
{
	return !strcmp(how, what);
}

static int add(int *p, int v)
{
	if (is("swap"))
		__asm__ volatile("xchgl %0, %1"
				 : "+r"(v), "+m"(*p)::"memory");
	else
		__asm__ volatile("lock xaddl %0, %1"
				 : "+r"(v), "+m"(*p)::"memory");
	return v;
}

static void fence(void)
{
	__asm__ volatile("lock; addl $0, 0(%%rsp)" ::
				 : "memory");
}

static int load(int *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static void store(int *p, int v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

static void *first(void *u)
{
	if (is("fence")) {
		data = 1;
		fence();
		store(&x, 1);
	} else if (is("buffers") || is("nofence")) {
		store(&x, 1);
		if (is("buffers"))
			fence();
		seen[0] = load(&y);
	} else {
		add(&x, 1);
		seen[0] = add(&y, 0);
	}
	return u;
}

static void *second(void *u)
{
	if (is("fence")) {
		if (load(&x)) {
			fence();
			assert(data == 1);
		}
	} else if (is("buffers") || is("nofence")) {
		store(&y, 1);
		if (is("buffers"))
			fence();
		seen[1] = load(&x);
	} else {
		add(&y, 1);
	}
	return u;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	how = argc > 1 ? argv[1] : "locked";
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	if (is("locked") || is("swap"))
		assert(!seen[0]);
	if (is("buffers") || is("nofence"))
		assert(seen[0] || seen[1]);
	return 0;
}
