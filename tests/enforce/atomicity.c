/* Two withdrawals check the balance, then withdraw, each step under the lock, but with a gap between the two steps. */
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;
static void *withdraw(void *a)
{
	pthread_mutex_lock(&lock);
	int left = balance;
	pthread_mutex_unlock(&lock);
	window(1);
	pthread_mutex_lock(&lock);
	if (left >= 10)
		balance -= 10;
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	run_two(withdraw, withdraw);
	assert(balance == 0);
	return 0;
}
