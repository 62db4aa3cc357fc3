#!/bin/bash
# The golden table: the number of executions must be the number of traces, whatever compiled the program and whichever
# sensor sees its memory: plain binaries that are patched, and binaries built with -fsanitize=thread.
#
#   tests/golden.sh [NAME]   only the rows whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite golden

table_rows=64 # so many rows have a number: none may get lost

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

# built PROGRAM SOURCE DEFINES COMPILER OPTIONS...: then the command that follows --
built() {
	local prog=$1 source=$2 defines=$3 cc=$4 flags=
	shift 4
	while [ "$1" != -- ]; do flags+=" $1"; shift; done
	shift
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	$cc $flags -g -pthread $defines -o "$prog" "tests/golden/$source" || return 1
	"$@"
}

# row NAME SOURCE DEFINES COUNT
row() {
	local name=$1 source=$2 defines=$3 expected=$4 cc opt prog shared
	for cc in gcc clang; do
		for opt in -O0 -O2; do
			prog=$work/bin/${name//\//_}$cc$opt
			run_case "$name $cc $opt" built "$prog" "$source" "$defines" $cc $opt -- \
				count "$name" "$expected" "$prog"
			shared=
			[ $cc = clang ] && shared=-shared-libsan
			run_case "$name $cc $opt tsan" built "$prog.t" "$source" "$defines" $cc $opt -fsanitize=thread $shared -- \
				count "$name" "$expected" "$prog.t"
		done
	done
	prog=$work/bin/${name//\//_}
	again() { run_case "$name $1" built "$prog$2" "$source" "$defines" gcc -O2 -- count "$name" "$expected" "$prog$2" "${@:3}"; }
	again "shuffled 7" s --shuffle 7
	[ "$expected" -le 100 ] || return 0
	again "shuffled 12345" S --shuffle 12345
	again source r --strategy source
	again "kernel threads" k --threads kernel
	[ "$expected" -le 24 ] || return 0
	again exec e --isolation exec
}

mkdir -p "$work/bin"
rows=0
while IFS=$'\t' read -r name source defines sc _; do
	[ "$name" != name ] || continue
	[[ $sc =~ ^[0-9]+$ ]] || { run_case "$name: no number in the table" false; continue; }
	rows=$((rows + 1))
	[[ $name == *"${1-}"* ]] || continue
	row "$name" "$source" "$defines" "$sc"
done <tests/golden/golden.tsv
run_case "the table has all $table_rows rows" expect_eq "rows" $table_rows $rows
finish
