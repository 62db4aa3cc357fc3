// A shared registry is made at first use without a compare-and-exchange: both threads make one, and an entry ends up in the lost one.
// verdict: bug
#include <glib.h>

struct registry {
	gint entries;
};

static struct registry *shared;

static struct registry *registry(void)
{
	struct registry *r = g_atomic_pointer_get(&shared);
	if (!r) {
		r = g_new0(struct registry, 1);
		g_atomic_pointer_set(&shared, r);
	}
	return r;
}

static gpointer enter(gpointer unused)
{
	g_atomic_int_inc(&registry()->entries);
	return unused;
}

int main(void)
{
	GThread *plugin = g_thread_new("plugin", enter, NULL);
	enter(NULL);
	g_thread_join(plugin);
	g_assert_cmpint(g_atomic_int_get(&registry()->entries), ==, 2);
	g_free(shared);
	return 0;
}
