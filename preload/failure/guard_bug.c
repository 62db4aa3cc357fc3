/* Reports a program that is about to write into simul's memory as a bug; see guard.h. */
#include "preload/base/guard.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"

#include "preload/base/rules.h"

const char guard_words[] = "the program wrote into simul's memory";

void guard_written(uint64_t addr)
{
	struct session_bug *b = bug_begin(BUG_CRASH);
	b->fault_addr = addr;
	bug_message(b, "%s", guard_words);
	b->stack.n = stack_here(b->stack.pc, SESSION_STACK);
	bug_sign(b);
	bug_die();
}
