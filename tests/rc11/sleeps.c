/* A thread polls a flag and sleeps in between; the other one sleeps before it sets the flag. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifndef STORE
#define STORE rel
#endif

static atomic_int flag;
static int data;

static void *writer(void *unused)
{
	data = 1;
	usleep(1000);
	store(&flag, 1, STORE);
	return unused;
}

static void *reader(void *unused)
{
	while (!load(&flag, acq))
		usleep(100);
	CHECK(data == 1);
	return unused;
}

int main(void)
{
	RUN(writer, reader);
	return 0;
}
