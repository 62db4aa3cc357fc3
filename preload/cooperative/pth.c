/*
 * The order of the threads of GNU Pth.
 *
 * Pth's scheduler has a queue of ready threads, sorted by priority; those of equal priority stand in the order in
 * which they became ready. It takes the first one with __pth_pqueue_delmax. Before this call returns, simul moves the
 * thread that the search chose to the front, with the library's own function for that (__pth_pqueue_favorite, which
 * pth_yield uses). A thread gets its ordinary priority again when it returns to the queue, so what was chosen has no
 * effect on later choices.
 */
#include "preload/cooperative/pth.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "preload/base/hook_types.h"
#include "preload/base/real.h"
#include "preload/control/ctl.h"
#include "preload/cooperative/label_text.h"
#include "preload/cooperative/library.h"
#include "preload/hooks/choose.h"
#include "preload/hooks/context.h"
#include "preload/life/run.h"
#include "sched/choice.h"
#include "sched/policy.h"
#include "preload/base/rules.h"

#define INTERPOSED(result, name, arguments, symbol) HOOK_EXPORT result pth_##name arguments __asm__(#symbol);
#include "preload/cooperative/pth.def"
#undef INTERPOSED

/* A thread, and the queue, which is a ring. The first thread has the highest priority. */
struct pth_thread {
	struct pth_thread *next, *previous;
	int queue_priority, priority;
	char name[40];
};
struct pth_queue {
	struct pth_thread *first;
	int threads;
};
_Static_assert(offsetof(struct pth_thread, name) == 0x18, "as in the known builds");
_Static_assert(offsetof(struct pth_queue, threads) == 8, "as in the known builds");

/* Builds whose data looks like that: Debian's libpth20 2.0.7-22, amd64. */
static const unsigned char known_builds[][LIBRARY_BUILD_ID] = {
	{ 0x93, 0x8c, 0x69, 0x4d, 0x7f, 0x24, 0x19, 0x46, 0x15, 0x8b,
		0xa0, 0xdf, 0x76, 0x84, 0x39, 0xa2, 0x29, 0x16, 0xd0, 0x99 },
};

/* The library. It stays the same in all executions. */
static void *(*real_take_first)(void *queue);
static int (*move_to_front)(void *queue, void *thread);
static const struct pth_queue *ready; /* NULL if the build is not known */

/* Private memory: each execution begins with the values at the checkpoint. */
static struct policy_state policy = { .policy = POLICY_PTH };
static bool own_order; /* more threads were ready than a choice has values: from there on, Pth keeps its own order */

static bool is_known(const struct library *l)
{
	for (size_t i = 0; i < sizeof known_builds / sizeof known_builds[0]; i++)
		if (library_is(l, known_builds[i]))
			return true;
	return false;
}

/* Finds the library that contains the code at `pc`; NULL: finds it by its name. */
static void find(const void *pc)
{
	struct library l = library_find("libpth.so", pc);
	if (!l.path)
		return;
	void *library = real_dlopen(l.path, RTLD_LAZY | RTLD_NOLOAD);
	*(void **)(void *)&real_take_first = real_dlsym(library, "__pth_pqueue_delmax");
	if (ctl_state != CTL_ON && !ctl_inside)
		return; /* in a process that simul does not control */
	context_known(l.code, l.code_end);
	if (ctl_session->config.settings.pth_order)
		policy.policy = POLICY_PTH_ANY;
	if (is_known(&l)) {
		*(void **)(void *)&move_to_front = real_dlsym(library, "__pth_pqueue_favorite");
		ready = real_dlsym(library, "__pth_RQ");
	} else if (policy_what_if(policy.policy)) {
		struct session_policies *policies = &ctl_session->ctl.facts.policies;
		policies->unknown |= POLICY_BIT(policy.policy);
		strncpy(policies->path, l.path, sizeof policies->path - 1);
	}
}

void pth_find(void)
{
	find(NULL);
}

static void look(const void *pc)
{
	if (real_take_first)
		return;
	bool inside = ctl_enter();
	find(pc);
	if (inside)
		ctl_leave();
}

/* Records the choice as a label: "Pth: b before a, main". */
static void label_choice(const struct pth_thread *chosen)
{
	char text[SESSION_LABEL_TEXT] = "";
	if (!choose_labels_kept())
		return;
	size_t used = label_add(text, 0, "Pth: ", SIZE_MAX);
	used = label_add(text, used, chosen->name, sizeof chosen->name);
	const char *before = " before ";
	const struct pth_thread *t = ready->first;
	for (int i = 0; i < ready->threads; i++, t = t->next)
		if (t != chosen) {
			used = label_add(text, used, before, SIZE_MAX);
			used = label_add(text, used, t->name, sizeof t->name);
			before = ", ";
		}
	choose_label(LABEL_PROGRAM, text);
}

/* Returns the thread that runs next, or NULL if it is the one that Pth itself takes. */
static struct pth_thread *choose_next(const void *pc)
{
	struct policy_point point = { (uint32_t)ready->threads, 0 };
	unsigned values = policy_values(&policy, point);
	if (point.ready && !values) {
		ctl_session->ctl.facts.policies.full |= POLICY_BIT(policy.policy);
		own_order = true;
	}
	if (values < 2)
		return NULL;
	unsigned at = policy_thread(point, (unsigned)choose_value(values, pc));
	struct pth_thread *t = ready->first;
	for (unsigned i = 0; i < at; i++)
		t = t->next;
	label_choice(t);
	return at ? t : NULL;
}

/* Called where the scheduler takes its next thread. Returns the thread that it takes, NULL: the one that it would
   take itself. */
static struct pth_thread *order(const void *queue, const void *pc)
{
	bool any = policy_what_if(policy.policy);
	if (any && queue != ready)
		return NULL;
	ctl_session->ctl.facts.policies.ran |= POLICY_BIT(policy.policy);
	if (!any || own_order)
		return NULL;
	run_checkpoint(); /* executions start no later than at the first thread */
	return choose_next(pc);
}

void *pth_take_first(void *queue)
{
	const void *pc = __builtin_return_address(0);
	struct pth_thread *next = NULL;
	look(pc);
	if (ctl_enter_unnoticed()) {
		next = order(queue, pc);
		ctl_leave();
	}
	if (next)
		move_to_front(queue, next);
	return real_take_first(queue);
}
