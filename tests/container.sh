#!/bin/bash
# Systems where address randomisation cannot be disabled, such as containers (tests/lib/container.c): memory has the same addresses as
# elsewhere, counts and bugs are equal, recordings replay inside and outside, and nothing is lost. If ptrace is forbidden too, simul reports
# what is lost.
#
#   tests/container.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite container
only=${1-}

mkdir -p "$work/bin"
bin=$work/bin
build() { "${@:2}" -o "$bin/$1" || { run_case "$1 compiles" false; finish; }; }
build where gcc -g -O1 -D_GNU_SOURCE -pthread tests/container/where.c
build where_fixed gcc -g -O1 -no-pie -D_GNU_SOURCE -pthread tests/container/where.c
build where_aligned gcc -g -O1 -Wl,-z,max-page-size=0x200000 -D_GNU_SOURCE -pthread tests/container/where.c
build stack gcc -g -pthread demos/aba_stack/prog.c
build counter gcc -g -O1 -pthread demos/plain_counter/prog.c
build writers gcc -g -O2 -pthread tests/golden/writers.c -DN=7
printf '#!/bin/sh\nexec "%s" "$@"\n' "$bin/where" >"$bin/wrapper"
chmod +x "$bin/wrapper"

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# An ordinary machine, a container, a container that forbids more.
outside() { within "$CASE_SECONDS" "$SIMUL" "$@"; }
inside() { within "$CASE_SECONDS" "$TOOLS/container" "$SIMUL" "$@"; }
hardened() { within "$CASE_SECONDS" "$TOOLS/container" --no-ptrace "$SIMUL" "$@"; }
old_kernel() { within "$CASE_SECONDS" "$TOOLS/container" --no-prctl-mm "$SIMUL" "$@"; }

