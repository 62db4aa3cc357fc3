// g_once_init_enter protects a table that both threads use.
// verdict: complete
#include <glib.h>

static gsize ready;
static GHashTable *table;

static gpointer lookup(gpointer key)
{
	if (g_once_init_enter(&ready)) {
		table = g_hash_table_new(g_str_hash, g_str_equal);
		g_hash_table_insert(table, "one", GINT_TO_POINTER(1));
		g_once_init_leave(&ready, 1);
	}
	return g_hash_table_lookup(table, key);
}

int main(void)
{
	GThread *other = g_thread_new("other", lookup, "one");
	g_assert_cmpint(GPOINTER_TO_INT(lookup("one")), ==, 1);
	g_assert_cmpint(GPOINTER_TO_INT(g_thread_join(other)), ==, 1);
	return 0;
}
