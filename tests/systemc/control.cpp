// A process acts on a victim while a third process is runnable. What the victim does at once belongs to the step of the process that acts.
//
// -DACTION=1: it kills the victim, 2: resets it, 3: throws an exception into it. -DBY_METHOD: the process that acts is a method, else a thread.
// -DOF_METHOD: the victim is a method. -DREADY: the victim is runnable as well, at first.
//
// Each process starts at 0 ns, in 6 orders. At 1 ns there are 2 orders of the others if the victim is not runnable, and if it is, 5: after the
// action the victim no longer is, so it runs before the action or not at all. Steps at 0 ns are independent, and those of the victim and the
// third process: 2 and 4 classes.
#include <systemc.h>
SC_MODULE(top) {
    struct thrown {};
    sc_event never;
    sc_process_handle victim;
    int starts = 0, at_once = 0, acted = 0, others = 0;
    SC_CTOR(top)
    {
#ifdef OF_METHOD
        SC_METHOD(method_victim);
#else
        SC_THREAD(thread_victim);
#endif
#ifdef BY_METHOD
        SC_METHOD(acts_once);
#else
        SC_THREAD(acts);
#endif
        SC_THREAD(other);
    }
    struct leave {
        int *count;
        ~leave() { ++*count; }
    };
    void thread_victim()
    {
        leave at_the_end = { &at_once };
        victim = sc_get_current_process_handle();
        starts++;
        try {
#ifdef READY
            if (starts == 1)
                wait(1, SC_NS);
#endif
            wait(never);
        } catch (const thrown &) {
        }
    }
    void method_victim()
    {
        if (victim.valid())
            at_once++;
        victim = sc_get_current_process_handle();
#ifdef READY
        if (!starts++)
            next_trigger(1, SC_NS);
        else
#endif
            next_trigger(never);
    }
    void acts()
    {
        wait(1, SC_NS);
        act();
    }
    void acts_once()
    {
        if (sc_time_stamp() == SC_ZERO_TIME)
            next_trigger(1, SC_NS);
        else
            act();
    }
    void act()
    {
        int before = at_once;
#if ACTION == 1
        victim.kill();
        acted = victim.terminated() && at_once == before + 1;
#elif ACTION == 2
        victim.reset();
        acted = !victim.terminated() && at_once == before + 1;
#else
        victim.throw_it(thrown());
        acted = victim.terminated() && at_once == before + 1;
#endif
    }
    void other()
    {
        wait(1, SC_NS);
        others++;
    }
};
int sc_main(int, char **)
{
    top t("top");
    sc_start();
    return !t.acted || t.others != 1;
}
