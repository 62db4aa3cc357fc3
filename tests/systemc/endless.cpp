#include <systemc.h>
/* Two processes wake each other by immediate notifications for ever, so no time passes. */
struct m : sc_module {
	sc_event e, f;
	SC_HAS_PROCESS(m);
	m(sc_module_name x) : sc_module(x) { SC_THREAD(ping); SC_THREAD(pong); }
	void ping() { for (;;) { e.notify(); wait(f); } }
	void pong() { for (;;) { wait(e); f.notify(); } }
};
int sc_main(int, char **) { m a("top"); sc_start(5, SC_NS); return 0; }
