/* Gpgrt_lock, two threads.
 * build: gcc -g -O1 -pthread -o gpgrt gpgrt.c -lgpg-error
 */
#include "two.h"
#include <gpg-error.h>
GPGRT_LOCK_DEFINE(l);
static int n;
static void *f(void *a)
{
	gpgrt_lock_lock(&l);
	n++;
	gpgrt_lock_unlock(&l);
	return 0;
}

int main()
{
	TWO(f);
	assert(n == 2);
}
