// A POSIX thread asks for an update of a channel (async_request_update) while a process waits three times. The update is performed at the end of
// a delta cycle, and the process sees it after as many of its waits as the order of the threads allows, or never. Writes to descriptor 9 what the
// process saw. -DBUG: one of the outcomes fails.
#include <systemc.h>
#include <cassert>
#include <pthread.h>
#include <unistd.h>
struct channel : sc_prim_channel {
    int updates = 0;
    explicit channel(const char *name) : sc_prim_channel(name) {}
    void ask() { async_request_update(); }
    void update() override { updates++; }
};
SC_MODULE(top) {
    channel c;
    char seen[5] = "----";
    SC_CTOR(top) : c("c") { SC_THREAD(looks); }
    void looks()
    {
        for (int i = 0; i < 3; i++) {
            wait(1, SC_NS);
            seen[i] = (char)('0' + c.updates);
        }
    }
};
static void *ask(void *c)
{
    static_cast<channel *>(c)->ask();
    return nullptr;
}
int sc_main(int, char **)
{
    top t("top");
    pthread_t p;
    pthread_create(&p, nullptr, ask, &t.c);
    sc_start(5, SC_NS);
    pthread_join(p, nullptr);
    t.seen[3] = '\n';
#ifdef BUG
    assert(t.seen[1] != '1' || t.seen[0] == '1');
#endif
    return write(9, t.seen, 4) == 4 ? 0 : 3;
}
