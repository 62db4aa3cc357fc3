#!/bin/bash
# Unmodified SystemC programs: the numbers of orders of their processes (tests/systemc/schedules.tsv, found by brute force), whatever compiled the
# program and however it is searched; bugs replay and are shown with the names of processes; what is not explored is said.
#
# SYSTEMC_MODELS=N: N random models (default 2000), RANDOM_PERCENT of them.
#
# tests/systemc/schedules.tsv: program, source, macros, verdict, orders, classes of orders up to the order of independent steps (found by brute
# force as well; listed_at_start has 1, but simul does not look at what happens to a list that a constructor has asked for), classes that fail.
. "$(dirname "$0")/lib.sh"
suite systemc
programs=tests/systemc

# build OUT SOURCE OPTIONS...: compiles with $CC. Exit status 77 without libsystemc
build() {
	local out=$1 source=$2
	shift 2
	[ -e /usr/include/systemc.h ] || { echo "libsystemc-dev is not installed"; exit 77; }
	[ -x "$out" ] || "${CC:-g++}" -std=c++17 -g -pthread "$@" -o "$out" "$programs/$source.cpp" -lsystemc
}

# count EXPECTED PROGRAM VERDICT OPTIONS...: every order runs once, and none is redundant
count() {
	local expected=$1 prog=$2 verdict=$3
	shift 3
	show_cmd "$SIMUL run --keep-going $* -- $prog"
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog" >"$dir/output"
	expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" && expect_eq executions "$expected" "$(json "$dir/r.json" executions)" &&
		expect_eq "distinct traces" "$expected" "$(json "$dir/r.json" distinct_traces)" && expect_eq blocked 0 "$(json "$dir/r.json" blocked)"
}

# row COMPILER LEVEL OPTIONS...: one row of the table
row() {
	local prog=$dir/$name macros=$macros
	CC=$1
	[ "$macros" = - ] && macros=
	# shellcheck disable=SC2086
	build "$prog" "$source" "$2" $macros || return 1
	shift 2
	count "$schedules" "$prog" "$verdict" "$@"
}

# classes COMPILER LEVEL OPTIONS...: the row with --strategy steps. Each class is executed once, and the redundant executions are counted.
classes() {
	local prog=$dir/$name macros=$macros
	CC=$1
	[ "$macros" = - ] && macros=
	# shellcheck disable=SC2086
	build "$prog" "$source" "$2" $macros || return 1
	shift 2
	show_cmd "$SIMUL run --keep-going --strategy steps $* -- $prog"
	simul_run run --keep-going --quiet --strategy steps --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog" >"$dir/output"
	expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" && expect_eq executions "$classes" "$(json "$dir/r.json" executions)" &&
		expect_eq classes "$classes" "$(json "$dir/r.json" classes)" && expect_eq equivalence steps "$(json "$dir/r.json" equivalence)" &&
		{ [ "$failing" = 0 ] || expect_eq failing "$failing" "$(json "$dir/r.json" bugs.0.count)"; } && grep -q '[0-9one] class.* of schedules' "$dir/output"
}

