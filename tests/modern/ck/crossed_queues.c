// The same with MCS locks: each thread waits in the queue of a lock that the other one holds.
// verdict: bug
#include <ck_spinlock.h>
#include <pthread.h>

struct account {
	ck_spinlock_mcs_t queue;
	int balance;
};
static struct account savings = { CK_SPINLOCK_MCS_INITIALIZER, 10 }, current = { CK_SPINLOCK_MCS_INITIALIZER, 10 };

static void transfer(struct account *from, struct account *to, int amount)
{
	struct ck_spinlock_mcs first, second;
	ck_spinlock_mcs_lock(&from->queue, &first);
	ck_spinlock_mcs_lock(&to->queue, &second);
	from->balance -= amount;
	to->balance += amount;
	ck_spinlock_mcs_unlock(&to->queue, &second);
	ck_spinlock_mcs_unlock(&from->queue, &first);
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
