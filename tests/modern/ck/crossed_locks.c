// Two transfers lock their accounts in opposite orders, each with a compare-and-swap lock.
// verdict: bug
#include <ck_spinlock.h>
#include <pthread.h>

struct account {
	ck_spinlock_cas_t lock;
	int balance;
};
static struct account savings = { CK_SPINLOCK_CAS_INITIALIZER, 10 }, current = { CK_SPINLOCK_CAS_INITIALIZER, 10 };

static void transfer(struct account *from, struct account *to, int amount)
{
	ck_spinlock_cas_lock(&from->lock);
	ck_spinlock_cas_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	ck_spinlock_cas_unlock(&to->lock);
	ck_spinlock_cas_unlock(&from->lock);
}

static void *pay(void *unused)
{
	transfer(&savings, &current, 3);
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, pay, NULL);
	transfer(&current, &savings, 4);
	pthread_join(other, NULL);
	return savings.balance + current.balance != 20;
}
