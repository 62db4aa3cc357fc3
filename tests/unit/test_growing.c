/* Arrays, texts and lists that grow: base/xalloc.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>

#include "base/xalloc.h"

static void array_keeps_its_elements(void **state)
{
	uint32_t *v = NULL;
	size_t n = 0;

	while (n < 5000) {
		v = xgrow(v, n, sizeof(*v));
		assert_true(malloc_usable_size(v) >= (n + 1) * sizeof(*v));
		v[n] = (uint32_t)n;
		n++;
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(v[i], i);
	free(v);
}

/* Pieces of different sizes, with zero bytes. */
static void text_keeps_its_bytes(void **state)
{
	char *text = NULL;
	size_t n = 0;

	for (size_t more = 1; n < 200000; more = more * 7 % 1009) {
		text = xgrow_text(text, n, more);
		assert_true(malloc_usable_size(text) >= n + more);
		for (size_t i = 0; i < more; i++, n++)
			text[n] = (char)(n % 251);
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal((unsigned char)text[i], i % 251);
	free(text);
}

/* The text became shorter, so it has more room than its size needs. */
static void shorter_text_grows_again(void **state)
{
	char *text = xgrow_text(NULL, 0, 1000);

	memset(text, 'a', 1000);
	text = xgrow_text(text, 10, 3);
	memcpy(text + 10, "bc", 3);
	assert_string_equal(text, "aaaaaaaaaabc");
	text = xgrow_text(text, 0, 1);
	assert_int_equal(text[0], 'a');
	free(text);
}

static void list_is_terminated(void **state)
{
	char **list = NULL, **begun = xcalloc(1, sizeof(*begun));
	size_t n = 0, m = 0;

	for (int i = 0; i < 100; i++) {
		xappend(&list, &n, xasprintf("%d", i));
		xappend(&begun, &m, list[n - 1]);
		assert_int_equal(n, i + 1);
		assert_null(list[n]);
		assert_null(begun[m]);
	}
	for (int i = 0; i < 100; i++) {
		assert_int_equal(atoi(list[i]), i);
		assert_ptr_equal(list[i], begun[i]);
		free(list[i]);
	}
	free(list);
	free(begun);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(array_keeps_its_elements),
		cmocka_unit_test(text_keeps_its_bytes),
		cmocka_unit_test(shorter_text_grows_again),
		cmocka_unit_test(list_is_terminated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
