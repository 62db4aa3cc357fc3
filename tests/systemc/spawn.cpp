// Two threads each spawn a process and wait until it has ended. Each spawned process runs after its thread in the first phase, and before it in the
// second: 6 orders of each phase, 36 in all.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <systemc.h>
SC_MODULE(top) {
	int runs = 0;
	SC_CTOR(top) { SC_THREAD(a); SC_THREAD(b); }
	void child() { runs++; wait(1, SC_NS); runs++; }
	void a() { sc_process_handle h = sc_spawn(sc_bind(&top::child, this)); wait(h.terminated_event()); runs++; }
	void b() { sc_process_handle h = sc_spawn(sc_bind(&top::child, this)); wait(h.terminated_event()); runs++; }
};
int sc_main(int, char **)
{
	top t("top");
	sc_start();
	return t.runs != 6;
}