# printed PLACE OPTIONS...: finds the bug of the program at PLACE and prints the program's output; the recording is PLACE/*.simul
printed() {
	local place=$1
	shift
	$place run --quiet --output "$dir/$place" --json "$dir/$place.json" "$@" >"$dir/$place.out" 2>&1
	[ $? = 1 ] && expect_eq confirmed true "$(json "$dir/$place.json" bugs.0.confirmed)" || { cat "$dir/$place.out"; return 1; }
	outside show "$dir/$place"/*.simul | sed -n 's/^  | //p' | grep -v Assertion >"$dir/$place.printed"
	[ -s "$dir/$place.printed" ] || { echo "nothing was printed"; return 1; }
}

# replays PLACE FILE...: each recording fails at PLACE every time, as recorded
replays() {
	local place=$1
	shift
	show_cmd "$place replay $*"
	$place replay --times 3 "$@"
	expect_eq "exit status of the replay" 1 $?
}

# ---- addresses ----

# alike OPTIONS...: all addresses are equal inside and outside, and recordings replay in both
alike() {
	printed outside "$@" && printed inside "$@" || return 1
	diff "$dir/outside.printed" "$dir/inside.printed" || { echo "memory lies elsewhere"; return 1; }
	replays inside "$dir"/outside/*.simul && replays outside "$dir"/inside/*.simul
}

with_limit() {
	ulimit "$1" "$2" || return 1
	alike "${@:3}"
	# the limit is unchanged
	grep -q "limit $([ "$2" = unlimited ] && echo -1 || echo $(($2 * 1024)))," "$dir/inside.printed" || { cat "$dir/inside.printed"; return 1; }
}

new_case "addresses: a program" alike -- "$bin/where"
new_case "addresses: one that is linked at a fixed address" alike -- "$bin/where_fixed"
new_case "addresses: one with aligned segments" alike -- "$bin/where_aligned"
new_case "addresses: each execution a process" alike --isolation exec -- "$bin/where"
new_case "addresses: a script that becomes the program" alike -- "$bin/wrapper"
new_case "addresses: an exec fails, the next one does not" alike -- "$bin/where" exec "$bin/where"
new_case "addresses: env" alike -- env A=B "$bin/where" 100
new_case "addresses: a deep stack" with_limit -s 65536 -- "$bin/where" 15000
new_case "addresses: a stack without a limit" with_limit -s unlimited -- "$bin/where" 5000
new_case "addresses: a stack without a limit, after an exec" with_limit -s unlimited -- "$bin/wrapper" 5000

new_case "addresses: something lies where something else goes" eval 'export SIMUL_TEST_PLACE_ASIDE=1; alike -- "$bin/where"'

# the program works without them
sealed() {
	export SIMUL_TEST_PLACE_SEALED=1
	alike -- "$bin/where" && grep -q '^loader .*, kernel 0,' "$dir/inside.printed" || { cat "$dir/inside.printed"; return 1; }
}
new_case "addresses: the kernel keeps its own pages" sealed

# PR_SET_MM_MAP is refused: only the brk heap has another address
no_brk() {
	printed outside -- "$bin/where" && printed old_kernel -- "$bin/where" || return 1
	expect_eq "lines that differ" 2 "$(diff "$dir/outside.printed" "$dir/old_kernel.printed" | grep -c '^[<>] brk')" &&
		expect_eq "lines that differ" 2 "$(diff "$dir/outside.printed" "$dir/old_kernel.printed" | grep -c '^[<>]')" &&
		replays old_kernel "$dir"/outside/*.simul
}
new_case "addresses: kernels that cannot move brk" no_brk

# ---- searches ----

# finds PROGRAM PATTERN OPTIONS...: bugs with these counts, confirmed, with source places, inside and outside
finds() {
	local place k
	for place in outside inside; do
		$place run --keep-going --strategy optimal --quiet --output "$dir/$place" --json "$dir/$place.json" "${@:3}" -- "$bin/$1" >"$dir/$place.out" 2>&1
		grep -qE "$2" "$dir/$place.out" && ! grep -qi "randomi[sz]ation" "$dir/$place.out" || { cat "$dir/$place.out"; return 1; }
	done
	for k in verdict executions distinct_traces blocked events bugs.# races.# bugs.0.kind bugs.0.where bugs.0.confirmed; do
		expect_eq $k "$(json "$dir/outside.json" $k)" "$(json "$dir/inside.json" $k)" || return 1
	done
	expect_eq confirmed true "$(json "$dir/inside.json" bugs.0.confirmed)" || return 1
	replays inside "$dir"/outside/*.simul && replays outside "$dir"/inside/*.simul
}

workers() {
	local k
	outside run --strategy optimal --jobs 1 --json "$dir/1.json" -- "$bin/writers" >/dev/null 2>&1
	SIMUL_TEST_SHARE_AT_ONCE=1 inside run --strategy optimal --jobs 2 --json "$dir/2.json" -- "$bin/writers" || return 1
	expect_eq "jobs" "2 null" "$(json "$dir/2.json" jobs) $(json "$dir/2.json" jobs_reason)" || return 1
	for k in verdict executions distinct_traces events; do
		expect_eq $k "$(json "$dir/1.json" $k)" "$(json "$dir/2.json" $k)" || return 1
	done
}

# The search moves between the places; its parts add up.
goes_on() {
	local place
	outside run --strategy optimal --jobs 1 --json "$dir/one.json" -- "$bin/writers" >/dev/null 2>&1
	for place in inside outside inside; do
		$place run --strategy optimal --jobs 1 --executions 1700 --resume "$dir/state" --json "$dir/part.json" -- "$bin/writers" || return 1
	done
	for k in verdict executions distinct_traces events; do
		expect_eq $k "$(json "$dir/one.json" $k)" "$(json "$dir/part.json" $k)" || return 1
	done
}

night() {
	cp "$bin/counter" "$bin/writers" "$dir"
	cd "$dir" || return 1
	inside stress --time 5m --state state --json 1.json -- ./counter ./writers >1.out 2>&1
	expect_eq "status of the first night" 1 $? || { cat 1.out; return 1; }
	inside stress --time 5m --state state --json 2.json -- ./counter ./writers >2.out 2>&1
	expect_eq "status of the second night" 1 $? && ! grep -qi 'randomi[sz]ation\|unconfirmed\|diverge' ./*.out || { cat ./*.out; return 1; }
}

in_gdb() {
	printf '%s\n' backtrace 'simul prev' 'print b->next' >"$dir/commands"
	outside run -q --strategy optimal --output "$dir" -- "$bin/stack" >/dev/null 2>&1
	inside replay --gdb-commands "$dir/commands" "$dir"/*.simul >"$dir/said" 2>&1
	expect_eq "exit status of gdb" 0 $? && grep -q '^simul: the failure: .*Assertion' "$dir/said" && grep -q 'take .*prog.c:41' "$dir/said" &&
		grep -q '^simul: before step 17 of 18' "$dir/said" && grep -q '= (struct buffer' "$dir/said" || { cat "$dir/said"; return 1; }
}

doctor() {
	inside doctor --json "$dir/d.json" "$bin/where" >"$dir/d.out" && grep -q '^  addresses  *fixed' "$dir/d.out" &&
		expect_eq addresses fixed "$(json "$dir/d.json" addresses)" || { cat "$dir/d.out"; return 1; }
}

new_case "a race, confirmed and with source places" finds counter 'prog.c:[0-9]+.*confirmed'
new_case "a failed assertion" finds stack 'prog.c:41 .*confirmed'
new_case "workers share a search" workers
new_case "a search goes on here and there" goes_on
new_case "nights of stress" night
new_case "in gdb" in_gdb
new_case "the doctor" doctor

# ---- refusals ----

# random PLACE WHY: addresses are random, and simul says so
random() {
	local place=$1 why=$2
	$place run --output "$dir" --strategy optimal --jobs 2 --resume "$dir/state" -- "$bin/stack" >"$dir/out" 2>&1
	grep -q "^simul: note: address randomisation cannot be disabled here, and memory cannot be moved: $why; no later run can continue" "$dir/out" &&
		grep -qE 'bug found: assert|unconfirmed failure: assert' "$dir/out" || { cat "$dir/out"; return 1; }
	$place doctor "$bin/where" >"$dir/d.out" && grep -q "^  addresses  *RANDOM: .*$why" "$dir/d.out" || { cat "$dir/d.out"; return 1; }
}
limited() { (ulimit -v 20000000000 && inside "$@"); }

# Without a filter, simul asks the kernel not to randomise.
limited_outside() {
	(ulimit -v 20000000000 && outside doctor "$bin/where") >"$dir/d.out" && grep -q "^  addresses  *chosen by the kernel, .*ulimit -v" "$dir/d.out" ||
		{ cat "$dir/d.out"; return 1; }
	(ulimit -v 20000000000 && outside run --strategy optimal --jobs 1 --json "$dir/r.json" -- "$bin/writers") &&
		expect_eq traces 5040 "$(json "$dir/r.json" distinct_traces)"
}

new_case "ptrace is forbidden, too" random hardened "processes may not trace their children (ptrace)"
new_case "the address space is limited" random limited "the address space is limited (ulimit -v)"
if setarch -R true 2>/dev/null; then
	new_case "the address space is limited outside" limited_outside
else
	echo "the address space is limited outside: not tested, since this is a container"
fi

# ---- other suites ----

# other NAME EVERY: runs one of EVERY cases of that suite; `make test-long` runs all of them
other() {
	local every=$2
	[ "${SUITE_MODE-}" != long ] || every=1
	IN_CONTAINER=1 FILTER='' CASE_EVERY=$every JOBS=2 "tests/$1.sh" >"$dir/$1.log" 2>&1 && return 0
	grep -A 20 '^FAIL' "$dir/$1.log"
	tail -n 1 "$dir/$1.log"
	return 1
}
demos() {
	[ "${SUITE_MODE-}" = long ] || set -- lock_order use_after_free cxx_shutdown early_flag
	IN_CONTAINER=1 demos/run.sh --quiet --replays 2 "$@"
}

new_case "litmus" other litmus 15
new_case "golden" other golden 25
new_case "run_programs" other run_programs 15
new_case "explain" other explain 8
new_case "files" other files 8
new_case "demos" demos
finish
