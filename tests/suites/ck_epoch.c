/* Ck_epoch, a reader and a writer that frees.
 * build: gcc -g -O1 -pthread -o ck_epoch ck_epoch.c -lck
 */
#include "two.h"
#include <ck_epoch.h>
#include <ck_pr.h>
static ck_epoch_t e;
static ck_epoch_record_t r[2];
static int *shared;
static void *rd(void *a)
{
	ck_epoch_register(&e, &r[0], 0);
	ck_epoch_begin(&r[0], 0);
	int *p = ck_pr_load_ptr(&shared);
	if (p)
		assert(*p == 1);
	ck_epoch_end(&r[0], 0);
	return 0;
}

static void *wr(void *a)
{
	ck_epoch_register(&e, &r[1], 0);
	int *p = shared;
	ck_pr_store_ptr(&shared, 0);
	ck_epoch_synchronize(&r[1]);
	*p = 0;
	free(p);
	return 0;
}

int main()
{
	ck_epoch_init(&e);
	shared = malloc(4);
	*shared = 1;
	pthread_t a, b;
	pthread_create(&a, 0, rd, 0);
	pthread_create(&b, 0, wr, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}
