/*
 * A thread calls a function for a lock or another synchronisation object; another thread frees the memory in which the object lies, and nothing orders the
 * two. Each such call is a use after free: in an order in which the free comes first, or in which it comes while the call waits. All calls were "complete", as
 * far as the object was not destroyed before. The first argument is the call, the second one what happens to the memory:
 *
 *   heap       freed meanwhile
 *   turned     freed by the thread, while the first thread makes the call: another order is the first one
 *   destroyed  destroyed and freed meanwhile
 *   stack      its stack frame is left meanwhile
 *   joined     freed when the thread has ended, which is right
 *   handed     freed by the thread after its call, which is right
 *
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex_at_the_beginning_of_a_block replays=20 : -- mutex_lock heap
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_init turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_init heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_init stack
 * long: complete : -- mutex_init joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_lock turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_lock stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_lock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_lock destroyed
 * long: complete : -- mutex_lock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_trylock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_trylock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_trylock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_trylock stack
 * long: complete : -- mutex_trylock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_timedlock turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_timedlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_timedlock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_timedlock stack
 * check: complete : -- mutex_timedlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_clocklock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_clocklock destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_clocklock heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_clocklock stack
 * long: complete : -- mutex_clocklock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_unlock turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_unlock stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_unlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_unlock destroyed
 * long: complete : -- mutex_unlock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mutex_destroy turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_destroy heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mutex_destroy destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mutex_destroy stack
 * long: complete : -- mutex_destroy handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cond_init turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_init heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cond_init stack
 * check: complete : -- cond_init handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cond_signal turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_signal destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_signal heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cond_signal stack
 * long: complete : -- cond_signal joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cond_broadcast turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cond_broadcast stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_broadcast heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_broadcast destroyed
 * long: complete : -- cond_broadcast joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cond_timedwait turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_timedwait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_timedwait destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cond_timedwait stack
 * long: complete : -- cond_timedwait joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cond_clockwait turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_clockwait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_clockwait destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cond_clockwait stack
 * check: complete : -- cond_clockwait joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cond_destroy turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_destroy destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cond_destroy heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cond_destroy stack
 * long: complete : -- cond_destroy handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_init turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_init stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_init heap
 * long: complete : -- rw_init handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_rdlock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_rdlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_rdlock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_rdlock stack
 * long: complete : -- rw_rdlock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_wrlock turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_wrlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_wrlock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_wrlock stack
 * check: complete : -- rw_wrlock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_tryrdlock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_tryrdlock destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_tryrdlock heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_tryrdlock stack
 * long: complete : -- rw_tryrdlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_trywrlock turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_trywrlock stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_trywrlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_trywrlock destroyed
 * long: complete : -- rw_trywrlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_timedrdlock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_timedrdlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_timedrdlock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_timedrdlock stack
 * long: complete : -- rw_timedrdlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_timedwrlock turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_timedwrlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_timedwrlock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_timedwrlock stack
 * check: complete : -- rw_timedwrlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_unlock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_unlock destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_unlock heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_unlock stack
 * long: complete : -- rw_unlock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_read-write_lock : -- rw_destroy turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_read-write_lock : -- rw_destroy stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_destroy heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_read-write_lock : -- rw_destroy destroyed
 * long: complete : -- rw_destroy handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_init turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_init heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_init stack
 * long: complete : -- sem_init handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_post turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_post heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_post destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_post stack
 * check: complete : -- sem_post handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_wait turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_wait destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_wait heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_wait stack
 * long: complete : -- sem_wait joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_trywait turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_trywait stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_trywait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_trywait destroyed
 * long: complete : -- sem_trywait joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_timedwait turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_timedwait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_timedwait destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_timedwait stack
 * long: complete : -- sem_timedwait joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_getvalue turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_getvalue heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_getvalue destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_getvalue stack
 * check: complete : -- sem_getvalue joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_semaphore : -- sem_destroy turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_destroy destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_semaphore : -- sem_destroy heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_semaphore : -- sem_destroy stack
 * long: complete : -- sem_destroy handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_spin_lock : -- spin_init turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_spin_lock : -- spin_init stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_init heap
 * long: complete : -- spin_init handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_spin_lock : -- spin_lock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_lock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_lock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_spin_lock : -- spin_lock stack
 * long: complete : -- spin_lock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_spin_lock : -- spin_trylock turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_trylock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_trylock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_spin_lock : -- spin_trylock stack
 * check: complete : -- spin_trylock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_spin_lock : -- spin_unlock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_unlock destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_unlock heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_spin_lock : -- spin_unlock stack
 * long: complete : -- spin_unlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_spin_lock : -- spin_destroy turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_spin_lock : -- spin_destroy stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_destroy heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_spin_lock : -- spin_destroy destroyed
 * long: complete : -- spin_destroy joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_barrier : -- barrier_init turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_barrier : -- barrier_init heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_barrier : -- barrier_init stack
 * long: complete : -- barrier_init joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_barrier : -- barrier_wait turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_barrier : -- barrier_wait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_barrier : -- barrier_wait destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_barrier : -- barrier_wait stack
 * check: complete : -- barrier_wait joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_barrier : -- barrier_destroy turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_barrier : -- barrier_destroy destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_barrier : -- barrier_destroy heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_barrier : -- barrier_destroy stack
 * long: complete : -- barrier_destroy handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mtx_init turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mtx_init stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_init heap
 * long: complete : -- mtx_init handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mtx_lock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_lock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_lock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mtx_lock stack
 * long: complete : -- mtx_lock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mtx_trylock turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_trylock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_trylock destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mtx_trylock stack
 * check: complete : -- mtx_trylock handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mtx_timedlock turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_timedlock destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_timedlock heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mtx_timedlock stack
 * long: complete : -- mtx_timedlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mtx_unlock turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mtx_unlock stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_unlock heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_unlock destroyed
 * long: complete : -- mtx_unlock joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_mutex : -- mtx_destroy turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_destroy heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_mutex : -- mtx_destroy destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_mutex : -- mtx_destroy stack
 * long: complete : -- mtx_destroy joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cnd_init turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_init heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cnd_init stack
 * check: complete : -- cnd_init joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cnd_signal turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_signal destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_signal heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cnd_signal stack
 * long: complete : -- cnd_signal handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cnd_broadcast turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cnd_broadcast stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_broadcast heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_broadcast destroyed
 * long: complete : -- cnd_broadcast handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cnd_timedwait turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_timedwait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_timedwait destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cnd_timedwait stack
 * long: complete : -- cnd_timedwait handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_condition_variable : -- cnd_destroy turned
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_destroy heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_condition_variable : -- cnd_destroy destroyed
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_condition_variable : -- cnd_destroy stack
 * check: complete : -- cnd_destroy handed
 * check: bug kind=memory says=use_after_free._T0_uses_a_one-time_initialisation : -- once turned
 * check: bug kind=memory says=use_after_free._T0.1_uses_a_one-time_initialisation : -- once destroyed
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_one-time_initialisation : -- once heap
 * long: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_one-time_initialisation : -- once stack
 * long: complete : -- once joined
 * check: bug kind=memory says=use_after_free._T0_uses_a_futex_word : -- futex_wait turned
 * check: bug kind=memory says=use_of_a_dead_stack_frame._T0.1_uses_a_futex_word : -- futex_wait stack
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_futex_word : -- futex_wait heap
 * long: bug kind=memory says=use_after_free._T0.1_uses_a_futex_word : -- futex_wait destroyed
 * long: complete : -- futex_wait joined
 * check: complete traces=1 : --strategy optimal -- mutex_lock joined
 * long: complete traces=1 : --strategy optimal -- cond_timedwait handed
 * long: bug kind=memory : --model tso -- mutex_lock heap
 * long: bug kind=memory : --threads kernel -- sem_post heap
 * long: bug kind=memory : --isolation fork -- rw_rdlock heap
 * long: bug kind=memory : --strategy optimal -- barrier_wait heap
 * long: bug kind=memory : --strategy exhaustive -- cond_signal heap
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

union object {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_rwlock_t rw;
	sem_t sem;
	pthread_spinlock_t spin;
	pthread_barrier_t barrier;
	pthread_once_t once;
	mtx_t mtx;
	cnd_t cnd;
	int word;
};

static const struct timespec at; /* long ago */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static mtx_t mtx;
static pthread_once_t fresh_once = PTHREAD_ONCE_INIT;
static int value;

