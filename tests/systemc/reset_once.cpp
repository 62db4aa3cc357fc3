// Three methods run in any order in four cycles. In the first cycle, `first` becomes the number of the method that ran first. At the end a
// thread writes to a signal that resets a method, if this is the program's argument. So only a third of the orders has a reset. The program looks
// for async_reset_signal_is at run time, so simul does not know before that there may be a reset.
#include <systemc.h>
#include <dlfcn.h>
#include <cstdlib>
static int wanted;
SC_MODULE(top) {
	sc_event tick;
	sc_signal<bool> reset;
	int first = -1;
	SC_CTOR(top)
	{
		SC_METHOD(m0); sensitive << tick; dont_initialize();
		SC_METHOD(m1); sensitive << tick; dont_initialize();
		SC_METHOD(m2); sensitive << tick; dont_initialize();
		SC_METHOD(is_reset); dont_initialize();
		void *f = dlsym(RTLD_DEFAULT, "_ZN7sc_core9sc_module21async_reset_signal_isERKNS_15sc_signal_in_ifIbEEb");
		reinterpret_cast<void (*)(sc_module *, const sc_signal_in_if<bool> *, bool)>(f)(this, &reset, true);
		SC_THREAD(clock);
	}
	void ran(int which) { if (first < 0) first = which; }
	void m0() { ran(0); }
	void m1() { ran(1); }
	void m2() { ran(2); }
	void is_reset() {}
	void clock()
	{
		for (int cycle = 0; cycle < 4; cycle++) {
			tick.notify(SC_ZERO_TIME);
			wait(1, SC_NS);
		}
		if (first == wanted)
			reset.write(true);
	}
};
int sc_main(int, char **argv)
{
	wanted = atoi(argv[1]);
	top t("top");
	sc_start();
	return 0;
}
