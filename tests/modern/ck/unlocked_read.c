// The balance is checked before the lock is taken: both threads withdraw the same money.
// verdict: bug
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_t lock = CK_SPINLOCK_INITIALIZER;
static int balance = 10;

static void *withdraw(void *unused)
{
	if (__atomic_load_n(&balance, __ATOMIC_RELAXED) >= 10) {
		ck_spinlock_lock(&lock);
		__atomic_fetch_sub(&balance, 10, __ATOMIC_RELAXED);
		ck_spinlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, withdraw, NULL);
	withdraw(NULL);
	pthread_join(other, NULL);
	assert(balance >= 0);
	return 0;
}
