// A model from its first argument (models.py says how it is written). Writes at the end what its processes saw to descriptor 9, so that two
// orders with the same line have the same outcome. -DNO_TIME_OUTS: no process waits for an event and a timeout; where one does, delayed
// notifications depend on each other.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>
static const unsigned N = 4; // processes at most

// A channel of the program: its update reads what the update of another one writes.
struct counter : sc_prim_channel {
    unsigned next, *shared, seen;
    counter(const char *name, unsigned *shared) : sc_prim_channel(name), next(0), shared(shared), seen(0) {}
    void write(unsigned v) { next = v; request_update(); }
    void update() override { seen = seen * 31 + *shared; *shared = *shared * 7 + next; }
};

struct top : sc_module {
    SC_HAS_PROCESS(top);
    sc_event e[3];
    unsigned char v[8]; // neighbours in one word
    unsigned shared;
    sc_signal<unsigned, SC_MANY_WRITERS> s0, s1;
    sc_signal<bool, SC_MANY_WRITERS> b;
    sc_fifo<unsigned> f;
    sc_mutex mutex;
    sc_semaphore semaphore;
    sc_event_queue queue;
    counter c0, c1;
    std::vector<std::vector<std::string>> steps; // by process
    bool method[N];
    unsigned seen[N], at[N], controls[N];
    std::vector<sc_process_handle> handle; // by process, if the model has operations on processes
    struct thrown {};
    // Says at the end of a thread whether an exception ends it.
    struct guard {
        top *t;
        unsigned i;
        bool returns;
        ~guard() { if (!returns) t->see(i, 99), t->v[3] = (unsigned char)t->seen[i]; }
    };

