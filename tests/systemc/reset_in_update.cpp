// Two threads write to a signal each. One of the signals resets a method, at once when it is updated: the method sees the other signal before or
// after its update. 2 orders, which differ. -DBUG: one of them fails. -DSPAWN: the method is a spawned one.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>
#include <cassert>
SC_MODULE(top) {
    sc_signal<bool> reset;
    sc_signal<int> other;
    sc_event never;
    int runs = 0, seen = 0;
    SC_CTOR(top)
    {
#ifdef SPAWN
        sc_spawn_options o;
        o.spawn_method();
        o.dont_initialize();
        o.async_reset_signal_is(reset, true);
        sc_spawn([this] { is_reset(); }, "is_reset", &o);
#else
        SC_METHOD(is_reset); dont_initialize(); async_reset_signal_is(reset, true);
#endif
        SC_THREAD(resets);
        SC_THREAD(writes);
    }
    void resets() { reset.write(true); wait(never); } // threads that end in one phase would depend on each other
    void writes() { other.write(1); wait(never); }
    void is_reset()
    {
        runs++;
        seen = other.read();
#ifdef BUG
        assert(seen == 0);
#endif
    }
};
int sc_main(int, char **)
{
    top t("top");
    sc_start();
    return t.runs != 1;
}
