/* READERS readers and WRITERS writers of one variable under a lock. */
#include "sections.h"
static A x;

T(writer)
{
	int r_ = 0;
	LOCK(m);
	ADD(x, 1);
	UNLOCK(m);
	END;
}

T(reader)
{
	int r_ = 0;
	LOCK(m);
	U(LD(x));
	UNLOCK(m);
	END;
}

int main(void)
{
	pthread_t t[READERS + WRITERS];
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_create(&t[i], NULL, i < WRITERS ? writer : reader, NULL);
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