static void nothing(void) {}

/* CALL(name, what makes the object, the call, what destroys it) */
#define CALLS \
	CALL(mutex_init, , pthread_mutex_init(&o->mutex, 0), pthread_mutex_destroy(&o->mutex)) \
	CALL(mutex_lock, pthread_mutex_init(&o->mutex, 0), (pthread_mutex_lock(&o->mutex), pthread_mutex_unlock(&o->mutex)), pthread_mutex_destroy(&o->mutex)) \
	CALL(mutex_trylock, pthread_mutex_init(&o->mutex, 0), (pthread_mutex_trylock(&o->mutex), pthread_mutex_unlock(&o->mutex)), pthread_mutex_destroy(&o->mutex)) \
	CALL(mutex_timedlock, pthread_mutex_init(&o->mutex, 0), (pthread_mutex_timedlock(&o->mutex, &at), pthread_mutex_unlock(&o->mutex)), pthread_mutex_destroy(&o->mutex)) \
	CALL(mutex_clocklock, pthread_mutex_init(&o->mutex, 0), (pthread_mutex_clocklock(&o->mutex, CLOCK_MONOTONIC, &at), pthread_mutex_unlock(&o->mutex)), pthread_mutex_destroy(&o->mutex)) \
	CALL(mutex_unlock, pthread_mutex_init(&o->mutex, 0), (pthread_mutex_lock(&o->mutex), pthread_mutex_unlock(&o->mutex)), pthread_mutex_destroy(&o->mutex)) \
	CALL(mutex_destroy, pthread_mutex_init(&o->mutex, 0), pthread_mutex_destroy(&o->mutex), ) \
	CALL(cond_init, , pthread_cond_init(&o->cond, 0), pthread_cond_destroy(&o->cond)) \
	CALL(cond_signal, pthread_cond_init(&o->cond, 0), pthread_cond_signal(&o->cond), pthread_cond_destroy(&o->cond)) \
	CALL(cond_broadcast, pthread_cond_init(&o->cond, 0), pthread_cond_broadcast(&o->cond), pthread_cond_destroy(&o->cond)) \
	CALL(cond_timedwait, pthread_cond_init(&o->cond, 0), (pthread_mutex_lock(&m), pthread_cond_timedwait(&o->cond, &m, &at), pthread_mutex_unlock(&m)), pthread_cond_destroy(&o->cond)) \
	CALL(cond_clockwait, pthread_cond_init(&o->cond, 0), (pthread_mutex_lock(&m), pthread_cond_clockwait(&o->cond, &m, CLOCK_MONOTONIC, &at), pthread_mutex_unlock(&m)), pthread_cond_destroy(&o->cond)) \
	CALL(cond_destroy, pthread_cond_init(&o->cond, 0), pthread_cond_destroy(&o->cond), ) \
	CALL(rw_init, , pthread_rwlock_init(&o->rw, 0), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_rdlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_rdlock(&o->rw), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_wrlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_wrlock(&o->rw), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_tryrdlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_tryrdlock(&o->rw), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_trywrlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_trywrlock(&o->rw), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_timedrdlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_timedrdlock(&o->rw, &at), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_timedwrlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_timedwrlock(&o->rw, &at), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_unlock, pthread_rwlock_init(&o->rw, 0), (pthread_rwlock_wrlock(&o->rw), pthread_rwlock_unlock(&o->rw)), pthread_rwlock_destroy(&o->rw)) \
	CALL(rw_destroy, pthread_rwlock_init(&o->rw, 0), pthread_rwlock_destroy(&o->rw), ) \
	CALL(sem_init, , sem_init(&o->sem, 0, 1), sem_destroy(&o->sem)) \
	CALL(sem_post, sem_init(&o->sem, 0, 1), sem_post(&o->sem), sem_destroy(&o->sem)) \
	CALL(sem_wait, sem_init(&o->sem, 0, 1), sem_wait(&o->sem), sem_destroy(&o->sem)) \
	CALL(sem_trywait, sem_init(&o->sem, 0, 1), sem_trywait(&o->sem), sem_destroy(&o->sem)) \
	CALL(sem_timedwait, sem_init(&o->sem, 0, 1), sem_timedwait(&o->sem, &at), sem_destroy(&o->sem)) \
	CALL(sem_getvalue, sem_init(&o->sem, 0, 1), sem_getvalue(&o->sem, &value), sem_destroy(&o->sem)) \
	CALL(sem_destroy, sem_init(&o->sem, 0, 1), sem_destroy(&o->sem), ) \
	CALL(spin_init, , pthread_spin_init(&o->spin, 0), pthread_spin_destroy(&o->spin)) \
	CALL(spin_lock, pthread_spin_init(&o->spin, 0), (pthread_spin_lock(&o->spin), pthread_spin_unlock(&o->spin)), pthread_spin_destroy(&o->spin)) \
	CALL(spin_trylock, pthread_spin_init(&o->spin, 0), (pthread_spin_trylock(&o->spin), pthread_spin_unlock(&o->spin)), pthread_spin_destroy(&o->spin)) \
	CALL(spin_unlock, pthread_spin_init(&o->spin, 0), (pthread_spin_lock(&o->spin), pthread_spin_unlock(&o->spin)), pthread_spin_destroy(&o->spin)) \
	CALL(spin_destroy, pthread_spin_init(&o->spin, 0), pthread_spin_destroy(&o->spin), ) \
	CALL(barrier_init, , pthread_barrier_init(&o->barrier, 0, 1), pthread_barrier_destroy(&o->barrier)) \
	CALL(barrier_wait, pthread_barrier_init(&o->barrier, 0, 1), pthread_barrier_wait(&o->barrier), pthread_barrier_destroy(&o->barrier)) \
	CALL(barrier_destroy, pthread_barrier_init(&o->barrier, 0, 1), pthread_barrier_destroy(&o->barrier), ) \
	CALL(mtx_init, , mtx_init(&o->mtx, mtx_plain), mtx_destroy(&o->mtx)) \
	CALL(mtx_lock, mtx_init(&o->mtx, mtx_plain), (mtx_lock(&o->mtx), mtx_unlock(&o->mtx)), mtx_destroy(&o->mtx)) \
	CALL(mtx_trylock, mtx_init(&o->mtx, mtx_plain), (mtx_trylock(&o->mtx), mtx_unlock(&o->mtx)), mtx_destroy(&o->mtx)) \
	CALL(mtx_timedlock, mtx_init(&o->mtx, mtx_timed), (mtx_timedlock(&o->mtx, &at), mtx_unlock(&o->mtx)), mtx_destroy(&o->mtx)) \
	CALL(mtx_unlock, mtx_init(&o->mtx, mtx_plain), (mtx_lock(&o->mtx), mtx_unlock(&o->mtx)), mtx_destroy(&o->mtx)) \
	CALL(mtx_destroy, mtx_init(&o->mtx, mtx_plain), mtx_destroy(&o->mtx), ) \
	CALL(cnd_init, , cnd_init(&o->cnd), cnd_destroy(&o->cnd)) \
	CALL(cnd_signal, cnd_init(&o->cnd), cnd_signal(&o->cnd), cnd_destroy(&o->cnd)) \
	CALL(cnd_broadcast, cnd_init(&o->cnd), cnd_broadcast(&o->cnd), cnd_destroy(&o->cnd)) \
	CALL(cnd_timedwait, cnd_init(&o->cnd), (mtx_lock(&mtx), cnd_timedwait(&o->cnd, &mtx, &at), mtx_unlock(&mtx)), cnd_destroy(&o->cnd)) \
	CALL(cnd_destroy, cnd_init(&o->cnd), cnd_destroy(&o->cnd), ) \
	CALL(once, o->once = fresh_once, pthread_once(&o->once, nothing), ) \
	CALL(futex_wait, o->word = 0, syscall(SYS_futex, &o->word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0), )

