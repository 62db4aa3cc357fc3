// Two processes do the same in one phase; the argument says what.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>

static thread_local int of_thread;

struct top : sc_module {
    SC_HAS_PROCESS(top);
    std::string what;
    int fd = open("/etc/passwd", O_RDONLY);
    FILE *stream = fopen("/etc/passwd", "r");
    int read_only = 3;
    struct { char a, b; } pair{};
    int result[2];
    sc_signal<int> s[2];
    sc_mutex m;
    top(sc_module_name n, const char *w) : sc_module(n), what(w)
    {
        SC_THREAD(first);
        SC_THREAD(second);
    }
    void act(int i)
    {
        if (what == "read")
            result[i] = read_only;
        else if (what == "write")
            result[i] = i;
        else if (what == "byte")
            i ? (void)(pair.b = pair.a) : (void)(pair.a = 1);
        else if (what == "printf")
            printf("process %d\n", i);
        else if (what == "cout")
            std::cout << "process " << i << std::endl;
        else if (what == "heap")
            delete new int(i);
        else if (what == "signal")
            s[i].write(s[1 - i].read() + 1);
        else if (what == "static")
            result[i] = (int)sc_delta_count() + (int)sc_time_stamp().value();
        else if (what == "rand")
            result[i] = rand();
        else if (what == "clock")
            result[i] = (int)clock();
        else if (what == "descriptor")
            result[i] = (int)read(fd, &result[i], 1);
        else if (what == "stream")
            result[i] = fgetc(stream);
        else if (what == "thread_local")
            result[i] = of_thread++;
        else if (what == "errno")
            result[i] = errno++;
        else if (what == "environment")
            i ? (void)(result[i] = getenv("X") != nullptr) : (void)setenv("X", "1", 1);
        else if (what == "mutex")
            result[i] = m.trylock();
        else if (what == "suspend")
            i ? (void)sc_get_current_process_handle().disable() : (void)0;
        else if (what == "spawn")
            sc_spawn([] {}, sc_gen_unique_name("p"));
        else if (what != "nothing")
            abort();
    }
    void first() { for (;;) { act(0); wait(); } }
    void second() { for (;;) { act(1); wait(); } }
};

int sc_main(int, char **argv)
{
    sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
    top t("top", argv[1]);
    sc_start();
    return 0;
}
