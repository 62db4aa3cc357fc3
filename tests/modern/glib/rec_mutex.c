// Methods of an account lock a GRecMutex, and call each other while they hold it.
// verdict: complete
#include <glib.h>

struct account {
	GRecMutex lock;
	int balance;
};

static void add(struct account *a, int amount)
{
	g_rec_mutex_lock(&a->lock);
	a->balance += amount;
	g_rec_mutex_unlock(&a->lock);
}

static gboolean withdraw(struct account *a, int amount)
{
	g_rec_mutex_lock(&a->lock);
	gboolean possible = a->balance >= amount;
	if (possible)
		add(a, -amount);
	g_rec_mutex_unlock(&a->lock);
	return possible;
}

static gpointer spend(gpointer account)
{
	return GINT_TO_POINTER(withdraw(account, 70));
}

int main(void)
{
	struct account a = {.balance = 100};
	g_rec_mutex_init(&a.lock);
	GThread *other = g_thread_new("other", spend, &a);
	int mine = withdraw(&a, 70);
	int theirs = GPOINTER_TO_INT(g_thread_join(other));
	g_assert_cmpint(mine + theirs, ==, 1);
	g_assert_cmpint(a.balance, ==, 30);
	g_rec_mutex_clear(&a.lock);
	return 0;
}
