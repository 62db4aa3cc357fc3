/* A spin lock is a lock. */
#include "../litmus.h"

static pthread_spinlock_t s;

T(p)
{
	pthread_spin_lock(&s);
	pthread_spin_unlock(&s);
	return NULL;
}

int main(void)
{
	pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
	RUN(p, p);
	return 0;
}
