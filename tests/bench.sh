#!/bin/bash
# make bench with the smallest parameters: the table and its JSON are complete and agree, limits are respected, and other tools are called
# as their manuals require (using stand-ins that print the same output). The test checks that each result is a number, not its value.
. "$(dirname "$0")/lib.sh"
suite bench

# bench SECTION...: writes the table to $dir/table and the JSON to $dir/json
bench() {
	show_cmd bench/run.sh "$@"
	BENCH_DIR=$dir/work BENCH_SECONDS=1 REPEAT=1 BENCH_EXECUTIONS=105 BENCH_PACE_MS=30 BENCH_THREADS="2:10 3:10 4:10" BENCH_ROUNDS="3:6 3:12 3:24" BENCH_BARRIERS="3:4 3:8 3:16" BENCH_JOBS=3:3 \
		simul_time bench/run.sh --json "$dir/json" "$@" >"$dir/table" 2>"$dir/err" </dev/null
	local status=$?
	cat "$dir/table" "$dir/err"
	return $status
}
simul_time() { SIMUL=$SIMUL within "$CASE_SECONDS" "$@"; }

# rows SECTION N NUMBERS: the JSON has N rows of the section. At least NUMBERS of them have a positive number; the others give the reason why
# not. Each name is in the table too. (A growth exponent may be negative on a busy machine.)
rows() {
	local n i value name found=0 numbers=0
	n=$(json "$dir/json" 'rows.#') || { echo "no JSON"; return 1; }
	for ((i = 0; i < n; i++)); do
		[ "$(json "$dir/json" rows.$i.section)" = "$1" ] || continue
		found=$((found + 1))
		name=$(json "$dir/json" rows.$i.name)
		value=$(json "$dir/json" rows.$i.value)
		if [[ $value =~ ^[0-9.]+(e[-+]?[0-9]+)?$ && $value =~ [1-9] ]]; then
			numbers=$((numbers + 1))
		elif [[ $value =~ ^-?[0-9.]+$ && $name == growth* ]]; then
			:
		elif [ "$value" != null ] || [ "$(json "$dir/json" rows.$i.note)" = null ]; then
			echo "$name: value $value"
			return 1
		fi
		[[ $name == *:\ peak\ memory ]] || grep -qF -- "$name" "$dir/table" || { echo "not in the table: $name"; return 1; }
	done
	expect_eq "rows of $1" "$2" $found || return 1
	[ $numbers -ge "$3" ] || { echo "numbers of $1: $numbers"; return 1; }
}

# found NAME KEY: prints the value of KEY in the row with this name
found() {
	local n i
	n=$(json "$dir/json" 'rows.#')
	for ((i = 0; i < n; i++)); do
		[ "$(json "$dir/json" rows.$i.name)" = "$1" ] && { json "$dir/json" "rows.$i.$2"; return; }
	done
	echo "no row $1"
}

speed() {
	bench isolation points memory && rows isolation 8 7 && rows points 4 4 && rows memory 6 6 || return 1
	[[ $(found "executions a second, --isolation rewind" ratio) =~ ^[0-9.]+$ ]] &&
		expect_eq schema 1 "$(json "$dir/json" schema)" && json "$dir/json" machine.load_before
}

# With or without --jobs.
growth() {
	local jobs
	bench scaling || return 1
	jobs=$(grep -c '^executions a second, --jobs [0-9]' "$dir/table")
	if "$SIMUL" run --help | grep -q -- --jobs; then
		[ "$jobs" -ge 2 ] || { echo "--jobs was not measured"; return 1; }
	else
		expect_eq "lines about --jobs" "0 1" "$jobs $(grep -c 'simul run has no --jobs' "$dir/table")" && jobs=1 || return 1
	fi
	rows scaling $((12 + jobs)) 9
}

# Stand-ins for genmc and nidhuggc. Each prints what the real tool prints if it is called with the flags that count all traces.
# The smallest size of a program takes them less time than the others, as bench/peers.sh expects.
stand_ins() {
	mkdir -p "$dir/tools" &&
	cat >"$dir/tools/genmc" <<'END' &&
#!/bin/bash
# genmc [OPTIONS] -- [COMPILER FLAGS] FILE
[ "$*" = -help ] && {
	printf '  --disable-%s - %s\n' ipr "Disable in-place revisiting" sr "Disable symmetry reduction" estimation "Do not estimate the state-space size"
	exit 0
}
[[ "$*" =~ ^-sc\ -disable-sr\ -disable-ipr\ -disable-estimation\ --\ -I\ tests/golden\ (-D.*\ )?tests/golden/[a-z]*\.c$ ]] || { echo "genmc: what is $*?"; exit 2; }
[[ "$*" == *writers.c ]] && { echo "BUG: Failure at Interpreter.cpp:7!"; exit 134; }
[[ "$*" == *readers.c ]] && { sleep 60; }
n=1
[[ "$*" == *"-DN=2 -DR=1"* ]] || for ((n = 0; n < 30000; n++)); do :; done
echo "*** Verification complete. No errors were detected."
echo "Number of complete executions explored: $((n < 2 ? 1 : 6))"
echo "Number of blocked executions seen: 1"
echo "Total wall-clock time: 0.02s"
END
	cat >"$dir/tools/nidhuggc" <<'END' &&
#!/bin/bash
# nidhuggc CFLAGS -- FLAGS FILE
[[ "$*" =~ ^-O1\ -I\ tests/golden\ (-D.*\ )?--\ --sc\ --optimal\ --no-commute-rmws\ tests/golden/[a-z]*\.c$ ]] || { echo "nidhuggc: what is $*?"; exit 1; }
n=1
[[ "$*" == *"-DN=2 -DR=1"* ]] || for ((n = 0; n < 30000; n++)); do :; done
echo "Trace count: $((n < 2 ? 1 : 7))"
echo "No errors were detected."
END
	chmod +x "$dir/tools/genmc" "$dir/tools/nidhuggc"
}

