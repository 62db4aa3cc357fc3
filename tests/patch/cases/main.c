/* torture [CASE...]: runs these cases, or all of them. The table is generated: X(name) for each case. */
#include <stdio.h>
#include <string.h>

#define X(name) void case_##name(void);
#include "torture_cases.h"
#undef X

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
#define X(name) {#name, case_##name},
#include "torture_cases.h"
#undef X
};

static int wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(name, argv[i]))
			return 1;
	return argc < 2;
}

int main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (!wanted(cases[i].name, argc, argv))
			continue;
		printf("== %s\n", cases[i].name);
		fflush(stdout);
		cases[i].run();
		fflush(stdout);
	}
	puts("== end");
	return 0;
}
