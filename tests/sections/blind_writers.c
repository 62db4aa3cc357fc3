/* N threads write an atomic. With READ main reads it at the end. */
#include "sections.h"
static A flag;

T(worker)
{
	int r_ = 0;
	ST(flag, ME + 1);
	END;
}

#ifdef READ
static int last(void)
{
	int r_ = LD(flag);
	U(r_);
	return 0;
}
#endif

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
#ifdef READ
	return last();
#else
	return 0;
#endif
}
