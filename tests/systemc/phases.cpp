// Methods, threads and a clocked thread in one model; the simulation is started three times, paused once, and stopped. Two methods and two threads
// are runnable in the first phase, two threads in a later one: 4! * 2 orders.
#include <cassert>
#include <systemc.h>
SC_MODULE(top) {
	int runs = 0;
	SC_CTOR(top)
	{
		SC_METHOD(m1);
		SC_METHOD(m2);
		SC_THREAD(t1);
		SC_THREAD(t2);
	}
	void m1() { runs++; }
	void m2() { runs++; }
	void t1()
	{
		runs++;
		wait(5, SC_NS);
		runs++;
		sc_pause();
		wait(10, SC_NS);
		sc_stop();
	}
	void t2()
	{
		runs++;
		wait(5, SC_NS);
		runs++;
	}
};
int sc_main(int, char **)
{
	top t("top");
	sc_start(1, SC_NS);
	assert(t.runs == 4);
	sc_start(20, SC_NS);
	assert(t.runs == 6);
	sc_start();
	assert(sc_get_status() == SC_STOPPED);
	return 0;
}
