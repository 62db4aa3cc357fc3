// More processes than a choice has values (1000), all runnable at first.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>
static int runs;
static void process() { runs++; }
int sc_main(int, char **)
{
	sc_spawn_options methods;
	methods.spawn_method();
	for (int i = 0; i < 1100; i++)
		sc_spawn(&process, sc_gen_unique_name("p"), &methods);
	sc_start();
	return runs != 1100;
}
