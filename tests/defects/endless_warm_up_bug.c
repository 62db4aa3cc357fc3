/* The program of endless_warm_up.c with two rounds, whose bug needs three threads and many switches. The search ended after half a minute, saying
 * that the program is not deterministic.
 * check: incomplete never=not_deterministic : --jobs 1 --executions 200 --seed 2 --
 * long: bug kind=assert never=not_deterministic : --jobs 1 --time 600s --seed 2 --no-minimize --
 * long: bug kind=assert never=not_deterministic : --jobs 1 --time 600s --seed 1 --
 */
#define ROUNDS 2
#include "endless_warm_up.c"
