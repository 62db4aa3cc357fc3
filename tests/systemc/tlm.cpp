// Two initiators of TLM transactions and their target, and users of a tlm_fifo; the argument says what they do.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>
#include <tlm.h>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstring>
#include <string>

static std::string what;

struct memory : sc_module {
    tlm_utils::simple_target_socket<memory> a{"a"}, b{"b"};
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> queue{"queue"};
    unsigned char bytes[64] = {};
    int count = 0;
    sc_mutex m;
    SC_HAS_PROCESS(memory);
    memory(sc_module_name n) : sc_module(n)
    {
        a.register_b_transport(this, &memory::transport);
        b.register_b_transport(this, &memory::transport);
        SC_THREAD(pull);
    }
    void move(tlm::tlm_generic_payload &t)
    {
        unsigned char *p = bytes + t.get_address();
        if (t.is_write())
            memcpy(p, t.get_data_ptr(), t.get_data_length());
        else
            memcpy(t.get_data_ptr(), p, t.get_data_length());
    }
    void transport(tlm::tlm_generic_payload &t, sc_time &delay)
    {
        if (what == "count")
            count++;
        if (what == "locked")
            m.lock();
        if (what == "queue")
            queue.notify(t, SC_ZERO_TIME);
        else
            move(t);
        if (what == "locked")
            m.unlock();
        delay += sc_time(1, SC_NS);
        t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void pull()
    {
        for (;;) {
            wait(queue.get_event());
            while (tlm::tlm_generic_payload *t = queue.get_next_transaction())
                move(*t);
        }
    }
};

struct cpu : sc_module {
    tlm_utils::simple_initiator_socket<cpu> s{"s"};
    tlm::tlm_generic_payload t;
    int data = 0;
    SC_HAS_PROCESS(cpu);
    cpu(sc_module_name n, unsigned at, tlm::tlm_command c) : sc_module(n)
    {
        t.set_command(c);
        t.set_address(at);
        t.set_data_ptr((unsigned char *)&data);
        t.set_data_length(sizeof data);
        t.set_streaming_width(sizeof data);
        SC_THREAD(run);
    }
    void run()
    {
        sc_time delay = SC_ZERO_TIME;
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        s->b_transport(t, delay);
        wait(delay);
    }
};

struct users : sc_module {
    tlm::tlm_fifo<int> f{2};
    int got = 0;
    SC_HAS_PROCESS(users);
    users(sc_module_name n) : sc_module(n)
    {
        SC_THREAD(in);
        SC_THREAD(out);
    }
    void in()
    {
        if (what == "fifo")
            for (int i = 0; i < 3; i++)
                f.put(i);
    }
    void out()
    {
        for (int i = 0; i < 3 && what == "fifo"; i++)
            got += f.get();
    }
};

int sc_main(int, char **argv)
{
    what = argv[1];
    bool same = what == "moved" || what == "locked";
    static memory mem("mem");
    static users u("u");
    static cpu c0("c0", 0, tlm::TLM_WRITE_COMMAND), c1("c1", same ? 0 : 8, tlm::TLM_READ_COMMAND);
    c0.s.bind(mem.a);
    c1.s.bind(mem.b);
    sc_start();
    return 0;
}
