/*
 * The stack of SV-COMP (pthread/stack): one thread pushes SIZE elements, the other pops SIZE times, each time with the lock. Before including:
 * MAY_POP, what a thread that holds the lock believes means that there is an element.
 */
#include "weak.h"

#ifndef SIZE
#define SIZE 5
#endif

static int element[SIZE], top, pushed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

T(pusher)
{
	for (int i = 0; i < SIZE; i++) {
		pthread_mutex_lock(&lock);
		assert(top < SIZE);
		element[top++] = i;
		pushed = 1;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

T(popper)
{
	for (int i = 0; i < SIZE; i++) {
		pthread_mutex_lock(&lock);
		if (MAY_POP) {
			assert(top > 0);
			assert(element[--top] < SIZE);
		}
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	run2(pusher, popper);
	assert(top >= 0 && top <= SIZE);
	return 0;
}
