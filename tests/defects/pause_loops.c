/* Concurrency Kit's ring test waits in loops of thousands of pause instructions, each of which takes up to a hundred
 * cycles. simul explored one window of it in a minute. Threads take turns under simul, so the new code of a function
 * has a nop instead.
 * check: complete traces=2 : --
 * check: complete traces=2 : --threads kernel --
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int shared;

/* mov eax,MARK; pause */
#define MARK 0x5eed1eaf
static __attribute__((noinline)) void add(void)
{
	shared++;
	__asm__ volatile("mov %0, %%eax\n\tpause" ::"i"(MARK)
			 : "eax");
}

/* Counts the places in code where a move of MARK is followed by these two bytes. */
static int places(uint8_t first, uint8_t second)
{
	uint8_t wanted[7] = {0xb8, 0, 0, 0, 0, first, second};
	volatile uint32_t mark = ~(uint32_t)MARK;
	uint32_t now = ~mark;
	memcpy(wanted + 1, &now, 4);
	FILE *maps = fopen("/proc/self/maps", "r");
	assert(maps);
	char line[512], rights[5];
	unsigned long lo, hi;
	int n = 0;
	while (fgets(line, sizeof line, maps)) {
		bool code = sscanf(line, "%lx-%lx %4s", &lo, &hi, rights) == 3 && !strncmp(rights, "r-x", 3);
		if (!code || strstr(line, "[v"))
			continue;
		for (const uint8_t *at = (void *)lo; (at = memmem(at, hi - (uintptr_t)at, wanted, 7)); at++)
			n++;
	}
	fclose(maps);
	return n;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *locked(void *unused)
{
	pthread_mutex_lock(&lock);
	add();
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	assert(places(0xf3, 0x90) == 0 && places(0x66, 0x90) == 1);
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, locked, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(shared == 2);
	return 0;
}
