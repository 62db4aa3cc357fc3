/* Functions whose variables another thread stores to are called and return at random depth. Private variables and calls reuse their memory while
 * stores still wait in the buffer. No private variable may change. The numbers of traces are those of the same program with memory that is never
 * reused in place of the frames ("kept").
 * check: complete traces=10 : --model tso --strategy optimal -- 2 kept
 * check: complete traces=10 : --model tso --strategy optimal -- 2 frames
 * check: complete traces=10 : --model tso --strategy optimal -- 21 frames
 * check: complete traces=10 : --model tso --strategy optimal -- 47 frames
 * check: complete traces=14 : --model pso --strategy optimal -- 2 frames
 * long: complete traces=14 : --model pso --strategy optimal -- 2 kept
 * long: complete traces=10 : --model tso --strategy optimal -- 39 frames
 * long: complete traces=10 : --model tso --strategy optimal -- 58 frames
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST 96
#define ROUNDS 2
static _Atomic(atomic_long *) where[ROUNDS];
static atomic_long seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int frames;
static unsigned state;
static atomic_long memory[ROUNDS][MOST];

static unsigned draw(unsigned n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

/* Hands a variable of its own to the other thread, waits for its answer, and stores once more. */
static __attribute__((noinline)) void share(int round, unsigned at)
{
	atomic_long local[MOST];
	atomic_long *p = frames ? &local[at] : &memory[round][at];

	atomic_init(p, 0);
	atomic_store(&where[round], p);
	while (atomic_load_explicit(p, memory_order_acquire) != 1)
		;
	atomic_store_explicit(p, 2, memory_order_relaxed);
}

/* Private variables in the same bytes, and calls below them. */
static __attribute__((noinline)) void reuse(unsigned depth, unsigned size)
{
	volatile unsigned char own[size];

	for (unsigned i = 0; i < size; i++)
		own[i] = (unsigned char)(depth + i);
	if (depth)
		reuse(depth - 1, size / 2 + 8);
	else
		(void)atomic_load_explicit(&seen, memory_order_relaxed);
	for (unsigned i = 0; i < size; i++)
		assert(own[i] == (unsigned char)(depth + i));
}

static void *owner(void *unused)
{
	for (int round = 0; round < ROUNDS; round++) {
		share(round, draw(MOST));
		reuse(draw(4), 8 + 8 * draw(64));
	}
	pthread_mutex_lock(&mutex);
	reuse(draw(3), 64);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *other(void *unused)
{
	for (int round = 0; round < ROUNDS; round++) {
		atomic_long *p;

		while (!(p = atomic_load_explicit(&where[round], memory_order_acquire)))
			;
		atomic_store_explicit(p, 1, memory_order_release);
		atomic_store_explicit(&seen, round, memory_order_release);
	}
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	state = (unsigned)atoi(argv[1]);
	frames = !strcmp(argv[2], "frames");
	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