# table LINES...: the table of the searches has these lines
table() { printf '%s\n' "$@" | sed 's/ \+/\t/; s/ \+/\t/; s/ \+\([01]\)$/\t\1/' >"$dir/searches.tsv"; }

other_tools() {
	stand_ins && table "mutex(2x2) mutex.c -DN=2 -DR=2 1" "writers(3) writers.c -DN=3 0" "readers(2) readers.c -DN=2 0" || return 1
	GENMC=$dir/tools/genmc NIDHUGG=$dir/tools/nidhuggc SEARCHES=$dir/searches.tsv BENCH_LIMIT=1 bench searches && rows searches 10 8 || return 1
	[[ $(found "  mutex(2x2) by genmc" ratio) =~ ^[0-9.]+$ ]] && [[ $(found "  mutex(2x2) by nidhugg" note) == *"7 executions"*"ours 6"* ]] || return 1
	[[ $(found "  mutex(2x2) by genmc" note) != *ours* ]] && [[ $(found "mutex(2x2)" note) == *"peak memory"* ]] &&
		[[ $(found "  writers(3) by genmc" note) == *"fails (exit status 134): BUG: Failure"* ]] &&
		expect_eq "a tool that is too slow" "not done in 1 s" "$(found "  readers(2) by genmc" note)"
}

processor_time() {
	stand_ins && printf 'mutex(4x2)\tmutex.c\t-DN=4 -DR=2\nwriters(7)\twriters.c\t-DN=7\nmutex(5x6)\tmutex.c\t-DN=5 -DR=6\n' >"$dir/peers.tsv" || return 1
	GENMC=$dir/tools/genmc NIDHUGG=$dir/tools/nidhuggc PEERS=$dir/peers.tsv PEERS_LIMIT=2 bench peers && rows peers 9 7 || return 1
	expect_eq "of what" "simul over nidhugg" "$(found "  writers(7) by nidhugg" of)" || return 1
	[[ $(found "  mutex(4x2) by genmc" ratio) =~ ^[0-9.]+$ ]] && [[ $(found "  mutex(4x2) by genmc" note) == "6 executions in "*", start "*", ours 2520" ]] &&
		[[ $(found "mutex(4x2)" note) == "2520 executions in "* ]] && [[ $(found "  writers(7) by genmc" note) == *"fails (exit status 134): BUG: Failure"* ]] &&
		[[ $(found "mutex(5x6)" note) == "not done in 2 s"* ]] && expect_eq "a ratio to nothing" null "$(found "  mutex(5x6) by genmc" ratio)"
}

limited() {
	table "mutex(6x9) mutex.c -DN=6 -DR=9 0"
	SEARCHES=$dir/searches.tsv BENCH_LIMIT=1 bench searches && rows searches 1 1 && [[ $(found "mutex(6x9)" note) == *"not done in 1 s"* ]]
}

# All rows that the paper has of these programs are there, with a number.
enforced() {
	ENFORCE_RUNS=1 ENFORCE_PROGRAMS="bigshot sharedptr" bench enforce && rows enforce $((2 + 4 + 2 * 3)) 12 || return 1
	[[ $(found "shared pointer, 3 constraints" note) == *"; the paper x 1.22" ]]
}

# Two rows of the programs with schedulers of their own: a safe one that is too large without reduction, and one that fails.
cooperative() {
	grep -E '^(fact2|ft-token-ring-bug.3)	' bench/cooperative.tsv >"$dir/cooperative.tsv"
	COOPERATIVE=$dir/cooperative.tsv BENCH_LIMIT=5 bench cooperative && rows cooperative 6 5 || return 1
	[[ $(found "fact2, optimal" note) == "safe, 3 executions, 2 block traces; ESST P, S, PS: seconds 0.01 0.01 0.01, nodes 49 29 29" ]] &&
		[[ $(found "fact2, source" note) == "safe, 3 executions"* ]] && [[ $(found "ft-token-ring-bug.3, optimal" note) == "bug; ESST"* ]] &&
		[[ $(found "fact2, exhaustive" note) == *"ESST without reduction: seconds 0.01, nodes 49" ]]
}

refused() {
	bench nonsense && return 1
	grep -q "no section nonsense" "$dir/err" || return 1
	BENCH_LIMIT=soon simul_time bench/run.sh points >"$dir/table" 2>&1 && return 1
	GENMC=$dir/none bench searches && return 1
	grep -q "no such executable" "$dir/err"
}

for c in speed growth other_tools processor_time limited enforced cooperative refused; do
	run_case $c $c
done
finish
