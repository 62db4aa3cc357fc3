#!/bin/bash
# Ordinary programs (tests/run/): correct natively and in every schedule that simul tries, with fibers and with kernel threads.
# tests/run/README.md describes the .expect files.
#
#   tests/run_programs.sh [NAME...]
. "$(dirname "$0")/lib.sh"
suite run_programs

compile() {
	local src=$1 out=$2 cc=gcc flags lib
	[[ $src == *.cc ]] && cc="g++ -std=c++17"
	lib=$(setting library)
	if [ -n "$lib" ]; then
		gcc -g -shared -fPIC -pthread -o "$dir/${lib%.c}.so" "tests/run/lib/$lib" || return 1
	fi
	flags=$(setting cflags)
	# shellcheck disable=SC2086
	$cc -D_GNU_SOURCE -g -O1 -pthread ${flags//@DIR@/$dir} -o "$out" "$src" -ldl -lrt
}

# setting KEY: the rest of that line of the .expect file
setting() { [ ! -f "$expect" ] || sed -n "s/^$1 //p" "$expect"; }

native() {
	( cd "$dir" && within 30 "$prog" $args </dev/null >native.out 2>&1 )
	local status=$?
	[ $status = 0 ] && return 0
	echo "natively: exit status $status"
	cat "$dir/native.out"
	return 1
}

under_simul() {
	local want_bug want_verdict status verdict
	want_bug=$(setting bug) want_verdict=$(setting verdict)
	show_cmd "$SIMUL run --executions 200 --time 60s --threads $backend $options -- $prog $args"
	# shellcheck disable=SC2086
	( cd "$dir" && simul_run run --executions 200 --time 60s --threads $backend --output "$dir/out" \
		--json "$dir/r.json" $options -- "$prog" $args ) >"$dir/run.out" 2>&1
	status=$?
	verdict=$(json "$dir/r.json" verdict) || { echo "exit status $status"; cat "$dir/run.out"; return 1; }
	if [ -n "$want_bug" ]; then
		[ $status = 1 ] && expect_eq "kind of bug" "$want_bug" "$(json "$dir/r.json" bugs.0.kind)" &&
			expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" && return 0
		echo "exit status $status, verdict $verdict"
		tail -n 30 "$dir/run.out"
		return 1
	fi
	[ -n "$want_verdict" ] && [ $status = 0 ] && { expect_eq verdict "$want_verdict" "$verdict" || return 1; }
	[[ $(json "$dir/r.json" reason) == *"$(setting reason)"* ]] &&
		[ $status = 0 ] && [ "$(json "$dir/r.json" executions)" -gt 0 ] && return 0
	echo "exit status $status, verdict $verdict"
	cat "$dir/run.out"
	return 1
}

program() {
	local src=$1 backend=$2 expect prog args options
	expect=${src%.*}.expect
	prog=$dir/$(basename "${src%.*}")
	compile "$src" "$prog" || return 1
	args=$(setting args)
	args=${args//@DIR@/$dir}
	options=$(setting options)
	if [ "$backend" = native ]; then
		native
	else
		under_simul
	fi
}

if [ $# -gt 0 ]; then
	sources=()
	for n; do sources+=(tests/run/"$n".c*); done
else
	sources=(tests/run/*.c tests/run/*.cc)
fi
for src in "${sources[@]}"; do
	name=$(basename "${src%.*}")
	expect=${src%.*}.expect
	only=$(setting threads)
	[ -n "$(setting bug)" ] || ! of_many 5 "$name native" || run_case "$name native" program "$src" native
	for backend in fiber kernel; do
		[ -n "$only" ] && [ "$only" != $backend ] && continue
		[ $backend = fiber ] || of_many 8 "$name $backend" || continue
		run_case "$name $backend" program "$src" $backend
	done
done
finish
