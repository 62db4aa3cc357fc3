#!/bin/bash
# Operations that empty a store buffer or keep stores in order: tests/fences/fences.c with each kind of fence, with `--model tso` and `pso`.
. "$(dirname "$0")/lib.sh"
suite fences

# verdict MODEL PROGRAM: prints the verdict and the number of traces, such as "bug 4" or "complete 3"
verdict() {
	show_cmd "$SIMUL run --keep-going --model $1 -- $2" >&2
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" --model "$1" -- "$2" >&2
	echo "$(json "$dir/r.json" verdict) $(json "$dir/r.json" distinct_traces)"
}

# Both programs have 3 traces if the fence helps (the values read are 01, 10, 11; or 00, 01, 11). If it does not, the outcome
# that it should prevent is the 4th.
traces() { if [ "$1" = yes ]; then echo complete 3; else echo bug 4; fi; }

# fence BUFFERING PASSING CODE FLAGS...: does it prevent store buffering; does it keep two stores in order under PSO?
fence() {
	local sb=$1 mp=$2 code=$3
	shift 3
	gcc -g -w -pthread "$@" "-DFENCE=$code" -o "$dir/sb" tests/fences/fences.c &&
		gcc -g -w -pthread "$@" "-DFENCE=$code" -DMP -o "$dir/mp" tests/fences/fences.c || return 1
	expect_eq "store buffering, TSO" "$(traces "$sb")" "$(verdict tso "$dir/sb")" &&
		expect_eq "store buffering, PSO" "$(traces "$sb")" "$(verdict pso "$dir/sb")" &&
		expect_eq "message passing, TSO" "$(traces yes)" "$(verdict tso "$dir/mp")" &&
		expect_eq "message passing, PSO" "$(traces "$mp")" "$(verdict pso "$dir/mp")"
}

# machine NAME BUFFERING PASSING CODE: patched machine code
machine() {
	run_case "$1, -O0" fence "$2" "$3" "$4" -O0
	[ "${SUITE_MODE-}" != quick ] && of_many 4 "$1, -O1" && run_case "$1, -O1" fence "$2" "$3" "$4" -O1
}

# c11 NAME BUFFERING PASSING CODE: the ThreadSanitizer interface, which knows the orders
c11() {
	of_many 2 "$1, C11" && run_case "$1, C11" fence "$2" "$3" "$4" -O1 -fsanitize=thread
}

machine nothing no no ''
c11 nothing no no ''
machine mfence yes yes '__asm__ volatile("mfence" ::: "memory")'
machine sfence no yes '__asm__ volatile("sfence" ::: "memory")'
machine lfence no no '__asm__ volatile("lfence" ::: "memory")'
machine cpuid yes yes 'unsigned q = 0, r = 0; __asm__ volatile("cpuid" : "+a"(q), "+c"(r) :: "ebx", "edx", "memory")'
machine "lock or [rsp]" yes yes '__asm__ volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc")'
machine "locked on the own stack" yes yes 'int own = i; __asm__ volatile("lock; incl %0" : "+m"(own) :: "memory", "cc")'
machine "locked and thread-local" yes yes '__asm__ volatile("lock; incl %0" : "+m"(tls) :: "memory", "cc")'
machine "locked, private" yes yes '__asm__ volatile("lock; incl %0" : "+m"(priv[i][0]) :: "memory", "cc")'
machine "xchg, private" yes yes 'int r = 1; __asm__ volatile("xchgl %0, %1" : "+m"(priv[i][0]), "+r"(r) :: "memory")'
machine "compare and swap that fails" yes yes \
	'int r = 7; __asm__ volatile("lock; cmpxchgl %2, %0" : "+m"(priv[i][0]), "+a"(r) : "r"(3) : "memory", "cc")'
machine "not locked, private" no no '__asm__ volatile("incl %0" : "+m"(priv[i][0]) :: "memory", "cc")'
c11 "relaxed fetch_add, private" yes yes 'atomic_fetch_add_explicit(&priv[i][0], 1, memory_order_relaxed)'
c11 "seq_cst store, private" yes yes 'atomic_store(&priv[i][0], 1)'
machine "seq_cst store, private" yes yes 'atomic_store(&priv[i][0], 1)'
c11 "release store, private" no no 'atomic_store_explicit(&priv[i][0], 1, memory_order_release)'
c11 "fence seq_cst" yes yes 'atomic_thread_fence(memory_order_seq_cst)'
c11 "fence acq_rel" no yes 'atomic_thread_fence(memory_order_acq_rel)'
c11 "fence release" no yes 'atomic_thread_fence(memory_order_release)'
c11 "fence acquire" no no 'atomic_thread_fence(memory_order_acquire)'
machine "fence release" no no 'atomic_thread_fence(memory_order_release)' # no instruction
c11 "lock and unlock" yes yes 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_unlock(&m)'
machine "lock and unlock" yes yes 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_unlock(&m)'

# The calls of the installed libc that execute no locked instruction are those that sched/event_kinds.def says.
libc_calls() {
	build/tests/libc_fences
	case $? in
	0) ;;
	77) echo "skipped: ptrace is not possible here" ;;
	*) return 1 ;;
	esac
}
run_case "calls of libc" libc_calls

CASE_SECONDS=900
programs=$((${FENCE_PROGRAMS:-400} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/fences/calls.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--strategy optimal --shuffle 5"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: calls that only look are fences" broken_random tests/fences/calls.py sched/membuf.c '!event_drains(&e) || membuf_empty(t)' '(false && event_drains(&e)) || membuf_empty(t)' 1
	run_case "broken: trywait is no fence" broken_random tests/fences/calls.py preload/hooks/hook_sem.c 'if (ctl_has_stores() && !value_of(s, HERE))' 'if (ctl_has_stores() && (value_of(s, HERE), 1))' 1
	run_case "broken: membarrier is a fence of its own thread" broken_random tests/fences/calls.py preload/hooks/hook_syscall.c '(unsigned)a[0] & fences)' '(unsigned)a[0] & fences & 0)' 1
	run_case "broken: fence-all is independent" broken_random tests/fences/calls.py sched/depend.c 'return event_drains_all(fence) &&' 'return false && event_drains_all(fence) &&' 1 40
fi
finish
