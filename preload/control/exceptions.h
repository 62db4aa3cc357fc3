/* What the program did that simul knows how to name but not to explore. The verdict is then "complete, except for ...". */
#ifndef SIMUL_EXCEPTIONS_H
#define SIMUL_EXCEPTIONS_H

#include "base/session.h"

/* Notes that the running execution did this at the return address pc (0: unknown) while several threads lived. With one thread nobody could notice,
   so nothing is noted. */
void except_for(enum session_exception what, uint64_t pc);

/* The same for something that was noticed only now: other threads lived when it was done. */
void except_for_past(enum session_exception what, uint64_t pc);

/* The same for something that lasts: also notes it if several threads live later. */
void except_from_now(enum session_exception what, uint64_t pc);
/* Call it when a thread has been created. */
void except_thread_created(void);

#endif
