#include "tests/unit/lib_hb.h"

struct event test_access(unsigned t, unsigned kind, unsigned first, unsigned last, unsigned flags)
{
	struct event e = { .thread = (thread_id)t, .kind = (uint8_t)kind, .flags = (uint8_t)flags };
	e.obj[0] = TEST_CELL + first / 16;
	e.obj[1] = last / 16 == first / 16 ? 0 : TEST_CELL + last / 16;
	e.span = (uint8_t)(first % 16 | last % 16 << 4);
	e.mode[0] = kind == EV_LOAD || (flags & EVF_FAILED) ? M_READ : M_WRITE;
	e.mode[1] = e.obj[1] ? e.mode[0] : M_NONE;
	return e;
}

struct event test_buffered(unsigned t, unsigned k, unsigned first, unsigned last, unsigned flags)
{
	struct event e = test_access(t, EV_STORE, first, last, flags);
	e.mode[0] = M_BUFFER;
	e.mode[1] = e.obj[1] ? M_BUFFER : M_NONE;
	e.result = TEST_AGENT(t, k);
	return e;
}

struct event test_update(const struct event *store, uint32_t number)
{
	struct event e = *store;
	e.kind = EV_UPDATE;
	e.mode[0] = M_WRITE;
	e.mode[1] = e.obj[1] ? M_WRITE : M_NONE;
	e.thread = (thread_id)store->result;
	e.result = update_result(store->thread, number, 0);
	return e;
}
