#!/bin/bash
# simul.h (docs/header.md): programs that use it build everywhere without a warning and run without simul. Under simul, values are explored,
# replayed and shown; executions cut by assumptions are counted separately; labels are in every report.
. "$(dirname "$0")/lib.sh"
suite header
programs=tests/header

build() { # OUT SOURCE OPTIONS...
	local out=$1 source=$2
	shift 2
	"${CC:-gcc}" -g -pthread -Iinclude "$@" -o "$out" "$source"
}

# Neither compiler warns, in any language mode.
quiet() {
	local mode
	for mode in c99 c11 c2x; do
		gcc -fsyntax-only -x c -std=$mode -Wall -Wextra -pedantic -Werror -Iinclude $programs/use_all.c &&
			clang -fsyntax-only -x c -std=$mode -Weverything -Wno-unknown-warning-option -Wno-unsafe-buffer-usage -Wno-declaration-after-statement \
				-Wno-c++98-compat-pedantic -Wno-disabled-macro-expansion -Werror -Iinclude $programs/use_all.c || return 1
	done
	for mode in c++98 c++11 c++20; do
		g++ -fsyntax-only -x c++ -std=$mode -Wall -Wextra -pedantic -Werror -Iinclude $programs/use_all.c &&
			clang++ -fsyntax-only -x c++ -std=$mode -Wall -Wextra -pedantic -Werror -Iinclude $programs/use_all.c || return 1
	done
}

# built COMPILER OPTIONS...: the program runs without simul. Under simul it finds the library, however it was linked
built() {
	CC=$1
	shift
	build "$dir/use_all" $programs/use_all.c "$@" || return 1
	expect_eq "without simul" "running 0, chose 0, went on" "$("$dir/use_all")" || return 1
	[[ " $* " == *" -static "* ]] && return 0
	simul_run run --json "$dir/r.json" --output "$dir" -- "$dir/use_all" || return 1
	expect_eq traces 6 "$(json "$dir/r.json" executions)" && expect_eq blocked 0 "$(json "$dir/r.json" blocked)" &&
		expect_eq assumed 6 "$(json "$dir/r.json" assumed)"
}

# counts OPTIONS...: the numbers of traces and of failed assumptions do not depend on the options
counts() {
	build "$dir/values" $programs/values.c || return 1
	simul_run run --quiet --keep-going --json "$dir/r.json" --output "$dir" "$@" -- "$dir/values"
	expect_eq "exit status" 1 $? && expect_eq "distinct traces" 40 "$(json "$dir/r.json" distinct_traces)" &&
		expect_eq "of which fail" 1 "$(json "$dir/r.json" bugs.0.count)" &&
		expect_eq assumed 20 "$(json "$dir/r.json" assumed)"
}

# The values and labels in the report of a failure; the failure replays, and minimizing keeps the values.
reported() {
	local recording=$dir/values-1.simul page=$dir/page.html
	build "$dir/values" $programs/values.c || return 1
	simul_run run --output "$dir" "$@" -- "$dir/values" >"$dir/report" && return 1
	grep -q 'choose(3) = 2' "$dir/report" && grep -q 'choose(10): 7 to 9' "$dir/report" &&
		grep -q 'choose(10) = 7 .*main values.c:[0-9]' "$dir/report" && grep -q '“set up”' "$dir/report" &&
		grep -q '“T has <2>”' "$dir/report" || { cat "$dir/report"; return 1; }
	simul_run replay --times 20 "$recording" | tee "$dir/replay" | grep -q '20 of 20 times' || { cat "$dir/replay"; return 1; }
	simul_run run --quiet --no-minimize --strategy random --seed 1 --output "$dir/random" -- "$dir/values"
	simul_run minimize --output "$dir/small.simul" "$dir/random/values-1.simul" || return 1
	simul_run show "$dir/small.simul" >"$dir/small"
	grep -q 'choose(3) = 2' "$dir/small" && grep -q '“set up”' "$dir/small" || { cat "$dir/small"; return 1; }
	simul_run show --json "$recording" >"$dir/show.json" && expect_eq label "set up" "$(json "$dir/show.json" labels.0.text)" &&
		expect_eq value 0 "$(json "$dir/show.json" schedule.0.result)" &&
		simul_run show --html "$page" "$recording" && grep -qF 'T has \u003c2' "$page"
}

