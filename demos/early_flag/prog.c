/*
 * Messages from one thread to another through a ring, in the manner of the Linux kernel: the writer fills in a slot and then
 * publishes it by moving `head`.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#ifdef FENCED
#define smp_wmb() __asm__ volatile("sfence" ::: "memory")
#else
#define smp_wmb() __asm__ volatile("" ::: "memory") /* orders the compiler, but not the processor */
#endif

#define SLOTS 4
#define MESSAGES 3

static struct {
	int slot[SLOTS];
	unsigned head; /* number of messages written */
} ring;

static void send(int message)
{
	WRITE_ONCE(ring.slot[ring.head % SLOTS], message);
	smp_wmb();
	WRITE_ONCE(ring.head, ring.head + 1);
}

static void *writer(void *arg)
{
	for (int i = 1; i <= MESSAGES; i++)
		send(i * 100);
	return NULL;
}

/* Takes the messages that have arrived. */
static void *reader(void *arg)
{
	unsigned head = READ_ONCE(ring.head);

	for (unsigned i = 0; i < head; i++) {
		int message = READ_ONCE(ring.slot[i % SLOTS]);
		assert(message != 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("all messages were whole");
	return 0;
}
