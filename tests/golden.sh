#!/bin/bash
# The golden table: the number of executions must be the number of traces, whatever compiled the program.
. "$(dirname "$0")/lib.sh"
suite golden

lock_level='^(mutex|phil|indexer_mtx|filesystem)\.c$'
lock_rows=18 # so many rows of the table are at that level: none may get lost

# count NAME EXPECTED PROGRAM OPTIONS...: runs it and compares executions, distinct traces and the verdict
count() {
	local name=$1 expected=$2 prog=$3 verdict=complete found
	shift 3
	[[ $name == *deadlock* ]] && verdict=bug
	show_cmd "$SIMUL run --keep-going $* -- $prog"
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog"
	found=$?
	[ $verdict = bug ] && { [ $found = 1 ] || { echo "exit status $found"; return 1; }; }
	[ $verdict = bug ] || [ $found = 0 ] || { echo "exit status $found"; return 1; }
	expect_eq verdict $verdict "$(json "$dir/r.json" verdict)" &&
		expect_eq "distinct traces" "$expected" "$(json "$dir/r.json" distinct_traces)" || return 1
	if [ $verdict = bug ]; then
		expect_eq "kind of bug" deadlock "$(json "$dir/r.json" bugs.0.kind)" &&
			expect_eq "different bugs" 1 "$(json "$dir/r.json" bugs.#)" || return 1
	fi
	[[ " $* " == *" source "* ]] && return 0 # Source-DPOR may explore a trace more than once
	expect_eq executions "$expected" "$(json "$dir/r.json" executions)" &&
		expect_eq "blocked executions" 0 "$(json "$dir/r.json" blocked)"
}

# row NAME SOURCE DEFINES COUNT
row() {
	local name=$1 source=$2 defines=$3 expected=$4 cc opt prog
	[ "$defines" = - ] && defines=
	for cc in gcc clang; do
		for opt in -O0 -O2; do
			prog=$work/bin/$name$cc$opt
			# shellcheck disable=SC2086
			$cc $opt -g -pthread $defines -o "$prog" "tests/golden/$source" || {
				run_case "$name $cc $opt" false
				continue
			}
			run_case "$name $cc $opt" count "$name" "$expected" "$prog"
		done
	done
	prog=$work/bin/${name}gcc-O2
	run_case "$name shuffled 7" count "$name" "$expected" "$prog" --shuffle 7
	[ "$expected" -le 100 ] || return 0
	run_case "$name shuffled 12345" count "$name" "$expected" "$prog" --shuffle 12345
	run_case "$name source" count "$name" "$expected" "$prog" --strategy source
	run_case "$name kernel threads" count "$name" "$expected" "$prog" --threads kernel
	[ "$expected" -le 24 ] || return 0
	run_case "$name exec" count "$name" "$expected" "$prog" --isolation exec
}

mkdir -p "$work/bin"
rows=0
while IFS=$'\t' read -r name source defines sc _; do
	[[ $source =~ $lock_level ]] || continue
	[[ $sc =~ ^[0-9]+$ ]] || { run_case "$name: no number in the table" false; continue; }
	rows=$((rows + 1))
	row "$name" "$source" "$defines" "$sc"
done <tests/golden/golden.tsv
run_case "the table has all $lock_rows lock-level rows" expect_eq "rows" $lock_rows $rows
finish