# sampled STRATEGY: a sampling strategy draws values too
sampled() {
	build "$dir/values" $programs/values.c || return 1
	simul_run run --quiet --strategy "$1" --executions 3000 --seed 5 --output "$dir" -- "$dir/values"
	expect_eq "exit status" 1 $?
}

# says STATUS TEXT PROGRAM_OPTIONS...: `misc` with these arguments ends with STATUS and prints TEXT
says() {
	local status=$1 text=$2
	shift 2
	build "$dir/misc" $programs/misc.c || return 1
	simul_run run --output "$dir" -- "$dir/misc" "$@" >"$dir/out" 2>&1
	expect_eq "exit status" "$status" $? && grep -qF -- "$text" "$dir/out" && return 0
	cat "$dir/out"
	return 1
}

# Samples cut by an assumption count towards the budget.
sampled() {
	build "$dir/misc" $programs/misc.c || return 1
	simul_run run --strategy random --executions 5 --json "$dir/r.json" --output "$dir" -- "$dir/misc" assume >"$dir/out" 2>&1
	expect_eq "assumed, end" "5 executions" "$(json "$dir/r.json" assumed) $(json "$dir/r.json" end)" && grep -q 'budget of executions used up' "$dir/out" && return
	cat "$dir/out"
	return 1
}

# A search that is stopped between two values continues there.
resumed() {
	build "$dir/values" $programs/values.c || return 1
	simul_run run --quiet --keep-going --resume "$dir/state" --executions 17 --output "$dir" -- "$dir/values"
	simul_run run --quiet --keep-going --resume "$dir/state" --json "$dir/r.json" --output "$dir" -- "$dir/values"
	expect_eq "distinct traces" 40 "$(json "$dir/r.json" distinct_traces)" && expect_eq assumed 20 "$(json "$dir/r.json" assumed)"
}

