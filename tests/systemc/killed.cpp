// A thread kills another one in the middle of an evaluate phase in which a third one is runnable.
#include <systemc.h>
SC_MODULE(top) {
	sc_event never;
	sc_process_handle victim;
	SC_CTOR(top) { SC_THREAD(waits); SC_THREAD(kills); SC_THREAD(other); }
	void waits()
	{
		victim = sc_get_current_process_handle();
		wait(never);
	}
	void kills()
	{
		wait(1, SC_NS);
		victim.kill();
	}
	void other() { wait(1, SC_NS); }
};
int sc_main(int, char **)
{
	top t("top");
	sc_start();
	return !t.victim.terminated();
}
