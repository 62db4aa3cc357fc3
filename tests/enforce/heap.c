/* An account and the slips of its withdrawals, all in blocks of malloc. Each withdrawal looks at the balance and takes it later. The slips go on a
   list that both threads share; some blocks are freed and allocated again in between. */
#include <string.h>
#include "window.h"
struct slip {
	struct slip *next;
	int amount;
};
struct account {
	int balance;
	struct slip *slips;
};
static struct account *account;
static void *withdraw(void *a)
{
	char *note = strdup("a note of another size");
	struct slip *slip = malloc(sizeof(*slip));
	int left = __atomic_load_n(&account->balance, __ATOMIC_SEQ_CST);

	free(note);
	slip->amount = left >= 10 ? 10 : 0;
	window(1);
	__atomic_fetch_sub(&account->balance, slip->amount, __ATOMIC_SEQ_CST);
	slip->next = __atomic_load_n(&account->slips, __ATOMIC_SEQ_CST);
	while (!__atomic_compare_exchange_n(&account->slips, &slip->next, slip, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	return a;
}
int main(void)
{
	int n = 0;

	printf("balance\n"); /* stdio has a buffer of its own */
	account = calloc(1, sizeof(*account));
	account->balance = 10;
	run_two(withdraw, withdraw);
	assert(account->balance == 0);
	for (struct slip *s = account->slips, *next; s; s = next, n++) {
		next = s->next;
		free(s);
	}
	free(account);
	assert(n == 2);
	return 0;
}
