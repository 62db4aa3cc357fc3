// Two processes of one delta cycle, or what only looks so; the argument says what they do. `level` is the variable of which the test speaks.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

struct top : sc_module {
    SC_HAS_PROCESS(top);
    std::string what;
    int level = 0, seen = 0;
    bool done = false;
    sc_uint<8> number = 0;
    std::atomic<int> atomic{0};
    sc_event event, link;
    alignas(8) volatile char part[2] = {};
    char large[40000];
    sc_signal<int> s;
    sc_fifo<int> f{4};
    sc_mutex m, other;
    std::deque<sc_mutex> many;
    top(sc_module_name n, const char *w) : sc_module(n), what(w)
    {
        if (what == "methods") {
            SC_METHOD(first);
            SC_METHOD(second);
        } else {
            SC_THREAD(first);
            SC_THREAD(second);
        }
        if (what == "third" || what == "chain" || what == "unknown_too")
            SC_THREAD(idle);
        if (what == "many")
            many.resize(65);
    }
    void set() { level = 1; } // writes level
    void get() { seen = level; } // reads level
    bool late() // the other process was here before
    {
        m.lock();
        bool before = done;
        done = true;
        m.unlock();
        return before;
    }
    void first()
    {
        if (what == "racy" || what == "third")
            set();
        else if (what == "bytes") {
            part[0] = 1;
            part[1] = 2;
        } else if (what == "again") {
            level = 1;
            wait(event);
            level = 2;
        } else if (what == "chain") {
            level = 1;
            event.notify();
        } else if (what == "unknown" || what == "unknown_too") {
            level = 8;
            memset(large, seen, sizeof large);
        }
        else if (what == "methods")
            level = 2;
        else if (what == "once") {
            if (!late())
                level = 6;
        }
        else if (what == "value")
            number = 5;
        else if (what == "notified" || what == "delta" || what == "ordered") {
            if (what == "ordered")
                wait(SC_ZERO_TIME);
            level = 1;
            what == "delta" ? event.notify(SC_ZERO_TIME) : event.notify();
        } else if (what == "spawned") {
            level = 1;
            sc_spawn([this] { get(); }, "late");
        } else if (what == "signal") {
            s.write(1);
            f.nb_write(1);
        } else if (what == "atomic")
            atomic++;
        else if (what == "mutex" || what == "unlocked" || what == "others") {
            m.lock();
            level++;
            m.unlock();
        } else if (what == "many") {
            for (sc_mutex &one : many) {
                one.lock();
                one.unlock();
            }
            wait(SC_ZERO_TIME);
            level = 7;
        } else if (what == "released") {
            m.lock();
            level++;
            m.unlock();
            level--;
        } else if (what == "held") {
            m.trylock();
            level = 4;
            wait(SC_ZERO_TIME);
            wait(1, SC_NS);
            level = 5;
            m.unlock();
        }
    }
    void second()
    {
        if (what == "racy" || what == "third" || what == "unknown" || what == "unknown_too")
            get();
        else if (what == "bytes")
            seen = part[1];
        else if (what == "again")
            event.notify();
        else if (what == "chain") {
            wait(event);
            link.notify();
        }
        else if (what == "methods")
            level = 3;
        else if (what == "once") {
            if (late())
                seen = level;
        }
        else if (what == "value")
            seen = number;
        else if (what == "notified" || what == "delta" || what == "ordered") {
            wait(event);
            get();
        } else if (what == "signal") {
            seen = s.read();
            f.nb_read(seen);
            f.nb_write(2);
        } else if (what == "atomic")
            atomic++;
        else if (what == "mutex" || what == "released" || what == "held") {
            m.lock();
            level++;
            m.unlock();
        } else if (what == "unlocked")
            level++;
        else if (what == "many") {
            wait(SC_ZERO_TIME);
            level++;
        } else if (what == "others") {
            other.lock();
            level++;
            other.unlock();
        }
    }
    void idle()
    {
        if (what == "chain") {
            wait(link);
            get();
        } else if (what == "unknown_too")
            level = 9;
    }
};

int sc_main(int, char **argv)
{
    sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
#ifndef ON_STACK
    static
#endif
    top t("bus", argv[1]);
    sc_start();
    return 0;
}
