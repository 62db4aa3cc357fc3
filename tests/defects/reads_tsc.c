/* The program reads the processor's time stamp counter. It depended on real time, so its failures did not replay.
 * "branch": a bit of the counter decides which calls a thread makes. "wait": threads wait until a deadline. "same": the counter and the clock agree,
 * and other registers and the flags stay.
 * check: bug kind=exit traces=6 replays=20 : --keep-going -- branch
 * check: bug kind=exit replays=20 : --model tso --keep-going -- branch
 * check: complete traces=6 : -- wait
 * check: complete traces=6 : --isolation exec -- same
 * check: complete traces=6 : --model pso -- same
 * long: bug kind=exit traces=6 replays=20 : --threads kernel --keep-going -- branch
 * long: bug kind=exit traces=6 replays=20 : --jobs 2 --keep-going -- branch
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char how;
static int tried;

static uint64_t clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void branch(void)
{
	unsigned aux;
	if ((__rdtsc() ^ __rdtscp(&aux) ^ __rdtsc() >> 3) >> 4 & 1) {
		pthread_mutex_lock(&m);
		tried++;
	} else {
		while (pthread_mutex_trylock(&m))
			;
		tried += 2;
	}
	pthread_mutex_unlock(&m);
}

static void wait(void)
{
	uint64_t end = __rdtsc() + 5000000000;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	while (__rdtsc() < end)
		;
	assert(clock_ns() >= end);
}

/* Returns the counter; fails if the instruction changes anything but rax and rdx, and with rdtscp rcx. */
static uint64_t read_carefully(void)
{
	uint64_t lo, hi, cx = 0x1234567887654321, bx = cx + 1, si = cx + 2, r8 = cx + 3, vector[2];
	unsigned char carry;
	__asm__ volatile("movq %[bx], %%xmm7\n\tmovq %[r8], %%xmm0\n\t"
			 "stc\n\trdtsc\n\tsetc %[carry]\n\tmovq %%xmm7, %[v0]\n\tmovq %%xmm0, %[v1]"
		: "=&a"(lo), "=&d"(hi), "+c"(cx), [bx] "+b"(bx), "+S"(si), [carry] "=&q"(carry), [v0] "=&r"(vector[0]), [v1] "=&r"(vector[1])
		: [r8] "r"(r8)
		: "cc", "xmm0", "xmm7");
	assert(carry && !(lo >> 32) && !(hi >> 32));
	assert(cx == 0x1234567887654321 && bx == cx + 1 && si == cx + 2 && r8 == cx + 3 && vector[0] == bx && vector[1] == r8);
	return hi << 32 | lo;
}

static void same(void)
{
	unsigned aux = 77;
	uint64_t a = clock_ns(), b = __rdtsc(), c = __rdtscp(&aux), d = clock_ns(), e = read_carefully();
	assert(a < b && b < c && c < d && d < e && aux == 0);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
}

static void *work(void *unused)
{
	if (how == 'b')
		branch();
	else if (how == 'w')
		wait();
	else
		same();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	how = argc > 1 ? argv[1][0] : 'b';
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	work(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return how == 'b' ? tried : 0;
}