    top(sc_module_name name, const char *model) : sc_module(name), shared(1), s0("s0"), s1("s1"), b("b"), f("f", 1), mutex("mutex"),
        semaphore("semaphore", 1), queue("queue"), c0("c0", &shared), c1("c1", &shared)
    {
        memset(v, 0, sizeof v);
        for (const char *p = model; *p;) { // M or T, steps that end in '.', and '/'
            method[steps.size()] = *p++ == 'M';
            steps.emplace_back(1);
            for (; *p && *p != '/'; p++)
                if (*p == '.')
                    steps.back().emplace_back();
                else
                    steps.back().back() += *p;
            p += *p == '/';
            steps.back().pop_back();
        }
        for (unsigned i = 0; i < steps.size(); i++) {
            seen[i] = i + 1, at[i] = controls[i] = 0;
            sc_spawn_options o;
            if (method[i])
                o.spawn_method();
            o.set_sensitivity(&e[0]);
            sc_process_handle h = sc_spawn([this, i] { method[i] ? step(i) : run(i); }, ("p" + std::to_string(i)).c_str(), &o);
            if (strpbrk(model, "KRE"))
                handle.push_back(h);
        }
    }
    void see(unsigned i, unsigned x) { seen[i] = seen[i] * 31 + x; }
    // Performs the operation `o` on `k`. Returns false if the process waits.
    void perform(unsigned i, char o, unsigned k)
    {
        switch (o) {
        case 'r': see(i, v[k]); break;
        case 'w': v[k] = (unsigned char)seen[i]; break;
        case 'n': e[k].notify(); break;
        case 'd': e[k].notify(SC_ZERO_TIME); break;
        case 't': e[k].notify(1, SC_NS); break;
        case 'u': e[k].notify(2, SC_NS); break;
        case 'c': e[k].cancel(); break;
        case 'q': see(i, e[k].triggered()); break;
        case 'S': (k ? s1 : s0).write(seen[i]); break;
        case 's': see(i, (k ? s1 : s0).read()); break;
        case 'B': b.write(seen[i] & 1); break;
        case 'b': see(i, b.read()); break;
        case 'F': see(i, f.nb_write(seen[i])); break;
        case 'f': { unsigned x = 0; see(i, f.nb_read(x)); see(i, x); break; }
        case 'l': see(i, mutex.trylock() == 0); break;
        case 'L': see(i, mutex.unlock() == 0); break;
        case 'p': see(i, semaphore.trywait() == 0); break;
        case 'P': semaphore.post(); break;
        case 'Q': queue.notify(k, SC_NS); break;
        case 'k': queue.cancel_all(); break;
        case 'C': (k ? c1 : c0).write(seen[i]); break;
        case 'K': case 'R': case 'E': control(i, o, k % (unsigned)handle.size()); break;
        }
    }
    // Kills or resets process k, or throws an exception into it. A process does so three times at most, since two can reset each other for ever.
    // SystemC does not support exceptions thrown into threads that ended.
    void control(unsigned i, char o, unsigned k)
    {
        if (controls[i]++ >= 3 || handle[k].terminated())
            return;
        if (o == 'K')
            handle[k].kill();
        else if (o == 'R')
            handle[k].reset();
        else if (!method[k])
            handle[k].throw_it(thrown());
    }
    void operations(unsigned i, const std::string &ops)
    {
        for (unsigned p = 0; p + 1 < ops.size(); p += 2)
            perform(i, ops[p], (unsigned)(ops[p + 1] - '0'));
        see(i, (unsigned)sc_delta_count());
    }
    static const char *end(const std::string &ops) { return ops.c_str() + ops.size() - 2; }
    void run(unsigned i)
    {
        guard g = { this, i, false };
        for (auto &ops : steps[i])
            try {
                run_step(i, ops);
            } catch (const thrown &) {
                see(i, 66);
                v[4] = (unsigned char)seen[i];
            }
        g.returns = true;
    }
    void run_step(unsigned i, const std::string &ops)
    {
        operations(i, ops.substr(0, ops.size() - 2));
        unsigned k = (unsigned)(end(ops)[1] - '0');
        switch (*end(ops)) {
        case 'W': wait(e[k]); break;
        case 'O': wait(e[k] | e[(k + 1) % 3]); break;
        case 'A': wait(e[k] & e[(k + 1) % 3]); break;
#ifndef NO_TIME_OUTS
        case 'X': wait(sc_time(1, SC_NS), e[k]); see(i, timed_out()); break;
#else
        case 'X': wait(1, SC_NS); break;
#endif
        case 'Z': wait(SC_ZERO_TIME); break;
        case 'N': wait(k + 1, SC_NS); break;
        case 'Y': wait(); break;
        case 'D': wait(queue.default_event()); break;
        case 'V': wait(b.value_changed_event()); break;
        }
        see(i, (unsigned)sc_delta_count());
    }
    void step(unsigned i)
    {
        if (at[i] == steps[i].size()) {
            see(i, 77);
            return;
        }
        auto &ops = steps[i][at[i]++];
        operations(i, ops.substr(0, ops.size() - 2));
        unsigned k = (unsigned)(end(ops)[1] - '0');
        switch (*end(ops)) {
        case 'W': next_trigger(e[k]); break;
        case 'O': next_trigger(e[k] | e[(k + 1) % 3]); break;
        case 'A': next_trigger(e[k] & e[(k + 1) % 3]); break;
#ifndef NO_TIME_OUTS
        case 'X': next_trigger(sc_time(1, SC_NS), e[k]); break;
#else
        case 'X': next_trigger(1, SC_NS); break;
#endif
        case 'Z': next_trigger(SC_ZERO_TIME); break;
        case 'N': next_trigger(k + 1, SC_NS); break;
        case 'D': next_trigger(queue.default_event()); break;
        case 'V': next_trigger(b.value_changed_event()); break;
        }
    }
};

int sc_main(int argc, char **argv)
{
    sc_report_handler::set_actions(SC_INFO, SC_DO_NOTHING);
    sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
    top t("top", argc > 1 ? argv[1] : "Tw0r1W0./Tw1r0n0W1.");
    sc_start(20, SC_NS);
    std::string line;
    auto add = [&](unsigned x) { line += std::to_string(x) + ' '; };
    for (unsigned i = 0; i < t.steps.size(); i++)
        add(t.seen[i]);
    for (unsigned char x : t.v)
        add(x);
    add(t.s0.read()), add(t.c0.seen), add(t.c1.seen), add(t.shared), add((unsigned)t.f.num_available());
    line += '\n';
    return write(9, line.data(), line.size()) == (ssize_t)line.size() ? 0 : 3;
}