enum {
#define CALL(name, ...) of_##name,
	CALLS
#undef CALL
	N_CALLS
};
static const char *const names[] = {
#define CALL(name, ...) #name,
	CALLS
#undef CALL
};

static int which, handed;

static void make(union object *o)
{
	switch (which) {
#define CALL(name, init, call, destroy) case of_##name: init; break;
	CALLS
#undef CALL
	}
}

static void destroy(union object *o)
{
	switch (which) {
#define CALL(name, init, call, destroy) case of_##name: destroy; break;
	CALLS
#undef CALL
	}
}

static void *worker(void *arg)
{
	union object *o = arg;

	switch (which) {
#define CALL(name, init, call, destroy) case of_##name: call; break;
	CALLS
#undef CALL
	}
	if (handed)
		free(o);
	return NULL;
}

static void *freeing(void *arg)
{
	free(arg);
	return NULL;
}

static __attribute__((noinline)) pthread_t in_frame(void)
{
	union object o[200]; /* the frame is large, so that later frames leave its beginning alone */
	pthread_t t;

	make(o);
	pthread_create(&t, 0, worker, o);
	return t;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "heap";
	pthread_t t;

	while (which < N_CALLS && strcmp(names[which], argc > 1 ? argv[1] : "mutex_lock") != 0)
		which++;
	if (which == N_CALLS)
		return 2;
	mtx_init(&mtx, mtx_timed);
	if (!strcmp(how, "stack")) {
		t = in_frame();
		return pthread_join(t, 0);
	}
	handed = !strcmp(how, "handed");
	union object *o = malloc(sizeof *o);

	make(o);
	if (!strcmp(how, "turned")) {
		pthread_create(&t, 0, freeing, o);
		worker(o);
		return pthread_join(t, 0);
	}
	pthread_create(&t, 0, worker, o);
	if (!strcmp(how, "joined"))
		pthread_join(t, 0);
	if (!strcmp(how, "destroyed"))
		destroy(o);
	if (!handed)
		free(o);
	return strcmp(how, "joined") ? pthread_join(t, 0) : 0;
}
