#!/bin/bash
# The programs of bench/bounded.tsv: each bug is found with the published preemption bound, the repaired data structures have no bug up to a
# bound, and the benchmark's table agrees with its searches.
#
#   tests/bounded.sh [NAME]   only the rows whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite bounded

# build SOURCE DEFINES: compiles SOURCE to $dir/prog
build() {
	local defines=$2
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	gcc -O2 -g -pthread -I bench/bounded -I tests/golden $defines -o "$dir/prog" "$1"
}

# search OPTIONS...: limits the number of executions so that the search takes a second or two
search() {
	show_cmd "$SIMUL run --strategy trust $* -- $dir/prog"
	simul_run run --quiet --no-minimize --strategy trust --executions 3000 --output "$dir/out" --json "$dir/r.json" "$@" -- "$dir/prog"
}

# buggy SOURCE DEFINES BOUND
buggy() {
	build "$1" "$2" || return 1
	for ((k = 0; k <= $3; k++)); do
		search --preemptions $k
		[ "$(json "$dir/r.json" verdict)" = bug ] && return 0
	done
	echo "not found with up to $3 preemptions"
	return 1
}

# A search with bound 0 ends without a bug, and its verdict says what was left out.
safe() {
	build "$1" "$2" || return 1
	search --preemptions 0
	[[ $(json "$dir/r.json" verdict) =~ ^(bounded|complete|incomplete)$ ]] && [ "$(json "$dir/r.json" within_bound)" -ge 1 ]
}

# The section of the benchmark on three rows: a bug found at once, a bug found with bound 1, no bug.
section() {
	grep -P '^(lazy|queue|treiber-stack-safe)\t' bench/bounded.tsv | sed 's/-DPER=7/-DPER=1/' >"$dir/table.tsv"
	BENCH_DIR=$dir/bench BOUNDED=$dir/table.tsv BOUNDED_LIMIT=20 within "$CASE_SECONDS" bench/run.sh --json "$dir/bench.json" bounded ||
		return 1
	expect_eq rows 3 "$(json "$dir/bench.json" 'rows.#')" &&
		expect_eq lazy 0 "$(json "$dir/bench.json" rows.0.value)" &&
		expect_eq queue 1 "$(json "$dir/bench.json" rows.1.value)" || return 1
	[[ $(json "$dir/bench.json" rows.2.note) != *"not done;"* ]]
}

rows=0
while IFS=$'\t' read -r name source defines bound; do
	[[ $name != \#* ]] || continue
	rows=$((rows + 1))
	[[ $name == *"${1-}"* ]] || continue
	case $bound in
	safe*) run_case "$name" safe "$source" "$defines" ;;
	[012]) run_case "$name" buggy "$source" "$defines" "$bound" ;;
	esac
done <bench/bounded.tsv
run_case "the table has rows" test "$rows" -ge 30
run_case "make bench" section
finish
