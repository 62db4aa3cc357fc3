#!/bin/bash
# For suites that compare searches with two kinds of isolation, whose results must be equal. Sourced after lib.sh. The suite names the two
# kinds (`first`, `second`), and how_options NAME sets `options` of simul run (and the environment) for each.

# Without json_get all compared values would be empty, and so equal.
[ -x "$TOOLS/json_get" ] || { run_case "json_get was built (make tools)" false; finish; }

# search HOW PROGRAM OPTIONS...: writes the result to HOW.json. The search runs in its own folder, since programs may leave files
search() {
	local how=$1 prog=$2
	shift 2
	mkdir -p "$dir/$how.d"
	how_options "$how"
	show_cmd "$SIMUL run --keep-going $options $* -- $prog"
	# shellcheck disable=SC2086
	( cd "$dir/$how.d" && simul_run run --strategy optimal --keep-going --output "$dir/$how.out" --json "$dir/$how.json" $options "$@" -- $prog ) \
		>"$dir/$how.log" 2>&1
	echo $? >"$dir/$how.status"
	[ -s "$dir/$how.json" ] || { cat "$dir/$how.log"; return 1; }
}

value() { json "$dir/$1.json" "$2"; }

# same PROGRAM OPTIONS...: both kinds give the same result
same() {
	local k n
	# shellcheck disable=SC2154
	search $first "$@" && search $second "$@" || return 1
	expect_eq "exit status" "$(cat "$dir/$first.status")" "$(cat "$dir/$second.status")" || return 1
	for k in verdict executions distinct_traces blocked cut events learning_executions bugs.#; do
		expect_eq $k "$(value $first $k)" "$(value $second $k)" || return 1
	done
	n=$(value $first bugs.#)
	for ((k = 0; k < n; k++)); do
		expect_eq "bug $k" "$(value $first bugs.$k.kind) $(value $first bugs.$k.where) $(value $first bugs.$k.confirmed)" \
			"$(value $second bugs.$k.kind) $(value $second bugs.$k.where) $(value $second bugs.$k.confirmed)" || return 1
	done
}

build() { gcc -g -O1 -D_GNU_SOURCE -Iinclude -pthread -o "$@"; }

# ---- programs of other suites ----

setting() { [ ! -f "$expect" ] || sed -n "s/^$1 //p" "$expect"; }

plain_program() {
	local src=$1 prog expect cc=gcc lib args
	expect=${src%.*}.expect prog=$dir/$(basename "${src%.*}")
	[[ $src == *.cc ]] && cc="g++ -std=c++17"
	lib=$(setting library)
	[ -z "$lib" ] || gcc -g -shared -fPIC -pthread -o "$dir/${lib%.c}.so" "tests/run/lib/$lib" || return 1
	args=$(setting cflags)
	# shellcheck disable=SC2086
	$cc -D_GNU_SOURCE -w -g -O1 -pthread ${args//@DIR@/$dir} -o "$prog" "$src" -ldl -lrt || return 1
	args=$(setting args)
	# shellcheck disable=SC2046
	same "$prog ${args//@DIR@/$dir}" --executions 60 $(setting options)
}

demo() {
	local src cc=gcc
	src=$(echo demos/"$1"/prog.c*)
	[[ $src == *.cc ]] && cc=g++
	$cc -g -pthread -o "$dir/prog" "$src" || return 1
	same "$dir/prog" --executions 300
}

