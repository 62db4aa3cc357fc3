/* The plan: where it comes from, its tables, and which of its threads the running one is. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/lib/gate_internal.h"

#define SPIN_ROUNDS 200

struct plan *gate_plan;
int gate_pid;
uint64_t *gate_address;
struct plan_progress *gate_progress;
const struct plan_event *gate_events;
const struct plan_thread *gate_threads;
const struct plan_object *gate_objects;
const uint32_t *gate_mine;
bool *gate_sent_to;
uint32_t *gate_dependent, gate_n_dependent;

uint32_t gate_child(uint32_t parent, uint32_t child)
{
	for (uint32_t t = 1; parent != PLAN_NONE && t < gate_plan->n_threads; t++)
		if (thread_at(t)->parent == parent && thread_at(t)->child == child)
			return t;
	return PLAN_NONE;
}

static void become(uint32_t thread)
{
	self = (struct self){.thread = thread, .known = true};
	if (thread != PLAN_NONE)
		gate_progress[thread].tid = (uint32_t)syscall(SYS_gettid);
}

void gate_thread(uint32_t parent, uint32_t child)
{
	become(gate_child(parent, child));
}

void gate_start(void)
{
	if (!gate_plan || self.known)
		return;
	become(0);
	if (certified())
		__atomic_store_n(&gate_on, true, __ATOMIC_SEQ_CST);
}

void *gate_room(uint64_t bytes)
{
	void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		gate_refuse("no memory to enforce the certificate with");
	return p;
}

static void look_at_events(void)
{
	gate_sent_to = gate_room(gate_plan->n_threads);
	gate_dependent = gate_room(gate_plan->n_events * sizeof(*gate_dependent));
	for (uint32_t i = 0; i < gate_plan->n_events; i++) {
		const struct plan_event *e = event_at(i);

		if ((e->kind == EV_SIGNAL_SEND || e->kind == EV_THREAD_CANCEL) && e->object[0])
			gate_sent_to[object_at(e->object[0] - 1)->thread] = true;
		if (event_kind_flags(e->kind) & K_ALL)
			gate_dependent[gate_n_dependent++] = i;
	}
}

bool gate_init(void)
{
	const char *number = getenv(PLAN_ENV);
	int fd = number ? atoi(number) : -1;
	struct stat st;

	if (!number || fstat(fd, &st) || (uint64_t)st.st_size < sizeof(struct plan))
		return false;
	gate_plan = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	close(fd);
	if (gate_plan == MAP_FAILED || gate_plan->magic != PLAN_MAGIC) {
		gate_plan = NULL;
		return false;
	}
	if (gate_plan->version != PLAN_VERSION || gate_plan->size != (uint64_t)st.st_size)
		gate_refuse("libsimul_enforce.so is of another version than the simul that started the program");
	gate_progress = (struct plan_progress *)((char *)gate_plan + gate_plan->progress);
	gate_events = plan_at(gate_plan->events);
	gate_threads = plan_at(gate_plan->threads);
	gate_objects = plan_at(gate_plan->objects);
	gate_mine = plan_at(gate_plan->mine);
	gate_address = gate_room(gate_plan->n_objects * sizeof(*gate_address));
	look_at_events();
	gate_pid = getpid();
	gate_spin_rounds = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SPIN_ROUNDS : 0;
	return true;
}
