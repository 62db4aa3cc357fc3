/* No function here fails an assertion. --robustness checks which of them stay sequentially consistent with store buffers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int x, y, z, flag[2];
static int seen;

/* Store buffering: two places for a fence. */
static void *left(void *p)
{
	ST(x, 1); /* left stores */
	LD(y);    /* left loads */
	return NULL;
}
static void *right(void *p)
{
	ST(y, 1);
	if (p)
		atomic_thread_fence(memory_order_seq_cst);
	LD(x);
	return NULL;
}
static void *left_fenced(void *p)
{
	ST(x, 1);
	atomic_thread_fence(memory_order_seq_cst);
	LD(y);
	return NULL;
}

/* The same code in both threads: one place. */
static void *same(void *p)
{
	long me = (long)p;
	ST(flag[me], 1);
	LD(flag[1 - me]);
	return NULL;
}

/* Message passing. */
static void *sends(void *p)
{
	ST(x, 1);
	ST(y, 1);
	return NULL;
}
static void *receives(void *p)
{
	if (LD(y))
		seen = LD(x);
	return NULL;
}

/* Each waits for the other. */
static void *waits(void *p)
{
	long me = (long)p;
	ST(flag[me], 1);
	while (!LD(flag[1 - me]))
		;
	return NULL;
}

/* Two cycles. */
static void *left_twice(void *p)
{
	ST(x, 1);
	LD(y);
	LD(z);
	return NULL;
}
static void *right_twice(void *p)
{
	ST(z, 1);
	LD(x);
	return NULL;
}

static void both(void *(*f)(void *), void *(*g)(void *), long a, long b)
{
	pthread_t t, u;
	pthread_create(&t, NULL, f, (void *)a);
	pthread_create(&u, NULL, g, (void *)b);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "sb";
	if (!strcmp(what, "sb"))
		both(left, right, 0, 0);
	else if (!strcmp(what, "half"))
		both(left, right, 0, 1);
	else if (!strcmp(what, "fenced"))
		both(left_fenced, right, 0, 1);
	else if (!strcmp(what, "same"))
		both(same, same, 0, 1);
	else if (!strcmp(what, "message"))
		both(sends, receives, 0, 0);
	else if (!strcmp(what, "waits"))
		both(waits, waits, 0, 1);
	else if (!strcmp(what, "two")) {
		pthread_t v;
		pthread_create(&v, NULL, right_twice, NULL);
		both(left_twice, right, 0, 0);
		pthread_join(v, NULL);
	}
	return 0;
}
