// Three methods run in any order in four cycles. In the first cycle, `first` becomes the number of the method that ran first. A thread kills
// another one at the end if this is the program's argument, so only a third of the orders has a kill.
#include <systemc.h>
#include <cstdlib>
static int wanted;
SC_MODULE(top) {
	sc_event tick, never;
	sc_process_handle victim;
	int first = -1;
	SC_CTOR(top)
	{
		SC_METHOD(m0); sensitive << tick; dont_initialize();
		SC_METHOD(m1); sensitive << tick; dont_initialize();
		SC_METHOD(m2); sensitive << tick; dont_initialize();
		SC_THREAD(clock);
	}
	void ran(int which) { if (first < 0) first = which; }
	void m0() { ran(0); }
	void m1() { ran(1); }
	void m2() { ran(2); }
	void waits()
	{
		victim = sc_get_current_process_handle();
		wait(never);
	}
	void clock()
	{
		for (int cycle = 0; cycle < 4; cycle++) {
			tick.notify(SC_ZERO_TIME);
			wait(1, SC_NS);
		}
		sc_spawn([this] { waits(); });
		wait(1, SC_NS);
		if (first == wanted)
			victim.kill();
	}
};
int sc_main(int, char **argv)
{
	wanted = atoi(argv[1]);
	top t("top");
	sc_start();
	return 0;
}