# regions TRACES WHAT OPTIONS...: the program `regions` with WHAT has TRACES traces; none is lost or explored twice
regions() {
	local traces=$1 what=$2
	shift 2
	build "$dir/regions" $programs/regions.c $language || return 1
	simul_run run --quiet --json "$dir/r.json" --output "$dir" "$@" -- "$dir/regions" "$what" >"$dir/out" || { cat "$dir/out"; return 1; }
	expect_eq "traces with $what" "$traces" "$(json "$dir/r.json" distinct_traces)" &&
		expect_eq executions "$traces" "$(json "$dir/r.json" executions)" && expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

all_regions() {
	regions 2 unit "$@" && regions 2 nested "$@" && regions 2 ends "$@" && regions 6 lock "$@"
}

# Private data in a region adds no traces to those of the shared data.
private_regions() {
	build "$dir/regions" $programs/regions.c || return 1
	simul_run run --quiet --json "$dir/r.json" --output "$dir" -- "$dir/regions" private >"$dir/out" &&
		regions "$(json "$dir/r.json" distinct_traces)" private-atomic
}

# region_says STATUS TEXT WHAT OPTIONS...
region_says() {
	local status=$1 text=$2 what=$3
	shift 3
	build "$dir/regions" $programs/regions.c || return 1
	simul_run run --output "$dir" "$@" -- "$dir/regions" "$what" >"$dir/out" 2>&1
	expect_eq "exit status" "$status" $? && grep -qF -- "$text" "$dir/out" && return 0
	cat "$dir/out"
	return 1
}

# The number of traces in the regions to explore does not depend on the options. The verdict claims nothing about the rest.
explored() {
	build "$dir/regions" $programs/regions.c || return 1
	simul_run run --output "$dir" --json "$dir/r.json" "$@" -- "$dir/regions" explore >"$dir/out" || return 1
	grep -q 'simul: complete within the regions to explore' "$dir/out" && expect_eq only_regions true "$(json "$dir/r.json" only_regions)" &&
		expect_eq traces 136 "$(json "$dir/r.json" distinct_traces)"
}

# A failure in regions is recorded, replayed and shown like others.
region_fails() {
	region_says 1 'atomic-begin' fails "$@" || return 1
	simul_run replay --times 5 "$dir/regions-1.simul" | grep -q '5 of 5 times' && simul_run show --html "$dir/page.html" "$dir/regions-1.simul" &&
		grep -q 'explore-begin' "$dir/page.html"
}

run_case "no warnings" quiet
run_case "gcc" built gcc
run_case "gcc -O2 -no-pie" built gcc -O2 -no-pie -fno-pie
run_case "gcc -O2 -flto -fno-plt -fvisibility=hidden" built gcc -O2 -flto -fno-plt -fvisibility=hidden
run_case "gcc -fsanitize=thread" built gcc -fsanitize=thread
run_case "gcc -fuse-ld=gold -no-pie" built gcc -fuse-ld=gold -no-pie -fno-pie
run_case "gcc -static" built gcc -static
run_case "g++ -O1" built g++ -O1 -x c++
run_case "clang -no-pie" built clang -no-pie -fno-pie
run_case "clang++ -O2 -Wl,-z,now" built clang++ -O2 -x c++ -Wl,-z,now
run_case "counts: optimal" counts
for options in "--shuffle 3" "--strategy source" "--strategy trust" "--isolation fork" "--isolation exec" "--threads kernel" \
	"--jobs 2" "--model tso" "--model pso"; do
	# shellcheck disable=SC2086
	run_case "counts: $options" counts $options
done
run_case "report, replay, minimize" reported
for strategy in random pct pos surw; do
	run_case "samples: $strategy" sampled $strategy
done
run_case "resume" resumed
run_case "samples" sampled
run_case "no values" says 1 'simul_choose(0): it chooses among 1 to 1000 values' none
run_case "too many values" says 1 'simul_choose(1001): it chooses among 1 to 1000 values' 1001
run_case "the most values" says 0 'every one of 1000 traces' 1000
run_case "one value" says 0 'there is only one trace' 1
run_case "nothing is left" says 0 'simul_assume cut each of 1 execution, so none ran to its end' assume
run_case "no threads at all" says 0 'every one of 3 traces' alone
run_case "a circle of locks beside an assumption" says 1 'T0.3 cannot continue: an assumption (simul_assume) does not hold' circle
run_case "a value in a spin loop" says 0 'every one of' spin
run_case "the header of a later version" says 2 'the simul.h of a later version' later
for options in "" "--shuffle 5" "--strategy source" "--isolation fork" "--isolation exec" "--model tso" "--model pso" "--jobs 2" "--threads kernel"; do
	# shellcheck disable=SC2086
	run_case "atomic regions: $options" all_regions $options
done
language="-x c++" CC=g++ run_case "atomic regions in C++" all_regions
run_case "atomic regions of private data" private_regions
run_case "an atomic region that waits in a spin loop" region_says 0 'simul: complete: every one of' spin
run_case "an atomic region with a child process" region_says 0 'simul: complete: every one of' child
run_case "an atomic region that is cancelled" region_says 0 'simul: complete: every one of' cancelled
run_case "atomic regions and trust" region_says 2 'leave both out' unit --strategy trust
for options in "" "--shuffle 5" "--strategy source" "--isolation exec" "--jobs 2"; do
	# shellcheck disable=SC2086
	run_case "regions to explore: $options" explored $options
done
run_case "a region to explore around the threads" region_says 0 'complete within the regions to explore: ' around
run_case "a region to explore without an end" region_says 0 'complete within the regions to explore: every one of' open
run_case "a region to explore after everything" region_says 0 'complete within the regions to explore: there is only one trace' late
run_case "the end of no atomic region" region_says 1 'simul_atomic_end: this thread has not called simul_atomic_begin' atomic-end
run_case "the end of no region to explore" region_says 1 'simul_explore_end: this thread has not called simul_explore_begin' explore-end
run_case "a failure in regions" region_fails
finish
