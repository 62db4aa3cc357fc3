#include <glib.h>
#include "count.h"

static void locked(void)
{
	g_assert_cmpint(count(with_lock), ==, 2);
}
static void unlocked(void)
{
	g_assert_cmpint(count(without_lock), ==, 2);
}
static void skips(void)
{
	g_test_skip("on purpose");
}
static void last(void)
{
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/counts/locked", locked);
	g_test_add_func("/counts/unlocked", unlocked);
	g_test_add_func("/counts/skips", skips);
	g_test_add_func("/last", last);
	return g_test_run();
}