rows=0
while IFS=$'\t' read -r name source macros verdict schedules classes failing; do
	[ "$name" != program ] || continue
	[[ $schedules.$classes.$failing =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { run_case "$name: a number is missing in the table" false; continue; }
	rows=$((rows + 1))
	for cc in g++ clang++; do
		for level in -O0 -O2; do
			of_many 8 "$name $cc $level" && run_case "$name $cc $level" row $cc $level --strategy exhaustive
			of_many 2 "$name $cc $level classes" && run_case "$name $cc $level classes" classes $cc $level
		done
	done
	of_many 8 "$name optimal" && run_case "$name optimal" row g++ -O1 --strategy optimal
	of_many 4 "$name classes, shuffled" && run_case "$name classes, shuffled" classes g++ -O1 --shuffle 7
	of_many 4 "$name classes, new processes" && run_case "$name classes, new processes" classes g++ -O1 --isolation exec
	of_many 4 "$name classes, forks" && run_case "$name classes, forks" classes g++ -O1 --isolation fork --no-snapshots
	of_many 8 "$name new processes" && run_case "$name new processes" row g++ -O1 --strategy exhaustive --isolation exec
done <$programs/schedules.tsv
run_case "the table has all rows" expect_eq rows 30 $rows

# says REGEX SOURCE [OPTIONS...]: the verdict is incomplete, and says so
says() {
	local regex=$1 source=$2
	shift 2
	build "$dir/$source" "$source" || return 1
	simul_run run --keep-going --quiet "$@" --output "$dir/out" --json "$dir/r.json" -- "$dir/$source" >"$dir/output"
	expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" && { grep -q "$regex" "$dir/output" || { cat "$dir/output"; return 1; }; }
}

# A libsystemc of another build-id, whose data is not known.
unknown_build() {
	local library
	build "$dir/$1" "$1" || return 1
	library=$(ldd "$dir/$1" | awk '/libsystemc/ {print $3}')
	python3 - "$library" "$dir/$(basename "$library")" <<-'END' || return 1
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		at = data.index(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0") + 16
		data[at] ^= 1
		open(sys.argv[2], "wb").write(data)
	END
	LD_LIBRARY_PATH=$dir simul_run run --keep-going --quiet --output "$dir/out" -- "$dir/$1" >"$dir/output" 2>&1
	grep -q 'orders of SystemC processes are not explored: simul does not know this build of SystemC' "$dir/output" &&
		! grep -q "simul: complete" "$dir/output" || { cat "$dir/output"; return 1; }
}

# The recording of a failing order replays, names the processes, and stays a recording of the same failure when it is minimized.
recorded() {
	local recording=$dir/out/toy_bug-1.simul
	build "$dir/toy_bug" toy -DBUG || return 1
	simul_run run --quiet --strategy exhaustive --output "$dir/out" -- "$dir/toy_bug" >"$dir/output"
	expect_eq "exit status" 1 $? || return 1
	simul_run show "$recording" >"$dir/shown"
	grep -q 'toy.reader2 before toy.writer' "$dir/shown" || { cat "$dir/shown"; return 1; }
	simul_run replay --times 100 "$recording" >"$dir/replayed"
	grep -q '100 of 100 times' "$dir/replayed" || { cat "$dir/replayed"; return 1; }
	simul_run minimize --output "$dir/small.simul" "$recording" && simul_run replay --times 10 "$dir/small.simul" >"$dir/replayed"
	grep -q '10 of 10 times' "$dir/replayed" || { cat "$dir/replayed"; return 1; }
}

# An exception in a process: the program ends with status 1. It happens in one of the two orders, not in the kernel's own.
exception() {
	build "$dir/exception" exception || return 1
	"$dir/exception" >/dev/null || return 1
	count 2 "$dir/exception" bug && expect_eq kind exit "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq "failing orders" 1 "$(json "$dir/r.json" bugs.0.count)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}

# counted EXPECTED SOURCE OPTIONS...
counted() {
	local expected=$1 source=$2
	shift 2
	build "$dir/$source" "$source" || return 1
	count "$expected" "$dir/$source" complete "$@"
}

# Executions rewind their process, although the kernel unmaps the stacks of threads that ended.
rewinds() {
	counted 216 pipeline --strategy exhaustive && expect_eq isolation rewind "$(json "$dir/r.json" isolation)"
}

# A reset that only one of the workers meets: with each value of the argument, another third of the orders has it.
one_worker_says() {
	local first
	build "$dir/reset_once" reset_once || return 1
	for first in 0 1 2; do
		simul_run run --keep-going --quiet --strategy optimal "$@" --output "$dir/out" --json "$dir/r.json" -- "$dir/reset_once" $first >"$dir/output"
		expect_eq "verdict of $first" incomplete "$(json "$dir/r.json" verdict)" &&
			grep -q 'no loaded module imports async_reset_signal_is' "$dir/output" || { cat "$dir/output"; return 1; }
	done
}

# A reset that only the first part of a continued search meets.
continued() {
	build "$dir/reset_once" reset_once || return 1
	simul_run run --quiet --strategy optimal --executions 600 --resume "$dir/saved" --output "$dir/out" -- "$dir/killed_once" 0 >"$dir/output"
	simul_run run --quiet --strategy optimal --resume "$dir/saved" --output "$dir/out" --json "$dir/r.json" -- "$dir/killed_once" 0 >"$dir/output"
	expect_eq executions 1296 "$(json "$dir/r.json" executions)" && expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" &&
		grep -q 'no loaded module imports async_reset_signal_is' "$dir/output" || { cat "$dir/output"; return 1; }
}

# independent WHAT: two processes that do this have one class of schedules. dependent WHAT: they have two.
touches() {
	local expected=$1
	build "$dir/touches" touches || return 1
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" -- "$dir/touches" "$2" >"$dir/output"
	expect_eq strategy steps "$(json "$dir/r.json" strategy)" && expect_eq classes "$expected" "$(json "$dir/r.json" classes)" &&
		expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

# The sensors see nothing: every order is executed.
unseen() {
	build "$dir/touches" touches || return 1
	simul_run run --keep-going --quiet --no-patch --strategy steps --output "$dir/out" --json "$dir/r.json" -- "$dir/touches" nothing >"$dir/output"
	expect_eq executions 2 "$(json "$dir/r.json" executions)"
}

# By default a program that creates POSIX threads is searched as any other.
threads_too() {
	build "$dir/with_pthread" with_pthread || return 1
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" -- "$dir/with_pthread" >"$dir/output"
	expect_eq strategy auto "$(json "$dir/r.json" strategy)" && expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

# A search by steps that is stopped and continued.
steps_continued() {
	local total=0 i
	build "$dir/pc_sfifo_continued" pc_sfifo -DBUG || return 1
	for i in 1 2 3 4; do
		simul_run run --keep-going --quiet --strategy steps --executions 6 --resume "$dir/saved_steps" --output "$dir/out" --json "$dir/r.json" -- \
			"$dir/pc_sfifo_continued" >"$dir/output"
	done
	expect_eq executions 22 "$(json "$dir/r.json" executions)" && expect_eq end over "$(json "$dir/r.json" end)"
}

with_clang() {
	CC=clang++ "$@"
}

# random_models COMPILER_OPTIONS MODELS SEED OPTIONS...: random models have the outcomes of all orders.
random_models() {
	local options=$1
	shift
	# shellcheck disable=SC2086
	build "$dir/random" random $options || return 1
	dir=$dir python3 $programs/models.py $CONTROLS "$SIMUL" "$dir/random" "$@"
}

# Processes of the models kill and reset each other, and throw exceptions.
controls() {
	CONTROLS=--controls random_models "$@"
}

# broken_controls FILE FROM TO MODELS: models with such operations must differ with a library in which TO replaces FROM in FILE.
broken_controls() {
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul controls "-O1 -DNO_TIME_OUTS" "$4" 1 >"$dir/said" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep 'wrong [1-9]' "$dir/said" && rm -rf "$dir/tree"
}

# oracle MODELS SEED: random models whose threads act on each other have the orders and outcomes of an interpreter.
oracle() {
	build "$dir/random" random -O1 -DNO_TIME_OUTS || return 1
	dir=$dir python3 $programs/oracle.py "$SIMUL" "$dir/random" "$@"
}

# They differ with a library that chooses a process before the victim has run.
broken_choice() {
	broken_build preload/cooperative/systemc.c 'order.method_runs || systemc_thread_waits()' 'false' || return 1
	if SIMUL=$dir/tree/build/simul oracle 20 1 >"$dir/said" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep 'wrong [1-9]' "$dir/said" && rm -rf "$dir/tree"
}

# The order of updates matters to a method that is reset in one; with a library that ignores it, one of the two classes is missing.
broken_update() {
	broken_build preload/cooperative/systemc_steps.c 'delays || systemc_resets' 'delays' || return 1
	build "$dir/reset_in_update" reset_in_update || return 1
	SIMUL=$dir/tree/build/simul simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" -- "$dir/reset_in_update" >"$dir/output"
	expect_eq classes 1 "$(json "$dir/r.json" classes)" && rm -rf "$dir/tree"
}

# The order of a module's children is asked for after two of them have ended. A library that does not begin again then misses one of two classes.
broken_list() {
	broken_build preload/cooperative/systemc_children.c 'ctl_session->ctl.discoveries.children_listed = 1' '(void)0' || return 1
	build "$dir/listed_later" listed -DLISTED=1 || return 1
	SIMUL=$dir/tree/build/simul simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" -- "$dir/listed_later" >"$dir/output"
	expect_eq classes 1 "$(json "$dir/r.json" classes)" && rm -rf "$dir/tree"
}

# reports NAME SOURCE EXECUTION_OPTIONS... [-- REGEX...]: the report of the bug has lines with these, in this order
reports() {
	local name=$1 source=$2 options=() shown
	shift 2
	while [ "$1" != -- ]; do options+=("$1") && shift; done
	shift
	build "$dir/$name" "$source" -DBUG || return 1
	simul_run run --quiet "${options[@]}" --output "$dir/out" --json "$dir/r.json" -- "$dir/$name" >"$dir/output"
	expect_eq "exit status" 1 $? && simul_run show --width 400 "$dir/out/$name-1.simul" >"$dir/shown" || return 1
	shown=$(cat "$dir/shown")
	for regex; do
		[[ $shown =~ $regex(.*) ]] || { echo "missing: $regex"; cat "$dir/shown"; return 1; }
		shown=${BASH_REMATCH[-1]}
	done
}

# Of the failing orders, the recording has one nearest to the kernel's: a single choice is another one.
nearest() {
	reports toy_bug toy "$@" -- 'in process toy.reader2, thread T0' '2 steps, 1 choice other than' \
		'── 0 s, delta 0' '≠ 1 │ toy.reader2 before toy.writer, toy.controller, toy.reader1' '✗ 2 │ assertion fails' \
		'needs another order.*"toy.reader2 before toy.writer, toy.controller, toy.reader1" \(step 1\)' \
		'Schedules with fewer such choices were tried' \
		"Tried: with toy.writer first in step 1 \\(0 s, delta 0\\), and the scheduler's own order after it, nothing fails" || return 1
	expect_eq process toy.reader2 "$(json "$dir/r.json" bugs.0.process)" && grep -q 'assert at toy.cpp:14 in toy.reader2' "$dir/output" || return 1
	simul_run show --json "$dir/out/toy_bug-1.simul" >"$dir/show.json"
	expect_eq "other choices" 1 "$(json "$dir/show.json" failure.other_choices)" && expect_eq kind choice "$(json "$dir/show.json" diagnosis.kind)" &&
		expect_eq "label" phase "$(json "$dir/show.json" labels.0.kind)" && expect_eq result passes "$(json "$dir/show.json" tries.0.result)" &&
		expect_eq first toy.writer "$(json "$dir/show.json" tries.0.first)"
}

# A bug of the kernel's own order: its choices are one line, and another order does not fail. Time and delta cycle of the failure are named.
own_order() {
	reports bistcell_bug bistcell -- 'in process cell.tester, thread T0' "5 choices of the scheduler's own order, up to step 5" '── 2 ns, delta 6' \
		"fails in the scheduler's own order" 'Tried: with cell.g_and first in step 5 \(1 ns, delta 4\)' || return 1
	simul_run show --all "$dir/out/bistcell_bug-1.simul" >"$dir/all"
	expect_eq "choices in full" 5 "$(grep -c 'cell.* before cell' "$dir/all")" && expect_eq "delta cycles" 4 "$(grep -c '── .*, delta' "$dir/all")"
}

# The page has what the text has.
on_the_page() {
	reports toy_bug toy -- 'toy.reader2' && simul_run show --html "$dir/page.html" "$dir/out/toy_bug-1.simul" || return 1
	grep -q '"bugProcess": *"toy.reader2"' "$dir/page.html" && grep -q '"0 s, delta 0"' "$dir/page.html" &&
		grep -q '"toy.reader2 before toy.writer, toy.controller, toy.reader1"' "$dir/page.html" && grep -q '"choice": *\[2, *0\]' "$dir/page.html"
}

run_case "a recording" recorded
run_case "a report: the nearest to the kernel's order" nearest
run_case "a report: the same from another search" nearest --strategy exhaustive
run_case "a report: a bug of the kernel's own order" own_order
run_case "a report: a page" on_the_page
for what in read write printf cout heap static signal; do
	run_case "independent: $what" touches 1 $what
done
for what in byte rand clock descriptor stream thread_local errno environment mutex suspend; do
	run_case "dependent: $what" touches 2 $what
done
run_case "dependent: spawn" touches 4 spawn
run_case "without sensors" unseen
run_case "POSIX threads by default" threads_too
run_case "steps, continued" steps_continued
models=$((${SYSTEMC_MODELS:-2000} * ${RANDOM_PERCENT:-100} / 100))
run_case "random models" random_models "-O1 -DNO_TIME_OUTS" $models "${SEED:-1}"
run_case "random models with timeouts" random_models -O1 $((models / 2)) "${SEED:-1}"
run_case "random models, shuffled" random_models "-O0 -DNO_TIME_OUTS" $((models / 4)) "${SEED:-2}" --shuffle 3
run_case "random models, clang" with_clang random_models "-O2 -DNO_TIME_OUTS" $((models / 4)) "${SEED:-3}"
run_case "random models, kill, reset and throw_it, an interpreter" oracle $((models / 10)) "${SEED:-6}"
run_case "random models, kill, reset and throw_it" controls "-O1 -DNO_TIME_OUTS" $((models / 4)) "${SEED:-4}"
run_case "random models, kill, reset and throw_it, timeouts" controls -O1 $((models / 4)) "${SEED:-5}"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: a kill or reset is independent" broken_controls preload/cooperative/systemc_steps.c \
		'footprint_unknown();  ' '' 60
	run_case "broken: a choice while a process runs at once" broken_choice
	run_case "broken: updates of a program with resets commute" broken_update
	run_case "broken: a list is asked for without a new search" broken_list
fi
# race_lines JSON [SOURCE]: for each race its variable, its delta cycle, and what the two processes do, in the words of the source.
race_lines() {
	python3 -c '
import json, sys
text = open(sys.argv[2]).read().splitlines()
for race in json.load(open(sys.argv[1]))["races"]:
    line = [text[int(race[which].split(":")[1]) - 1].strip() for which in ("first", "second")]
    name = [process.split(".")[-2 if "run" in process else -1] for process in race["processes"]]
    print(race["object"].split(".")[-1], race["delta"], *sorted(name[i] + ": " + line[i] for i in (0, 1)))
' "$1" $programs/${2:-races}.cpp
}

# races_of WHAT EXPECTED: the races of tests/systemc/races.cpp are this line, or none. The text names them, too.
races_of() {
	local what=$1 expected=$2
	show_cmd "$SIMUL run -- $dir/races $what"
	simul_run run --output "$dir/out" --json "$dir/r.json" -- "$dir/races" "$what" >"$dir/output" 2>&1
	expect_eq "verdict of $what" complete "$(json "$dir/r.json" verdict)" &&
		expect_eq "races of $what" "$expected" "$(race_lines "$dir/r.json")" || return 1
	if [ -n "$expected" ]; then
		grep -q 'race between processes bus.[a-z]* and bus.[a-z]* in delta 0: .* it at races.cpp:' "$dir/output"
	else
		! grep -q race "$dir/output"
	fi || { cat "$dir/output"; return 1; }
}

races() {
	local plain="level 0 first: void set() { level = 1; } // writes level second: void get() { seen = level; } // reads level" what
	[ -e /usr/include/systemc.h ] || { echo "libsystemc-dev is not installed"; exit 77; }
	g++ -std=c++17 -g "$1" -pthread -o "$dir/races" $programs/races.cpp -lsystemc || return 1
	races_of racy "$plain" && races_of third "$plain" && races_of methods "level 0 first: level = 2; second: level = 3;" &&
		races_of value "number+8 0 first: number = 5; second: seen = number;" &&
		races_of unlocked "level 0 first: level++; second: level++;" &&
		races_of others "level 0 first: level++; second: level++;" &&
		races_of released "level 0 first: level--; second: level++;" &&
		races_of bytes "part[1] 0 first: part[1] = 2; second: seen = part[1];" &&
		races_of unknown_too "level 0 idle: level = 9; second: void get() { seen = level; } // reads level" || return 1
	for what in notified delta ordered again chain spawned signal atomic mutex held; do
		races_of $what "" || return 1
	done
}

# Processes that call a TLM target race for the target's own variables, also by memcpy. Sockets, queues and a tlm_fifo are no variables.
tlm_races() {
	local what
	[ -e /usr/include/systemc.h ] || { echo "libsystemc-dev is not installed"; exit 77; }
	g++ -std=c++17 -g "$1" -pthread -o "$dir/tlm" $programs/tlm.cpp -lsystemc || return 1
	for what in moved count locked disjoint queue fifo; do
		simul_run run --output "$dir/out" --json "$dir/r.json" -- "$dir/tlm" $what >"$dir/output" 2>&1
		expect_eq "verdict of $what" complete "$(json "$dir/r.json" verdict)" || return 1
		race_lines "$dir/r.json" tlm
	done >"$dir/races"
	expect_eq races "bytes 0 c0: memcpy(p, t.get_data_ptr(), t.get_data_length()); c1: memcpy(t.get_data_ptr(), p, t.get_data_length());
count 0 c0: count++; c1: count++;" "$(cat "$dir/races")"
}

# race_program COMPILER_OPTIONS...
race_program() {
	[ -e /usr/include/systemc.h ] || { echo "libsystemc-dev is not installed"; exit 77; }
	g++ -std=c++17 -pthread "$@" -o "$dir/race_program" $programs/races.cpp -lsystemc
}

# fails_on_race VERDICT WHAT
fails_on_race() {
	show_cmd "$SIMUL run --fail-on-race -- $dir/race_program $2"
	simul_run run --fail-on-race --output "$dir/out" --json "$dir/r.json" -- "$dir/race_program" "$2" >"$dir/output" 2>&1
	expect_eq "verdict of $2" "$1" "$(json "$dir/r.json" verdict)"
}

# A race is a bug with --fail-on-race: confirmed, recorded, shown and replayed. Accesses of the kernel, and ordered ones, are none.
race_bugs() {
	local recording=$dir/out/race_program-1.simul what
	race_program -g "$1" && fails_on_race bug racy || return 1
	expect_eq kind race "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		simul_run show --json "$recording" >"$dir/show.json" && expect_eq "other choices" 0 "$(json "$dir/show.json" failure.other_choices)" || return 1
	simul_run show --width 400 "$recording" >"$dir/shown"
	grep -q 'confirmed: 3 of 3' "$dir/shown" &&
		grep -q 'data race between processes bus.first and bus.second in delta 0: writes .*level at races.cpp:[0-9]* and reads it' "$dir/shown" ||
		{ cat "$dir/shown"; return 1; }
	simul_run replay --times 20 "$recording" >"$dir/replayed"
	grep -q 'recorded failure, 20 of 20 times' "$dir/replayed" || { cat "$dir/replayed"; return 1; }
	for what in methods value unlocked others released once; do
		fails_on_race bug $what && expect_eq kind race "$(json "$dir/r.json" bugs.0.kind)" || return 1
	done
	for what in mutex held notified delta ordered again chain spawned signal atomic; do
		fails_on_race complete $what || return 1
	done
	# a verdict of no bug names what was left out
	fails_on_race complete unknown && grep -q 'missed: accesses of some steps are not known' "$dir/output" &&
		fails_on_race complete many && grep -q 'too many mutexes' "$dir/output" || { cat "$dir/output"; return 1; }
	simul_run run --fail-on-race --strategy exhaustive -- "$dir/race_program" racy >"$dir/output" 2>&1
	grep -q 'races of processes were not looked for' "$dir/output" || { cat "$dir/output"; return 1; }
}

# Without debug information the functions still have names. Without these, channels look like the program.
unnamed_races() {
	race_program -O0 && fails_on_race bug racy && fails_on_race complete signal && ! grep -q "note:.*race" "$dir/output" || return 1
	strip "$dir/race_program" && fails_on_race complete racy && grep -q 'note: 1 pair of accesses in one delta cycle' "$dir/output" &&
		fails_on_race complete signal && grep -q 'note: [0-9]* pairs of accesses in one delta cycle' "$dir/output" || { cat "$dir/output"; return 1; }
}

# The same races are listed where two workers were asked for. One explores.
races_with_jobs() {
	local alone
	race_program -g -O1 && simul_run run --output "$dir/out" --json "$dir/r.json" -- "$dir/race_program" racy >"$dir/output" 2>&1 || return 1
	alone=$(race_lines "$dir/r.json")
	simul_run run --jobs 2 --output "$dir/out" --json "$dir/r.json" -- "$dir/race_program" racy >"$dir/output" 2>&1
	expect_eq jobs 1 "$(json "$dir/r.json" jobs)" && expect_eq races "$alone" "$(race_lines "$dir/r.json")" && [ -n "$alone" ]
}

run_case "races of processes" races -O0
# names_local EXPECTED COMPILER_OPTIONS...: the variable of a module on the stack of sc_main has this name, in the list and in the bug.
names_local() {
	local expected=$1
	shift
	race_program -DON_STACK "$@" && simul_run run --output "$dir/out" --json "$dir/r.json" -- "$dir/race_program" racy >"$dir/output" 2>&1 || return 1
	expect_eq object "$expected" "$(json "$dir/r.json" races.0.object)" && fails_on_race bug racy && {
		[[ $(json "$dir/r.json" bugs.0.message) == *" $expected at "* ]] || { cat "$dir/output"; return 1; }
	}
}

run_case "races of processes, a local variable" names_local sc_main::t.level -g -O2
run_case "races of processes, a local variable without its name" names_local "local of sc_main" -O0
run_case "races of processes, TLM" tlm_races -O0
run_case "races of processes, TLM, optimised" tlm_races -O2
run_case "races of processes, bugs" race_bugs -O0
run_case "races of processes, bugs, optimised" race_bugs -O2
run_case "races of processes, no names" unnamed_races
run_case "races of processes, jobs" races_with_jobs
run_case "races of processes, optimised" races -O2
run_case "an exception" exception
run_case "several starts, a pause, a stop" counted 48 phases --strategy optimal
run_case "spawned processes" counted 36 spawn --strategy optimal
run_case "spawned processes, without rewinding" counted 36 spawn --strategy optimal --isolation fork
run_case "rewinds" rewinds
run_case "with POSIX threads" counted 4 with_pthread --strategy optimal
run_case "with POSIX threads, shuffled" counted 4 with_pthread --strategy optimal --shuffle 7
# asynchronous OPTIONS...: a POSIX thread asks for an update before the first wait of a process, before a later one, or too late.
asynchronous() {
	build "$dir/async_update" async_update || return 1
	simul_run run --keep-going --quiet "$@" --output "$dir/out" --json "$dir/r.json" -- "$dir/async_update" 9>>"$dir/seen" >"$dir/output"
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq outcomes "000 001 011 111 " "$(sort -u "$dir/seen" | tr '\n' ' ')"
}
# One of these outcomes fails.
asynchronous_bug() {
	build "$dir/async_bug" async_update -DBUG || return 1
	simul_run run --quiet --output "$dir/out" --json "$dir/r.json" -- "$dir/async_bug" 9>/dev/null >"$dir/output"
	expect_eq verdict bug "$(json "$dir/r.json" verdict)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
run_case "an update asked for by a POSIX thread" asynchronous
run_case "an update asked for by a POSIX thread, two workers" asynchronous --strategy optimal --jobs 2
run_case "an update asked for by a POSIX thread, a bug" asynchronous_bug
run_case "two workers" counted 216 pipeline --strategy optimal --jobs 2
run_case "a method reset in a part of the orders, two workers" one_worker_says --jobs 2
run_case "a method reset before the search continued" continued
# Immediate notifications without end are named with their processes. A program in which no process ran is not asked to create threads.
endless() {
	build "$dir/endless" endless -O1 || return 1
	simul_run run --time 100s --output "$dir" --json "$dir/r.json" -- "$dir/endless" >"$dir/output" 2>&1
	expect_eq kind hang "$(json "$dir/r.json" bugs.0.kind)" && grep "no time passes: SystemC processes run again" "$dir/output" && grep -q "(top.p[io]ng, top.p[io]ng)" \
		<<<"$(json "$dir/r.json" bugs.0.message)" || { cat "$dir/output"; return 1; }
}
idle() {
	build "$dir/idle" idle -O1 || return 1
	simul_run run -- "$dir/idle" >"$dir/output" 2>&1
	expect_eq "exit status" 2 $? && grep "before any of its SystemC processes ran" "$dir/output" && ! grep "pthread_create" "$dir/output"
}
run_case "endless immediate notifications" endless
run_case "no process ran" idle
# The program needs libsystemc only through a library, and does not call sc_start.
never_started() {
	[ -e /usr/include/systemc.h ] || { echo "libsystemc-dev is not installed"; exit 77; }
	g++ -shared -fPIC -o "$dir/libmodel.so" $programs/model_library.cpp -lsystemc &&
		g++ -DPROGRAM -o "$dir/never_started" $programs/model_library.cpp -L"$dir" -lmodel -Wl,-rpath,"$dir" || return 1
	simul_run run -- "$dir/never_started" >"$dir/output" 2>&1
	expect_eq "exit status" 2 $? && grep "before any of its SystemC processes ran" "$dir/output" && ! grep "pthread_create" "$dir/output"
}
run_case "no process ran, in a library" never_started
# Processes ran, but in the kernel's order.
own_order_only() {
	unknown_build three && ! grep "before any" "$dir/output" && grep "created no thread, and its SystemC processes, if it has any, run in their kernel's own order" "$dir/output"
}
run_case "no order of processes but the kernel's" own_order_only
run_case "too many processes" says 'more than 1000 SystemC processes' many
run_case "SystemC inside the program" says 'linked statically' inside
run_case "an unknown libsystemc" unknown_build three
run_case "an unknown libsystemc and POSIX threads" unknown_build with_pthread
finish
