/*
 * Races between SystemC's processes: two steps of one evaluation phase access the same memory, one of them writes, and
 * the kernel does not order them.
 *
 * The kernel orders two steps of a phase if the first one made the process of the second one runnable (by immediate
 * notification, or because it created the process), if both are steps of one process, or if there is a third step
 * between them in this order.
 *
 * Call these functions inside simul, and only if footprints of steps are recorded (systemc_steps.h).
 */
#ifndef SIMUL_SYSTEMC_PHASE_H
#define SIMUL_SYSTEMC_PHASE_H

#include <stdbool.h>
#include <stdint.h>

struct step_word;

/* These processes are runnable, at a boundary between two processes. */
void phase_runnable(void *const *process, unsigned n);
/* Returns whether the footprint of a step that begins now, of the only runnable process, may be part of a race. */
bool phase_wants_forced(void);
/* The step of this process begins. */
void phase_begin(void *process);
/* The step ended with this footprint, which is sorted. UINT32_MAX words: it is unknown. Reports its races with earlier
   steps. */
void phase_end(const struct step_word *word, uint32_t words);
/* The evaluation phase is over. */
void phase_over(void);

#endif
