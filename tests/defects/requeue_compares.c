/* FUTEX_CMP_REQUEUE compares a word that another thread changes. With one trace, the program was complete.
 * check: bug says=exit : --strategy optimal
 * check: bug says=exit : --strategy exhaustive
 * check: bug says=exit : --strategy auto
 * check: bug says=exit : --model tso
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint32_t a;
static uint32_t b;
static long moved;

static void *set(void *unused)
{
	a = 1;
	return NULL;
}

static void *move(void *unused)
{
	moved = syscall(SYS_futex, &a, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &b, 0);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, set, NULL);
	pthread_create(&u, NULL, move, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return moved == 0 ? 3 : 0; /* the call came before the store */
}
