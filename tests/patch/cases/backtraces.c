/* Who called: backtrace() and return addresses must be those of the original code. */
#include "case.h"

#include <dlfcn.h>
#include <execinfo.h>

static uint64_t counter;

static void name_of(void *pc)
{
	Dl_info info;
	/* -1: of the call, not behind it */
	if (dladdr((char *)pc - 1, &info) && info.dli_sname)
		printf(" %s", strncmp(info.dli_sname, "trace_", 6) && strcmp(info.dli_sname, "case_backtraces") ? "other" : info.dli_sname);
	else
		printf(" unknown");
}
NOINLINE void trace_inner(void);
NOINLINE void trace_inner(void)
{
	void *pc[32];
	int n = backtrace(pc, 32);
	counter++;
	for (int i = 0; i < n; i++)
		name_of(pc[i]);
	printf("\n");
}
NOINLINE void trace_middle(int n);
NOINLINE void trace_middle(int n)
{
	counter += (unsigned)n;
	if (n)
		trace_middle(n - 1);
	else
		trace_inner();
	BARRIER();
	counter++;
}
NOINLINE int trace_compare(const void *a, const void *b);
NOINLINE int trace_compare(const void *a, const void *b)
{
	if (counter++ % 16 == 0) {
		void *pc[32];
		int n = backtrace(pc, 32);
		name_of(pc[0]);
		name_of(pc[n - 3]);
		printf(" %s\n", n > 3 ? "deep" : "shallow");
	}
	return *(const int *)a - *(const int *)b;
}
NOINLINE void trace_returns(void);
NOINLINE void trace_returns(void)
{
	counter++;
	name_of(__builtin_return_address(0));
	printf("\n");
	BARRIER();
}

CASE(backtraces)
{
	int v[20];
	trace_middle(3);
	for (int i = 0; i < 20; i++)
		v[i] = 20 - i;
	qsort(v, 20, sizeof(int), trace_compare);
	trace_returns();
	printf("%llu\n", (unsigned long long)counter);
}
