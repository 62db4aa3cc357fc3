/*
 * preload/kernel/syscalls.def against the kernel's header: a system call without a line would pass with unknown effects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <asm/unistd_64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct line {
	long number;
	const char *name;
} lines[] = {
#define SYSCALL(number, name) {number, #name},
#include "preload/kernel/syscalls.def"
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

static FILE *open_header(void)
{
	static const char *const paths[] = {"/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"};
	FILE *f = NULL;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]) && !f; i++)
		f = fopen(paths[i], "r");
	return f;
}

static const struct line *find(long number)
{
	for (size_t i = 0; i < LINES; i++)
		if (lines[i].number == number)
			return &lines[i];
	return NULL;
}

static void every_call_of_the_kernel_is_listed(void **state)
{
	FILE *f = open_header();
	char text[256], name[128];
	unsigned n = 0, bad = 0;
	long number;

	assert_non_null(f);
	while (fgets(text, sizeof(text), f)) {
		if (sscanf(text, "#define __NR_%127s %ld", name, &number) != 2)
			continue;
		const struct line *line = find(number);

		n++;
		if (line && !strcmp(line->name, name))
			continue;
		fprintf(stderr, "system call %ld is %s, and listed as %s\n", number, name, line ? line->name : "nothing");
		bad++;
	}
	fclose(f);
	assert_true(n > 300);
	assert_int_equal(bad, 0);
	assert_int_equal(find(__NR_execveat)->number, 322);
}

static void each_number_is_listed_once_in_order(void **state)
{
	for (size_t i = 1; i < LINES; i++)
		assert_true(lines[i].number > lines[i - 1].number);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_of_the_kernel_is_listed),
		cmocka_unit_test(each_number_is_listed_once_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
