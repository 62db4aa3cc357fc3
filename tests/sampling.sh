#!/bin/bash
# --strategy pct, pos, surw and random: the bugs they find replay, equal seeds give equal results, the reported guarantees are right,
# polling threads yield, and bad options are refused.
#
#   tests/sampling.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite sampling
only=${1-}
samplers="random pct pos surw"

mkdir -p "$work/bin"
bin=$work/bin
compile() { gcc -g -O1 -D_GNU_SOURCE -pthread -o "$bin/$1" "$2" || { run_case "$1 compiles" false; finish; }; }
for demo in lock_order lost_wakeup plain_counter aba_stack dekker early_flag; do
	compile $demo demos/$demo/prog.c
done
compile poll tests/sampling/poll.c
compile fib tests/golden/fib.c
compile independent tests/litmus/independent/independent.c

case_() { [[ "$1" != *"$only"* ]] || run_case "$@"; }

# sample STATUS OPTIONS... -- PROGRAM...: the result is in $dir/r.json, the output in $dir/said
sample() {
	local want=$1 status
	shift
	show_cmd "$SIMUL run $*"
	simul_run run --output "$dir/out" --json "$dir/r.json" "$@" >"$dir/said" 2>&1
	status=$?
	cat "$dir/said"
	expect_eq "exit status" "$want" $status
}

# The bug is found and confirmed, and it replays.
finds() {
	local strategy=$1 demo=$2
	shift 2
	sample 1 --strategy "$strategy" --executions 20000 "$@" -- "$bin/$demo" || return 1
	expect_eq verdict bug "$(json "$dir/r.json" verdict)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" || return 1
	simul_run replay --quiet --times 3 "$(json "$dir/r.json" bugs.0.recording)"
	expect_eq "status of the replay" 1 $?
}

# result FILE: prints all of it except times and memory
result() { sed 's/"\(seconds\|peak_memory_kb\)": [0-9.]*/"\1": 0/g' "$1"; }

# Equal seeds give equal executions: the same number until the bug, the same events, the same traces.
same_seed() {
	local strategy=$1 seed
	for seed in 1 2 3; do
		for i in 1 2; do
			sample 1 --strategy "$strategy" --seed $seed --executions 300 --keep-going -- "$bin/lock_order" >/dev/null || return 1
			result "$dir/r.json" | sed 's/"recording": "[^"]*"//' >"$dir/$seed.$i"
		done
		diff "$dir/$seed.1" "$dir/$seed.2" || { echo "seed $seed: another result the second time"; return 1; }
	done
	! cmp -s <(sed '/"seed"/d' "$dir/1.1") <(sed '/"seed"/d' "$dir/2.1") || { echo "the seed makes no difference"; return 1; }
}

# The same holds with every isolation.
same_elsewhere() {
	local o k
	for o in "" "--isolation rewind" "--isolation exec"; do
		# shellcheck disable=SC2086
		sample 0 --strategy "$1" --executions 100 $o -- "$bin/fib" || return 1
		for k in executions events distinct_traces; do
			json "$dir/r.json" $k || return 1
		done >"$dir/found"
		[ -z "$o" ] && mv "$dir/found" "$dir/expected" && continue
		diff "$dir/expected" "$dir/found" || { echo "$o is not the same"; return 1; }
	done
}

never_complete() {
	sample 3 --strategy "$1" --executions 5 --require-complete -- "$bin/independent" || return 1
	expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" && grep "simul: incomplete: budget of executions used up after 5" "$dir/said"
}

fields() {
	local k
	sample 0 --strategy pct --depth 2 --seed 4 --executions 400 -- "$bin/fib" || return 1
	for k in seed distinct_is_lower_bound gave_way bound.depth bound.threads bound.events bound.executions bound.found bound.missed; do
		json "$dir/r.json" sampling.$k >/dev/null || { echo "no field $k"; return 1; }
	done
	expect_eq seed 4 "$(json "$dir/r.json" sampling.seed)" && expect_eq depth 2 "$(json "$dir/r.json" sampling.bound.depth)" || return 1
	# 1 / (n k), and the probability that all executions miss the bug
	awk -v n="$(json "$dir/r.json" sampling.bound.threads)" -v k="$(json "$dir/r.json" sampling.bound.events)" \
		-v N="$(json "$dir/r.json" sampling.bound.executions)" -v found="$(json "$dir/r.json" sampling.bound.found)" \
		-v missed="$(json "$dir/r.json" sampling.bound.missed)" 'BEGIN {
			if (n < 3 || k < 10 || N < 200 || N > 400) exit 1
			p = 1 / (n * k); q = exp(N * log(1 - p))
			exit !(found / p > 0.9999 && found / p < 1.0001 && missed / q > 0.9999 && missed / q < 1.0001) }' ||
		{ echo "the bound is not what n, k and d give"; return 1; }
	grep "^bound: one execution finds a bug of depth <= 2 within $(json "$dir/r.json" sampling.bound.threads) threads" "$dir/said" || return 1
	for k in random pos surw; do
		sample 0 --strategy $k --executions 50 -- "$bin/fib" || return 1
		expect_eq bound null "$(json "$dir/r.json" sampling.bound)" && expect_eq bounds 0 "$(grep -c '^bound' "$dir/said")" &&
			grep "^distinct traces: $(json "$dir/r.json" distinct_traces)\$" "$dir/said" || return 1
	done
	sample 0 -- "$bin/independent" || return 1
	expect_eq sampling null "$(json "$dir/r.json" sampling)"
}

# The first execution measures the length of executions, so there is no bound yet.
no_bound_yet() {
	sample 0 --strategy pct --executions 1 -- "$bin/fib" && grep "^bound: none yet" "$dir/said" &&
		expect_eq bound null "$(json "$dir/r.json" sampling.bound)"
}

# Every execution ends after few steps.
polls() {
	local n
	for n in 1 3; do
		sample 0 --strategy "$1" --executions 20 --max-steps 20000 -- "$bin/poll" "$2" $n || return 1
		expect_eq cut 0 "$(json "$dir/r.json" cut)" && expect_eq executions 20 "$(json "$dir/r.json" executions)" || return 1
	done
}

# Four parts give the same result as one run.
resumes() {
	local k
	sample 0 --strategy "$1" --seed 7 --executions 400 -- "$bin/fib" || return 1
	for k in executions events distinct_traces sampling; do json "$dir/r.json" $k || return 1; done >"$dir/expected"
	for _ in 1 2 3 4; do
		sample 0 --strategy "$1" --seed 7 --executions 100 --resume "$dir/state" -- "$bin/fib" || return 1
	done
	for k in executions events distinct_traces sampling; do json "$dir/r.json" $k || return 1; done >"$dir/found"
	diff "$dir/expected" "$dir/found"
}

# refused TEXT OPTIONS...
refused() {
	local text=$1
	shift
	simul_run run "$@" -- "$bin/fib" >"$dir/said" 2>&1
	expect_eq "exit status" 2 $? && grep -F -- "$text" "$dir/said" && expect_eq lines 1 "$(wc -l <"$dir/said")" && return
	cat "$dir/said"
	return 1
}
refusals() {
	refused "--depth applies to --strategy pct only, not to --strategy auto" --depth 2 &&
		refused "--depth applies to --strategy pct only, not to --strategy pos" --depth 2 --strategy pos &&
		refused "expected a whole number between 1 and 32" --depth 0 --strategy pct &&
		refused "expected a whole number between 1 and 32" --depth 33 --strategy pct &&
		refused "expected one of optimal, source, random, exhaustive, pct, pos, surw, trust, auto" --strategy psychic || return 1
	sample 0 --strategy pct --depth 2 --executions 5 --resume "$dir/state" -- "$bin/fib" || return 1
	refused "with --depth 2, not 4" --strategy pct --depth 4 --executions 5 --resume "$dir/state"
}

for s in $samplers; do
	for demo in lock_order lost_wakeup plain_counter aba_stack; do
		case_ "$s finds $demo" finds $s $demo
	done
	case_ "$s finds dekker under tso" finds $s dekker --model tso
	case_ "$s finds early_flag under pso" finds $s early_flag --model pso
	case_ "$s: the same for the same seed" same_seed $s
	case_ "$s: the same elsewhere" same_elsewhere $s
	case_ "$s is never complete" never_complete $s
	case_ "$s goes on in another run" resumes $s
	for how in sched_yield thrd_yield usleep nanosleep trylock timedwait busily; do
		case_ "$s: polling, $how" polls $s $how
	done
done
case_ "json and summary" fields
case_ "no bound yet" no_bound_yet
case_ "refusals" refusals
finish
