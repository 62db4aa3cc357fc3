#!/bin/bash
# simul certify and simul enforce (docs/enforcement.md): certified schedules do not fail; others are refused or reported.
. "$(dirname "$0")/lib.sh"
suite enforce
programs=tests/enforce
runs=25 native=40 protected=500 recorded=25
[ "${SUITE_MODE-}" = long ] && runs=2000 native=100 protected=100000 recorded=10000
protected=${PROTECTED_RUNS:-$protected} # enforced runs of each buggy program under its certificate
recorded=${RECORDED_RUNS:-$recorded}    # enforced runs of each program whose order of events is compared with the certificate
exec 3>&2                               # progress

build() {
	if [ -f "$programs/$1.rs" ]; then
		rustc --edition 2021 -g -O -o "$dir/$1" "$programs/$1.rs"
	elif [ -f "$programs/$1.cpp" ]; then
		g++ -std=c++20 -g -O1 -pthread -o "$dir/$1" "$programs/$1.cpp"
	else
		# shellcheck disable=SC2086
		gcc -g -O1 -pthread -Iinclude ${FLAGS-} -o "$dir/$1" "$programs/$1.c"
	fi
}

# certify NAME OPTIONS... [-- ARGUMENTS]: makes $dir/NAME.cert; the output is in $dir/NAME.said
certify() {
	local name=$1 options=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	simul_run certify --no-minimize --output "$dir" -o "$dir/$name.cert" "${options[@]}" -- "$dir/$name" "${@:2}" >"$dir/$name.said" 2>&1
}

enforce() { # NAME OPTIONS... [-- ARGUMENTS]
	local name=$1 options=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	simul_run enforce "${options[@]}" "$dir/$name.cert" -- "$dir/$name" "${@:2}"
}

# batch FIRST N OUT COMMAND...: runs the command N times, one run after the other; fails with the output of the first run that fails. With TRACES the
# k-th run writes the order of its events to $TRACES.k.
batch() {
	# shellcheck disable=SC2016
	within "$CASE_SECONDS" bash -c '
		first=$1 n=$2 out=$3
		shift 3
		for ((i = first; i < first + n; i++)); do
			[ -z "${TRACES-}" ] || export SIMUL_TEST_ENFORCE_TRACE=$TRACES.$i
			"$@" >"$out" 2>&1 || { echo "enforced run $i: exit status $?"; cat "$out"; exit 1; }
		done' batch "$@"
}

# lane FIRST END COMMAND...: runs FIRST to END - 1 of the command in batches, and shows the progress of a long lane
lane() {
	local at=$1 end=$2 size
	for (( ; at < end; at += size)); do
		size=$((end - at < 1000 ? end - at : 1000))
		[ ! -f "$dir/failed" ] || return 1
		batch "$at" $size "$dir/out.$end" "${@:3}" || { touch "$dir/failed"; return 1; }
		[ $(((at + size) % 10000)) != 0 ] || echo "${dir##*/}: enforced runs up to $((at + size)) of those up to $((end - 1)) passed" >&3
	done
}

# many N NAME OPTIONS... [-- ARGUMENTS]: the program passes in N enforced runs. Two of them run at a time if there are many.
many() {
	local n=$1 name=$2 options=() middle=$(($1 < 2000 ? 0 : $1 / 2)) other
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	set -- "$SIMUL" enforce "${options[@]}" "$dir/$name.cert" -- "$dir/$name" "${@:2}"
	lane 0 $middle "$@" &
	other=$!
	lane $middle "$n" "$@"
	wait $other && [ ! -f "$dir/failed" ]
}

said() { grep -qF -- "$2" "$1" || { echo "'$2' is missing in:"; cat "$1"; return 1; }; }

# protects NAME OPTIONS...: the program fails in at least one of ten native runs (ONE_OF=N: of N), and in none under its certificate
protects() {
	local name=$1 failed=0 i alone=$((native * ${ONE_OF:-10} / 10))
	shift
	build "$name" && export WINDOW=200 || return 1
	certify "$name" "$@"
	expect_eq "a bug is found" 1 $? || return 1
	said "$dir/$name.said" "more executions cannot improve this: an execution failed" || return 1
	for ((i = 0; i < alone && failed < native / 10; i++)); do # runs that hang take a second
		timeout -s KILL 1 "$dir/$name" >/dev/null 2>&1 || failed=$((failed + 1))
	done
	[ "$failed" -ge $((native / 10)) ] || { echo "natively $failed of $alone runs failed: the test shows nothing"; return 1; }
	many "$protected" "$name"
} 2>/dev/null

# delayed NAME: the certificate of one execution without the delays holds with them
delayed() {
	build "$1" && certify "$1" --executions 1
	[ -f "$dir/$1.cert" ] || { cat "$dir/$1.said"; return 1; }
	WINDOW=2000 many "$runs" "$1" --stall 20
}

# The counterexample to the paper's theorem: in the certificate the store follows the load, and it lies beyond the prefix. Only rule 2 holds it back.
behind() {
	local i line
	build frontier && export WINDOW=200 || return 1
	certify frontier --model tso
	line=$(grep -n 'load - - ' "$dir/frontier.cert" | head -n 1 | cut -d : -f 1)
	line=$(sed -n "${line}s/ .*//p" "$dir/frontier.cert")
	sed -i -e '$d' -e "s/^certified .*/certified $line/" "$dir/frontier.cert" && sign "$dir/frontier.cert" || return 1
	for i in $(seq "$runs"); do
		enforce frontier >"$dir/out" 2>&1 || { echo "enforced run $i failed with $?"; cat "$dir/out"; return 1; }
	done
}

# The prefix is the whole execution. Threads free blocks that other threads allocated, in the order of the certificate. On a terminal stdio has
# a smaller buffer, but the blocks have the same addresses.
whole() {
	local i
	build heap || return 1
	certify heap --executions 1 --model tso
	all_certified heap || return 1
	grep -q ' store .* o.*"heap.c:4[0-9]"' "$dir/heap.cert" || { echo "no block is freed in the certificate"; return 1; }
	for i in $(seq "$runs"); do
		enforce heap >"$dir/out" 2>&1 || { echo "enforced run $i failed with $?"; cat "$dir/out"; return 1; }
	done
	python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$SIMUL" enforce "$dir/heap.cert" -- "$dir/heap" >"$dir/out" </dev/null ||
		{ echo "exit status on a terminal: $?"; cat "$dir/out"; return 1; }
	said "$dir/out" balance
}

# Two threads create and join 20,000 threads each while the other one does the same. Each new thread does what its own creator asked for.
births() {
	local i
	build births || return 1
	certify births --executions 1
	sed -i -e '$d' -e "s/^certified .*/certified 2/" "$dir/births.cert" && sign "$dir/births.cert" || return 1
	for i in 1 2 3; do
		WINDOW=20000 enforce births >"$dir/out" 2>&1 || { echo "enforced run $i failed with $?"; cat "$dir/out"; return 1; }
	done
}

# all_certified NAME: the certificate of one execution orders the whole of it
all_certified() {
	local events
	events=$(tail -n 2 "$dir/$1.cert" | sed -n '1s/ .*//p')
	sed -i -e '$d' -e "s/^certified .*/certified $events/" "$dir/$1.cert" && sign "$dir/$1.cert"
}

# whole_own NAME OPTIONS...: the prefix is the whole execution, with large writes in pieces, ends of file and calls that do not wait
whole_own() {
	local i
	build "$1" || return 1
	certify "$1" --executions 1 "${@:2}"
	all_certified "$1" || return 1
	for i in $(seq "$runs"); do
		enforce "$1" --stall 20 >"$dir/out" 2>&1 || { echo "enforced run $i failed with $?"; cat "$dir/out"; return 1; }
	done
}

# The prefix is the whole execution: the certificate decides which timeouts expire and which waiter each wake-up reaches.
futexes() {
	local way i
	build futexes && export WINDOW=100 || return 1
	for way in x b t; do
		certify futexes --executions 1 --model tso -- $way
		all_certified futexes || return 1
		grep -q futex-wo "$dir/futexes.cert" || [ $way != b ] || { echo "no thread waits in the certificate"; return 1; }
		for i in $(seq $((runs / 2))); do
			enforce futexes --stall 20 -- $way >"$dir/out" 2>&1 || { echo "$way: enforced run $i failed with $?"; cat "$dir/out"; return 1; }
		done
	done
}

# The same of a program whose waiters are moved to another futex.
requeue() {
	FLAGS=-DFIXED whole_own requeue || return 1
	# a wait begins on one futex and ends on another one
	awk '/ futex-wait - - /{at[$2] = $6} / futex-woken - - /{moved += at[$2] != $6} END {exit !moved}' "$dir/requeue.cert" ||
		{ echo "no waiter is moved in the certificate"; return 1; }
}

# rust NAME OUTPUT: the same of a Rust program.
rust() {
	local i
	build "$1" || return 1
	certify "$1" --executions 1 --model tso
	all_certified "$1" && grep -q " rmw " "$dir/$1.cert" || { cat "$dir/$1.said"; return 1; }
	for i in $(seq $((runs / 2))); do
		enforce "$1" --stall 20 >"$dir/out" 2>&1 || { echo "enforced run $i failed with $?"; cat "$dir/out"; return 1; }
		expect_eq output "$2" "$(cat "$dir/out")" || return 1
	done
}

# The constraints of the paper's Indexer: one less at each power of two.
lengths() {
	local n expected=12 said
	build table || return 1
	for n in 1 2 4 8 16; do
		certify table --executions $n -- 15
		said=$(sed -n 's/.*certified, \([0-9]*\) constraint.*/\1/p' "$dir/table.said")
		expect_eq "constraints after $n executions" $expected "$said" || return 1
		expected=$((expected - 1))
		enforce table -- 15 || { echo "exit status $?"; return 1; }
	done
	certify table -- 15 || return 1
	said "$dir/table.said" "unconstrained: all 4096 executions were explored" || return 1
	enforce table -- 15
}

# A program that waits in all ways passes in every run under every certificate, long or short.
waits() {
	local n i
	build waits || return 1
	for n in 1 3 10 40 200 800; do
		certify waits --executions $n
		[ -f "$dir/waits.cert" ] || { cat "$dir/waits.said"; return 1; }
		for i in $(seq $((runs / 5))); do
			enforce waits --stall 20 >"$dir/out" 2>&1 || { echo "after $n executions: exit status $?"; cat "$dir/out"; return 1; }
		done
	done
}

# follows NAME N OPTIONS...: enforced runs perform the whole prefix in the order of the certificate, which is a partial order.
follows() {
	local name=$1 n=$2
	shift 2
	build "$name" || return 1
	certify "$name" --executions "$n" "$@"
	[ -f "$dir/$name.cert" ] || { cat "$dir/$name.said"; return 1; }
	TRACES=$dir/trace many "$recorded" "$name" || return 1
	python3 - "$dir/$name.cert" "$dir" "$recorded" <<'END'
import sys
events, certified, section = [], 0, ''
for line in open(sys.argv[1]):
    if line.startswith('['):
        section = line.strip()
    elif line.startswith('certified'):
        certified = int(line.split()[1])
    elif section == '[events]' and not line.startswith('end'):
        events.append((line.split()[1], [int(x) for x in line.split(' after ')[1].split()] if ' after ' in line else []))
for run in range(int(sys.argv[3])):
    path = f'{sys.argv[2]}/trace.{run}'
    order = [int(x) for x in open(path)]
    if sorted(order) != list(range(1, certified + 1)):
        sys.exit(f'{path}: {order} is not the prefix of {certified} events')
    place = {e: i for i, e in enumerate(order)}
    for e in order:
        before = events[e - 1][1] + [p for p in range(1, e) if events[p - 1][0] == events[e - 1][0]]
        if any(place[p] > place[e] for p in before):
            sys.exit(f'{path}: event {e} came before one of {before}: {order}')
END
}

# holds NAME OPTIONS...: the certificate of one execution holds for enforced runs, in which a thread waits longer than the 0.5 s between looks for a stall.
holds() {
	local name=$1 i
	shift
	build "$name" || return 1
	certify "$name" --executions 1 "$@"
	[ -f "$dir/$name.cert" ] || { cat "$dir/$name.said"; return 1; }
	export WINDOW=600000 # from here on: a sleep in the certified execution would give another order
	for i in 1 2 3; do
		enforce "$name" --stall 10 >"$dir/out" 2>&1 || { echo "exit status $?"; cat "$dir/out"; return 1; }
	done
}

# A program with a race is certified only under the memory model of the processor.
model() {
	build buffered || return 1
	certify buffered
	[ ! -f "$dir/buffered.cert" ] && said "$dir/buffered.said" "simul certify --model tso" || return 1
	certify buffered --model tso
	expect_eq "exit status" 1 $? || return 1
	enforce buffered
}

# The search ends because of the bug, not because of a budget, even if the first execution fails and the search continues until one passes.
first_fails() {
	build first_fails || return 1
	certify first_fails --json "$dir/r.json"
	expect_eq "exit status" 1 $? && expect_eq end bug "$(json "$dir/r.json" end)" &&
		expect_eq executions 2 "$(json "$dir/r.json" executions)" && [ -s "$dir/first_fails.cert" ] || return 1
	certify first_fails --json "$dir/r.json" --executions 2
	expect_eq "end with a budget" executions "$(json "$dir/r.json" end)"
}

# A bug of the warm-up that the search would meet after hours: without a budget the search ends all the same, and there is a certificate.
far_away() {
	local i
	build far || return 1
	certify far --json "$dir/r.json"
	expect_eq "exit status" 1 $? && expect_eq end bug "$(json "$dir/r.json" end)" && expect_eq executions 10000 "$(json "$dir/r.json" executions)" &&
		said "$dir/far.said" "of the warm-up, confirmed" && said "$dir/far.said" "--time or --executions continues" || return 1
	for i in $(seq "$runs"); do
		enforce far >"$dir/out" 2>&1 || { echo "enforced run $i failed with $?"; cat "$dir/out"; return 1; }
	done
	certify far --json "$dir/r.json" --executions 10100 --resume "$dir/state"
	expect_eq "executions with a budget" 10100 "$(json "$dir/r.json" executions)" || return 1
	certify far --json "$dir/r.json" --executions 50 --resume "$dir/state"
	expect_eq "executions when continued" 10150 "$(json "$dir/r.json" executions)" || return 1
	certify far --json "$dir/r.json" --resume "$dir/state"
	expect_eq "executions when continued without a budget" 10150 "$(json "$dir/r.json" executions)"
}

# Several workers make one certificate. The search is long enough for all of them to begin.
workers() {
	build between || return 1
	certify between --jobs "$1" 3>&- # several workers do not share a file that is open
	expect_eq "a bug is found" 1 $? && said "$dir/between.said" "jobs: $1" || return 1
	WINDOW=200 many "$protected" between
}

workers_to_the_end() {
	build table || return 1
	SIMUL_TEST_SHARE_AT_ONCE=1 certify table --jobs 3 -- 15 3>&-
	said "$dir/table.said" "unconstrained: all 4096 executions were explored" && enforce table -- 15
}

# A search that is stopped and continued certifies what one search in one go does. A state without what a certificate needs is refused.
continued() {
	local n i whole
	build table || return 1
	certify table --executions 11 -- 15
	whole=$(sed -n 's/.*\(. constraint.*\)/\1/p' "$dir/table.said")
	for n in 3 4 4; do
		certify table --executions $n --resume "$dir/state" -- 15
		[ -f "$dir/table.cert" ] && enforce table -- 15 || { cat "$dir/table.said"; return 1; }
	done
	expect_eq constraints "$whole" "$(sed -n 's/.*\(. constraint.*\)/\1/p' "$dir/table.said")" || return 1
	for i in 1 2; do
		certify table --resume "$dir/state" -- 15 && said "$dir/table.said" "unconstrained: all " || { cat "$dir/table.said"; return 1; }
	done
	simul_run run --no-minimize --strategy optimal --executions 2 --resume "$dir/other" -- "$dir/table" 15 >/dev/null 2>&1
	rm "$dir/table.cert"
	certify table --resume "$dir/other" -- 15
	expect_eq "exit status with a state of simul run" 2 $? && said "$dir/table.said" "simul certify" && [ ! -f "$dir/table.cert" ]
}

# strangers COMMAND...: a program of others compresses the same bytes under a certificate as without one
strangers() {
	local i
	command -v "$1" >/dev/null || { echo "there is no $1"; return 77; }
	seq 600 >"$dir/in"
	"$@" "$dir/in" >"$dir/expected" || return 1
	simul_run certify --no-minimize --output "$dir" -o "$dir/x.cert" --model tso --executions 2 -- "$@" "$dir/in" >"$dir/said" 2>&1
	[ -f "$dir/x.cert" ] || { cat "$dir/said"; return 1; }
	for i in 1 2 3; do
		simul_run enforce --stall 20 "$dir/x.cert" -- "$@" "$dir/in" >"$dir/out" 2>"$dir/err" || { echo "exit status $?"; cat "$dir/err"; return 1; }
		cmp "$dir/out" "$dir/expected" || return 1
	done
}

# If a search cannot certify a program, simul refuses with a reason.
# A certificate has a line for each setting that a recording for it must have too (SAME in base/settings.def), and reading it loses none.
settings() {
	local key n=0
	build atomicity || return 1
	certify atomicity --executions 1 --spurious 3 --exit any --model tso
	for key in $(awk -F '[ ,]+' '/^SETTING.*SAME\)$/ {gsub(/"/, "", $7); print $7}' base/settings.def); do
		grep -q "^$key " "$dir/atomicity.cert" || { echo "no line for $key"; return 1; }
		n=$((n + 1))
	done
	[ $n -ge 3 ] || return 1
	simul_run show "$dir/atomicity.cert" >"$dir/shown"
	said "$dir/shown" "memory model tso" && said "$dir/shown" ", --spurious 3, --exit any" || { cat "$dir/shown"; return 1; }
	sed -e '$d' -e '/^model /d' "$dir/atomicity.cert" >"$dir/without.cert" && sign "$dir/without.cert"
	simul_run show "$dir/without.cert" >"$dir/shown" 2>&1
	expect_eq "exit status without a model" 2 $? && said "$dir/shown" "does not say what it was made for"
}

options() {
	local o
	build atomicity || return 1
	for o in "--strategy auto" "--strategy random" "--preemptions 1" "--patience 1s" "--no-patch"; do
		certify atomicity $o
		expect_eq "exit status with $o" 2 $? || return 1
		grep -q '^simul: certify: ' "$dir/atomicity.said" && [ ! -f "$dir/atomicity.cert" ] || { cat "$dir/atomicity.said"; return 1; }
	done
	"$SIMUL" certify -- "$dir/atomicity" 2>"$dir/err"
	expect_eq "exit status without -o" 2 $? && said "$dir/err" "simul certify -o"
}

# not_yet WHAT WORDS
not_yet() {
	build not_yet || return 1
	certify not_yet --model tso -- "$1"
	[ ! -f "$dir/not_yet.cert" ] && said "$dir/not_yet.said" "cannot be enforced yet: $2"
}

# later WHAT [N]: as protects, where operations that no prefix has come after the prefix of N events
later() {
	local failed=0 i
	build later && export WINDOW=200 || return 1
	certify later --model tso -- "$1"
	expect_eq "a bug is found" 1 $? && said "$dir/later.said" "${2:-5} of " || { cat "$dir/later.said"; return 1; }
	for ((i = 0; i < native && failed < native / 10; i++)); do
		timeout -s KILL 1 "$dir/later" "$1" >/dev/null 2>&1 || failed=$((failed + 1))
	done
	[ "$failed" -ge $((native / 10)) ] || { echo "natively $failed of $native runs failed: the test shows nothing"; return 1; }
	many "$protected" later --stall 20 -- "$1"
} 2>/dev/null

# not_in_prefix WHAT EXECUTIONS WORDS PATTERN [FUNCTION]: the message has the words of a user, and the place in the source
not_in_prefix() {
	local place
	build refusals || return 1
	place=$(grep -n "$4" $programs/refusals.c | tail -n 1 | cut -d : -f 1)
	certify refusals --model tso --executions "$2" -- "$1"
	expect_eq "exit status" 2 $? && [ ! -f "$dir/refusals.cert" ] || return 1
	said "$dir/refusals.said" "cannot be enforced yet: $3${4:+ at refusals.c:$place in ${5:-main}}"
}

# no_connection WHAT WORDS PATTERN FUNCTION [FILE]: as not_in_prefix, for connections
no_connection() {
	local place
	build refused || return 1
	place=$(grep -n "$3" $programs/refused.c | tail -n 1 | cut -d : -f 1)
	certify refused --executions 2 -- "$1" "simul-$$-$1" ${5+"$5"}
	expect_eq "exit status" 2 $? && [ ! -f "$dir/refused.cert" ] || { cat "$dir/refused.said"; return 1; }
	said "$dir/refused.said" "cannot be enforced yet: $2 at refused.c:$place in $4"
}

# Another process with a Unix socket. stranger listen NAME; connect NAME [FILE]: connects, makes the file, and connects
# again when the file is gone; replace PATH: listens there instead of the process that listens there now.
stranger() {
	exec python3 - "$dir/ready" "$@" <<'END'
import os, socket, sys, time
ready, what, name, *file = sys.argv[1:]
path, kept = name if what == 'replace' else '\0' + name, []
if what == 'replace':
    open(ready, 'w')
    while not os.path.exists(path):
        time.sleep(0.01)
    os.unlink(path)
if what != 'connect':
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(100)
open(ready, 'w')
while what == 'connect':
    s = socket.socket(socket.AF_UNIX)
    try:
        s.connect(path)
        s.send(b'x')
        kept.append(s)
        if not file:
            break
        open(file[0], 'w')
        while os.path.exists(file[0]):
            time.sleep(0.001)
    except OSError:
        time.sleep(0.005)
time.sleep(60)
END
}

# with_stranger ARGUMENTS... -- COMMAND...: the command passes beside such a process
with_stranger() {
	local arguments=() pid r
	while [ "$1" != -- ]; do arguments+=("$1"); shift; done
	rm -f "$dir/ready"
	stranger "${arguments[@]}" >"$dir/stranger" 2>&1 &
	pid=$!
	until [ -f "$dir/ready" ]; do sleep 0.05; done
	"${@:2}"
	r=$?
	kill "$pid" && wait "$pid" 2>/dev/null
	return $r
}

# other_end WHAT NAME STRANGER: under a certificate it is a divergence if another process has the other end of a
# connection of the prefix. It becomes so between listen and connect.
other_end() {
	local what=$1 name=$2
	build refused && certify refused --executions 1 -- "$what" "$name"
	all_certified refused && enforce refused -- "$what" "$name" || { cat "$dir/refused.said"; return 1; }
	rm -f "$dir/socket"
	export WINDOW=2000000
	with_stranger "$3" "$name" -- enforce refused --stall 20 -- "$what" "$name" >"$dir/out" 2>&1
	expect_eq "exit status" 4 $? && said "$dir/out" "and another process has the other end" || { cat "$dir/out"; return 1; }
}

with_other_client() {
	with_stranger connect "simul-$$-accept" "$dir/connected" -- no_connection accept \
		"an operation on a socket that another process may have" '= accept(' serve "$dir/connected"
}

other_client() {
	other_end w "simul-$$-w" connect
}

other_listener() {
	other_end n "$dir/socket" replace
}

# A listening socket from before the first thread, where each execution is a process of its own; a socket with a path;
# calls that do not wait.
connections() {
	local what name options
	build refused || return 1
	for what in early n b; do
		name=simul-$$-$what options=
		[ $what != n ] || name=$dir/socket
		[ $what != early ] || options="--isolation exec"
		certify refused --executions 1 $options -- $what "$name"
		all_certified refused && enforce refused --stall 20 -- $what "$name" ||
			{ echo "$what: exit status $?"; cat "$dir/refused.said"; return 1; }
	done
}

# The prefix has the call that listens, the ones that connect and those that accept.
connects() {
	local line call
	build connected && certify connected
	expect_eq "a bug is found" 1 $? || return 1
	sed -n '/^\[events\]/,$p' "$dir/connected.cert" | head -n $(($(sed -n 's/^certified //p' "$dir/connected.cert") + 1)) >"$dir/prefix"
	for call in "fd-op !listen(" "fd-op !connect(" "fd-read = accept(" "fd-read = accept4("; do
		line=$(grep -n -m 1 -F -- "${call#* }" $programs/connected.c | cut -d : -f 1)
		grep -q " ${call%% *} .*\"connected.c:$line\"" "$dir/prefix" ||
			{ echo "no ${call%% *} at line $line in:"; cat "$dir/prefix"; return 1; }
	done
}

# A named semaphore that existed before the program started, so that other processes may use it: simul certify refuses it, and under a certificate it is a
# divergence. glibc keeps the value in the file's first word.
named_before() {
	local file=simul-others-$$ r
	build others && certify others --executions 1
	enforce others || { cat "$dir/others.said"; return 1; }
	printf '\001' >"$dir/semaphore" && truncate -s 32 "$dir/semaphore" && cp "$dir/semaphore" "/dev/shm/sem.$file" || return 1
	export OTHERS=/$file
	enforce others >"$dir/out" 2>&1
	r=$?
	rm "$dir/others.cert"
	certify others --executions 1
	rm -f "/dev/shm/sem.$file"
	expect_eq "exit status" 4 $r && said "$dir/out" "the semaphore $OTHERS that it opens existed" &&
		[ ! -f "$dir/others.cert" ] && said "$dir/others.said" "cannot be enforced yet: sem_open at others.c:"
}

# A cancellation of the prefix. The search runs without the window, in which the cancelled thread would end.
cancelled() { # NAME
	local failed=0 i
	build "$1" && certify "$1"
	expect_eq "a bug is found" 1 $? || { cat "$dir/$1.said"; return 1; }
	sed -n '/^\[events\]/,$p' "$dir/$1.cert" | head -n $(($(sed -n 's/^certified //p' "$dir/$1.cert") + 1)) >"$dir/prefix"
	grep -q ' cancel ' "$dir/prefix" && ! grep -q ' cancelled ' "$dir/prefix" || { cat "$dir/prefix"; return 1; }
	export WINDOW=200
	for ((i = 0; i < native; i++)); do
		timeout -s KILL 1 "$dir/$1" >/dev/null 2>&1 || failed=$((failed + 1))
	done
	[ "$failed" -ge $((native / 10)) ] || { echo "natively $failed of $native runs failed: the test shows nothing"; return 1; }
	many "$protected" "$1" --stall 20
} 2>/dev/null

# A thread that can be cancelled at any time could end in the middle of the library's own work.
asynchronous() {
	FLAGS=-DASYNCHRONOUS build cancelled && certify cancelled
	[ -f "$dir/cancelled.cert" ] || { cat "$dir/cancelled.said"; return 1; }
	enforce cancelled 2>"$dir/err"
	expect_eq "exit status" 2 $? && said "$dir/err" "can be cancelled at any time (PTHREAD_CANCEL_ASYNCHRONOUS)"
}

# The runtime library of the sanitizer does not run together with that of simul.
sanitized() {
	gcc -O1 -g -pthread -fsanitize=thread -o "$dir/births" $programs/births.c || return 1
	certify births --executions 50
	expect_eq "exit status" 2 $? && [ ! -f "$dir/births.cert" ] &&
		said "$dir/births.said" "is built with -fsanitize=thread" || { cat "$dir/births.said"; return 1; }
}

# A breakpoint of the program ends it, as without simul. A handler for the signal of patched code is refused, another one is not.
breakpoint() {
	build breakpoint && certify breakpoint --executions 1 || return 1
	enforce breakpoint || return 1
	STOP=1 enforce breakpoint
	expect_eq "exit status: a breakpoint" 133 $? || return 1
	STOP=2 enforce breakpoint || return 1
	STOP=3 enforce breakpoint 2>"$dir/err"
	expect_eq "exit status: a handler" 2 $? && said "$dir/err" "sets a handler for signal 5"
} 2>/dev/null

# in_the_end WHAT: a longer search leaves the operation out of the prefix
in_the_end() {
	build refusals || return 1
	certify refusals --model tso -- "$1"
	expect_eq "exit status" 0 $? && said "$dir/refusals.said" "unconstrained: all " && enforce refusals -- "$1"
}

# waits_outside WHAT: a search plans the read before the write, or the end of the cancelled thread before the cancellation, and finds it blocked.
# When it has finished, nothing is held back.
waits_outside() {
	local i
	build pipes || return 1
	certify pipes --model tso -- "$1"
	expect_eq "exit status" 0 $? && said "$dir/pipes.said" "unconstrained: all " || { cat "$dir/pipes.said"; return 1; }
	for i in $(seq 20); do
		enforce pipes --stall 20 -- "$1" || { echo "enforced run $i failed with $?"; return 1; }
	done
}

# Executions that begin in the same way are all cut. The search ends, although --executions counts none of them.
all_cut() {
	build table || return 1
	certify table --max-steps 60 --executions 1 --time 60s -- 15
	expect_eq "exit status" 2 $? && [ ! -f "$dir/table.cert" ] && said "$dir/table.said" \
		"no execution passed, so there is none to certify: all were cut (a larger --max-steps may help)" && said "$dir/table.said" "100 executions were cut"
}

# No execution passes: the message says what helps.
none_passes() {
	build always_fails || return 1
	certify always_fails --model tso --executions 5
	expect_eq "exit status" 1 $? && [ ! -f "$dir/always_fails.cert" ] && said "$dir/always_fails.said" \
		"no execution passed, so there is none to certify; a longer search may find one (--executions, --time)" || return 1
	certify always_fails --model tso
	expect_eq "exit status" 1 $? && [ ! -f "$dir/always_fails.cert" ] && said "$dir/always_fails.said" \
		"no execution passed, so there is none to certify: every one fails, so correct the program first"
}

# A library that dlopen loads before the first thread is patched then. One that is loaded later is mapped by a thread, which no certificate
# can order yet.
loaded() {
	local i failed=0
	build loaded && gcc -g -O1 -shared -fPIC -o "$dir/counts.so" $programs/counts.c && export WINDOW=200 || return 1
	certify loaded --model tso -- "$dir/counts.so"
	expect_eq "a bug is found" 1 $? || return 1
	for ((i = 0; i < native; i++)); do
		timeout -s KILL 1 "$dir/loaded" "$dir/counts.so" >/dev/null 2>&1 || failed=$((failed + 1))
	done
	[ "$failed" -ge $((native / 10)) ] || { echo "natively $failed of $native runs failed: the test shows nothing"; return 1; }
	many "$protected" loaded -- "$dir/counts.so" || return 1
	gcc -g -O2 -shared -fPIC -o "$dir/counts.so" $programs/counts.c
	enforce loaded -- "$dir/counts.so" 2>"$dir/err"
	expect_eq "another build of the library" 2 $? && said "$dir/err" "another build of $dir/counts.so" || return 1
	rm "$dir/loaded.cert"
	certify loaded --model tso -- "$dir/counts.so" late
	[ ! -f "$dir/loaded.cert" ] && said "$dir/loaded.said" "cannot be enforced yet: calls that change what is mapped"
} 2>/dev/null

# A certificate says nothing of other arguments. Here the one for different numbers is unconstrained, and with equal numbers the program fails.
aliases() {
	local failed=0 i
	build alias && export WINDOW=200 || return 1
	certify alias --model tso -- 0 1
	expect_eq "exit status for different numbers" 0 $? && said "$dir/alias.said" "unconstrained: there is only one execution" || return 1
	enforce alias -- 0 1 || return 1
	for ((i = 0; i < native; i++)); do
		"$dir/alias" 0 1 || { echo "natively a run with different numbers failed"; return 1; }
		"$dir/alias" 1 1 >/dev/null 2>&1 || failed=$((failed + 1))
	done
	[ "$failed" -ge $((native / 10)) ] || { echo "natively $failed of $native runs failed: the test shows nothing"; return 1; }
	enforce alias -- 1 1 2>"$dir/err"
	expect_eq "equal numbers" 2 $? && said "$dir/err" 'argument 1 was "0" when it was made, and is now "1"' || return 1
	certify alias --model tso -- 1 1
	expect_eq "a bug is found" 1 $? && many "$protected" alias -- 1 1 || return 1
	enforce alias -- 0 1 2>"$dir/err"
	expect_eq "different numbers" 2 $? && said "$dir/err" 'argument 1 was "1" when it was made, and is now "0"' || return 1
	# the accesses do not meet, and the one that is left out holds nobody up
	for i in $(seq "$runs"); do
		enforce alias --any-arguments --stall 5 -- 0 1 2>"$dir/err" &&
			enforce alias --any-arguments --stall 5 -- 1 0 2>>"$dir/err" || { cat "$dir/err"; return 1; }
	done
	said "$dir/err" "was made with other arguments: no schedule of this run was verified" || return 1
	many "$protected" alias --any-arguments -- 1 1 || return 1
	enforce alias --any-arguments --search -- 0 1 2>"$dir/err"
	expect_eq "with --search" 2 $? && said "$dir/err" "cannot be given with --any-arguments"
} 2>/dev/null

# rounds.c R1 R2: with other numbers of rounds a thread goes on without what it does not do; a call that it does not make is a divergence
fewer() {
	local i
	build rounds && certify rounds --executions 1 --model tso -- 3 3 && all_certified rounds || return 1
	for i in $(seq "$runs"); do
		enforce rounds --any-arguments --stall 5 -- 1 3 2>"$dir/err" && enforce rounds --any-arguments --stall 5 -- 3 2 2>>"$dir/err" ||
			{ cat "$dir/err"; return 1; }
	done
	enforce rounds --any-arguments --stall 5 -- 4 3 2>"$dir/err"
	expect_eq "one round more" 4 $? && said "$dir/err" "diverges from its certificate" || return 1
	enforce rounds --any-arguments --stall 5 -- 3 3 lock 2>"$dir/err"
	expect_eq "a lock" 4 $? && said "$dir/err" "diverges from its certificate"
}

# The checksum of a file whose last line is missing.
sign() {
	python3 - "$1" <<'END'
import sys
data = open(sys.argv[1], 'rb').read()
h = 0xcbf29ce484222325
for b in data:
    h = (h ^ b) * 0x100000001b3 % 2**64
open(sys.argv[1], 'ab').write(b'end %016x\n' % h)
END
}

refused() { # WHAT WORDS OPTIONS...: of $dir/atomicity.cert
	enforce atomicity "${@:3}" 2>"$dir/err"
	expect_eq "exit status: $1" 2 $? && said "$dir/err" "$2" || return 1
	expect_eq "lines: $1" 1 "$(wc -l <"$dir/err")"
}

bad_files() {
	local good=$dir/good.cert cert=$dir/atomicity.cert size i line
	build atomicity && export WINDOW=1 || return 1
	certify atomicity --model tso
	cp "$cert" "$good"
	enforce atomicity || return 1
	size=$(stat -c %s "$good")
	for i in 1 10 $((size / 2)) $((size - 5)) $((size - 1)); do
		head -c "$i" "$good" >"$cert"
		enforce atomicity 2>"$dir/err"
		expect_eq "exit status of the first $i bytes" 2 $? || return 1
	done
	for i in 30 100 $((size / 2)) $((size - 30)); do
		python3 -c "import sys; b = bytearray(open('$good', 'rb').read()); b[$i] ^= 1; open('$cert', 'wb').write(b)"
		enforce atomicity 2>"$dir/err"
		expect_eq "exit status with bit $i flipped" 2 $? || return 1
	done
	sed '1s/[0-9]*$/99/' "$good" >"$cert" && refused newer "was written by a newer simul" || return 1
	echo 'simul recording 8' >"$cert" && refused foreign "is no certificate of simul" || return 1
	: >"$cert" && refused empty "is no certificate of simul" || return 1
	rm "$cert" && refused missing "No such file" || return 1
	truncate -s 3G "$cert" && refused oversized "is no certificate: it is too large" && rm "$cert" || return 1
	mkfifo "$cert" || return 1
	within 20 "$SIMUL" enforce "$cert" -- "$dir/atomicity" 2>"$dir/err"
	expect_eq "exit status: a named pipe" 2 $? && said "$dir/err" "is no certificate: it is no regular file" || return 1
	within 20 "$SIMUL" show "$cert" 2>"$dir/err"
	expect_eq "exit status of show: a named pipe" 2 $? && said "$dir/err" "is not a simul recording" && rm "$cert" || return 1
	for i in /dev/null /dev/zero "$dir"; do
		ln -s "$i" "$cert" && refused "$i" "is no certificate: it is no regular file" || return 1
		within 20 "$SIMUL" show "$cert" >/dev/null 2>"$dir/err"
		expect_eq "exit status of show: $i" 2 $? && expect_eq "lines of show: $i" 1 "$(wc -l <"$dir/err")" && rm "$cert" || return 1
	done
	# an event that waits for a later event would create a cycle
	line=$(grep -n ' lock - - ' "$good" | head -n 1 | cut -d : -f 1)
	sed -e '$d' -e "${line}s/\$/ after 9/" "$good" >"$cert" && sign "$cert" && refused cyclic "is damaged: line $line" || return 1
	sed -e '$d' -e 's/^certified .*/certified 99999/' "$good" >"$cert" && sign "$cert" && refused "too many" "is damaged" || return 1
	sed -e '$d' -e 's/ t2 / t77 /' "$good" >"$cert" && sign "$cert" && refused "another thread" "is damaged" || return 1
	sed -e '$d' -e 's/^m0 "[^"]*"/m0 "\/nowhere"/' "$good" >"$cert" && sign "$cert" && enforce atomicity || return 1
	# the first version had no heap
	sed -e '$d' -e '1s/[0-9]*$/1/' -e '/^freed /d' -e '/^spurious /d' -e '/^exit /d' "$good" >"$cert" && sign "$cert" && enforce atomicity
}

# Certificates with a changed byte or line and a correct checksum: simul reads each one, or refuses it with one message.
mutants() {
	build waits || return 1
	certify waits --executions 3
	[ -f "$dir/waits.cert" ] || return 1
	python3 - "$SIMUL" "$dir" "$dir/waits.cert" <<'END'
import random, re, subprocess, sys
simul, folder, cert = sys.argv[1:]
lines = open(cert, 'rb').read().splitlines(True)[:-1]
rng = random.Random(5)
read = 0
for i in range(150):
    new = list(lines)
    k = rng.randrange(1, len(new))
    if i % 3 == 0:
        line = bytearray(new[k]); line[rng.randrange(len(line))] = rng.randrange(256); new[k] = bytes(line)
    elif i % 3 == 1:
        new[k] = re.sub(rb'[0-9]+', lambda m: str(rng.choice([0, 1, 7, 99, 4095, 2**31, 2**63, 2**64])).encode(), new[k])
    else:
        new[k] = b'' if rng.random() < 0.5 else new[rng.randrange(1, len(new))]
    data = b''.join(new)
    h = 0xcbf29ce484222325
    for b in data:
        h = (h ^ b) * 0x100000001b3 % 2**64
    open(folder + '/mutant.cert', 'wb').write(data + b'end %016x\n' % h)
    for command in ([simul, 'show', folder + '/mutant.cert'], [simul, 'enforce', '--stall', '1s', folder + '/mutant.cert', '--', folder + '/waits']):
        done = subprocess.run(command, capture_output=True, timeout=60)
        read += done.returncode == 0
        if done.returncode not in (0, 2, 4):
            sys.exit(f'mutant {i}: {command[1]}: exit status {done.returncode}: {done.stderr.decode(errors="replace")}')
if not 5 < read < 290:
    sys.exit(f'{read} of 300 were accepted')
END
}

# Programs and inputs for which the certificate does not hold.
other_input() {
	local word
	build input && echo 0 >"$dir/file" || return 1
	MOOD=fine certify input --executions 1 -- "$dir/file"
	MOOD=fine enforce input -- "$dir/file" >/dev/null || return 1
	enforce input -- "$dir/other" 2>"$dir/err"
	expect_eq "another argument" 2 $? && said "$dir/err" "argument 1 was" || return 1
	enforce input 2>"$dir/err"
	expect_eq "fewer arguments" 2 $? && said "$dir/err" "more arguments" || return 1
	simul_run enforce "$dir/input.cert" -- "$dir/input" "$dir/file" 2>"$dir/err" < <(echo words)
	expect_eq "another standard input" 2 $? && said "$dir/err" "an empty standard input" || return 1
	enforce input --uncertified -- "$dir/other" 2>"$dir/err"
	expect_eq "--uncertified" 0 $? && said "$dir/err" "WITHOUT protection" || return 1
	MOOD=bad enforce input -- "$dir/file" 2>"$dir/err"
	expect_eq "another variable" 4 $? && said "$dir/err" "the program reads the variable MOOD, which has another value" || return 1
	UNREAD=1 MOOD=fine enforce input -- "$dir/file" >/dev/null || return 1
	gcc -g -O0 -pthread -o "$dir/input" $programs/input.c
	MOOD=fine enforce input -- "$dir/file" 2>"$dir/err"
	expect_eq "another build" 2 $? && said "$dir/err" "another build"
}

# unprotected WORDS: the program $dir/atomicity can be neither certified nor run under its certificate, not even with --uncertified
unprotected() {
	cp "$dir/good.cert" "$dir/atomicity.cert"
	refused "$1" "$1" && refused "$1, --uncertified" "$1" --uncertified || return 1
	rm "$dir/atomicity.cert"
	certify atomicity
	expect_eq "certify: $1" 2 $? && said "$dir/atomicity.said" "$1" && [ ! -f "$dir/atomicity.cert" ]
}

# The start of a handler is in the prefix.
handler() {
	protects handler --model tso || return 1
	events=$(sed -n 's/^certified //p' "$dir/handler.cert")
	[ "$(sed -n 's/ t0 signal-handler .*//p' "$dir/handler.cert")" -le "$events" ] || { cat "$dir/handler.cert"; return 1; }
}

# Programs into which the system preloads no library.
no_library() {
	build atomicity && certify atomicity --executions 1
	mv "$dir/atomicity.cert" "$dir/good.cert" || return 1
	chmod u+s "$dir/atomicity" && unprotected "is set-user-ID" || return 1
	gcc -static -g -O1 -pthread -Iinclude -o "$dir/atomicity" $programs/atomicity.c && unprotected "is statically linked"
}

# simul becomes the program: nothing else is executed before it, such as the dynamic linker, which would list libraries.
starts_at_once() {
	build atomicity && certify atomicity --executions 1
	strace -f -qq -o "$dir/calls" -e trace=execve "$SIMUL" enforce "$dir/atomicity.cert" -- "$dir/atomicity" || { echo "exit status $?"; return 1; }
	expect_eq "programs executed" 2 "$(grep -c 'execve(.* = 0$' "$dir/calls")" || { cat "$dir/calls"; return 1; }
}

# The certificate names a place in the code where no instruction begins.
not_patched() {
	build publish
	certify publish --model tso --executions 1
	enforce publish || return 1
	python3 - "$dir/publish.cert" <<'END' && sign "$dir/publish.cert" || return 1
import re, sys
text = open(sys.argv[1]).read().rsplit('end ', 1)[0]
text, n = re.subn(r'^code m0\+0x([0-9a-f]+)', lambda m: f'code m0+0x{int(m[1], 16) + 1:x}', text, 1, re.M)
open(sys.argv[1], 'w').write(text)
sys.exit(n != 1)
END
	enforce publish 2>"$dir/err"
	expect_eq "exit status" 2 $? && said "$dir/err" "1 of " && said "$dir/err" "places in the code that access shared memory cannot be patched"
}

# A program that asks for the number of processors runs only with the certified number.
asks_for_processors() {
	build input && echo 0 >"$dir/file"
	certify input --executions 1 -- "$dir/file"
	sed -i -e '$d' -e 's/^processors .*/processors 77/' "$dir/input.cert" && sign "$dir/input.cert" || return 1
	enforce input -- "$dir/file" 2>"$dir/err"
	expect_eq "exit status" 4 $? && said "$dir/err" "the program asks for the number of processors, which is $(nproc) here, and was 77" &&
		expect_eq "lines" 1 "$(wc -l <"$dir/err")"
}

# Options may come before and after the certificate. Arguments after the program belong to the program, even without `--`.
arguments() {
	local where
	build input && echo 0 >"$dir/file" || return 1
	certify input --executions 1 -- "$dir/file" --any-value -- --stall
	for where in "input.cert --any-value" "--any-value input.cert" "input.cert" "input.cert --"; do
		(cd "$dir" && "$SIMUL" enforce $where ./input "$dir/file" --any-value -- --stall) >/dev/null || { echo "$where: exit status $?"; return 1; }
	done
	simul_run enforce "$dir/input.cert" "$dir/input" "$dir/file" --uncertified 2>"$dir/err"
	expect_eq "an option after the program" 2 $? && said "$dir/err" 'argument 2 was "--any-value" when it was made, and is now "--uncertified"'
}

# A run leaves the certified execution by a finished sibling branch: the second thread locks first. The third one, whose branch failed, waits for either.
# On a loaded machine the first thread can be faster; then the run stays in the certified execution.
sibling() {
	local i bad left=0
	build thirds || return 1
	certify thirds
	expect_eq "a bug is found" 1 $? && grep -q '^instead 7$' "$dir/thirds.cert" || { cat "$dir/thirds.said"; return 1; }
	simul_run show "$dir/thirds.cert" >"$dir/shown"
	said "$dir/shown" "Alternatives to event 4: the first of these that a thread reaches" || return 1
	export WINDOW=100000
	for ((i = 0; i < 20 && left < 3; i++)); do
		SIMUL_TEST_ENFORCE_TRACE=$dir/trace enforce thirds >"$dir/out" || { echo "exit status $?"; return 1; }
		case $(cat "$dir/out") in
		1*) expect_eq "what was performed" "1 2 3 4" "$(xargs <"$dir/trace")" || return 1 ;;
		2*) expect_eq "what was performed" "1 2 3 7" "$(xargs <"$dir/trace")" && left=$((left + 1)) || return 1 ;;
		*) echo "order: $(cat "$dir/out")"; return 1 ;;
		esac
	done
	expect_eq "runs that left by the branch" 3 $left || return 1
	cp "$dir/thirds.cert" "$dir/good.cert"
	for bad in "instead 6" "instead 4" "instead 99" "instead 0" "instead 7 7" "instead 8" "instead 5" instead\ x; do
		sed -e '$d' -e "s/^instead .*/$bad/" "$dir/good.cert" >"$dir/thirds.cert" && sign "$dir/thirds.cert"
		enforce thirds 2>"$dir/err"
		expect_eq "exit status with $bad" 2 $? && said "$dir/err" "is damaged" || return 1
	done
	sed -e '$d' -e '/^instead /d' "$dir/good.cert" >"$dir/thirds.cert" && sign "$dir/thirds.cert"
	enforce thirds >"$dir/out" && expect_eq "the first one without the branch" 1 "$(cut -d ' ' -f 1 "$dir/out")"
}

# diverges NUMBER WORDS: the run ends in time with exit status 4 and names both sides; with --uncertified it continues
diverges() {
	build input && echo 0 >"$dir/file" || return 1
	certify input --executions 1 -- "$dir/file" 
	[ -f "$dir/input.cert" ] && enforce input -- "$dir/file" || return 1
	echo "$1" >"$dir/file"
	within 20 "$SIMUL" enforce --stall 2 "$dir/input.cert" -- "$dir/input" "$dir/file" 2>"$dir/err"
	expect_eq "exit status" 4 $? && said "$dir/err" "$2" && expect_eq "lines" 1 "$(wc -l <"$dir/err")" || return 1
	[ "$1" = 4 ] && return 0
	enforce input --uncertified -- "$dir/file" 2>"$dir/err" >"$dir/out"
	expect_eq "exit status with --uncertified" 0 $? || return 1
	case $1 in [78c]) expect_eq "what the other program prints" "became another" "$(cat "$dir/out")" ;; esac
}

# until_said FILE WORDS: waits up to a minute until FILE contains WORDS
until_said() {
	local i
	for i in $(seq 600); do
		[ -f "$1" ] && grep -qF -- "$2" "$1" && return 0
		sleep 0.1
	done
	said "$1" "$2"
}

order_of() { grep '^first\|^second' "$1" | xargs; }

# A certificate that makes the second thread wait for the first, which arrives late.
slow_certificate() {
	build slow && certify slow --executions 1 -- "$dir/go" && said "$dir/slow.said" "1 constraint"
}

# released OPTION COMMAND...: a thread that waits at an edge continues as soon as the certificate file no longer has this edge
released() {
	local option=$1 i pid
	shift
	slow_certificate && touch "$dir/go" && enforce slow -- "$dir/go" 2>"$dir/err" || return 1
	expect_eq "without $option" "first second" "$(order_of "$dir/err")" || return 1
	rm "$dir/go" "$dir/err"
	enforce slow "$option" -- "$dir/go" 2>"$dir/err" &
	pid=$!
	"$@"
	until_said "$dir/err" second
	touch "$dir/go"
	wait "$pid" || { echo "exit status $?"; cat "$dir/err"; return 1; }
	expect_eq "with $option" "second first" "$(order_of "$dir/err")" || { cat "$dir/err"; return 1; }
	for i in $(seq 100); do pgrep -f "$dir/slow.cert" >/dev/null || break; sleep 0.1; done
	expect_eq "what is left running" "" "$(pgrep -fa "$dir/slow.cert")" && expect_eq "files" "slow.cert" "$(cd "$dir" && echo slow.cert*)"
}

# not_used FILE REASON: garbage, and then FILE, replace the certificate of the running program. A message gives the reason why FILE is not used, and the
# order stays in force.
not_used() {
	local pid shown=0
	enforce slow --follow -- "$dir/go" 2>"$dir/err" &
	pid=$!
	sleep 0.3
	echo nonsense >"$dir/x" && mv "$dir/x" "$dir/slow.cert"
	sleep 0.3
	mv "$dir/$1" "$dir/slow.cert"
	until_said "$dir/err" "the running program cannot use the new version of $dir/slow.cert: $2" || shown=1
	touch "$dir/go"
	wait "$pid" || { echo "exit status $?"; cat "$dir/err"; return 1; }
	[ $shown = 0 ] && expect_eq "order" "first second" "$(order_of "$dir/err")"
}

# A search beside the program does not replace the certificate by one that the running program cannot use.
not_replaced() {
	local pid shown=0
	build slow && certify slow --executions 1 -- "$dir/go" "$dir/more" && cp "$dir/slow.cert" "$dir/before.cert" && touch "$dir/more" || return 1
	enforce slow --search -- "$dir/go" "$dir/more" 2>"$dir/err" &
	pid=$!
	until_said "$dir/err" "cannot use, and $dir/slow.cert stays as it is: it orders another execution" || shown=1
	touch "$dir/go"
	wait "$pid" || { echo "exit status $?"; cat "$dir/err"; return 1; }
	[ $shown = 0 ] && cmp "$dir/before.cert" "$dir/slow.cert" && expect_eq "files" "slow.cert" "$(cd "$dir" && echo slow.cert*)"
}

# The program reads a variable that was not set, one that it has set itself, and one that is a secret.
new_variable() {
	build environment && SECRET_TOKEN=abc certify environment && enforce environment >"$dir/out" && grep -qx 2 "$dir/out" || return 1
	N=10 enforce environment >"$dir/out" 2>"$dir/err"
	expect_eq "exit status" 4 $? && said "$dir/err" "the program reads the variable N, which was not set when it was certified" || return 1
	expect_eq "output" "" "$(cat "$dir/out")" || return 1
	OWN=1 OTHER=2 SECRET_TOKEN=def enforce environment >"$dir/out" || return 1
	sed -i -e '/^end /d' -e 's/^env - .*/# &/' -e 's/^simul certificate [0-9]*/simul certificate 7/' "$dir/environment.cert" && sign "$dir/environment.cert" || return 1
	N=10 enforce environment >"$dir/out" && grep -qx 20 "$dir/out" # an old certificate does not say which variables were not set
}

# A search beside the program uses the options of the first search: without --fail-on-race it would certify schedules that counted as failures.
same_options() {
	local pid
	slow_certificate || return 1
	certify slow --executions 1 --spurious 1 --exit any --fail-on-race -- "$dir/go"
	simul_run certify -q -o "$dir/other.cert" -- "$dir/slow" "$dir/go" >/dev/null || return 1
	enforce slow --search -- "$dir/go" 2>"$dir/err" &
	pid=$!
	until_said "$dir/err" second
	touch "$dir/go"
	wait "$pid" || { echo "exit status $?"; cat "$dir/err"; return 1; }
	simul_run show "$dir/slow.cert" >"$dir/shown"
	said "$dir/shown" unconstrained && said "$dir/shown" ", --spurious 1, --exit any, --fail-on-race" || return 1
	certify slow --executions 1 --spurious 1 -- "$dir/go" && rm "$dir/go"
	not_used other.cert "its search had other options"
}

finish_certificate() {
	simul_run certify -o "$dir/short.cert" -- "$dir/slow" "$dir/go" >/dev/null && mv "$dir/short.cert" "$dir/slow.cert"
}

# Other certificates and other files are not overwritten.
other_certificate() {
	slow_certificate && build atomicity && certify atomicity --executions 1 && not_used atomicity.cert "it is of another program"
}

# The number of processors is an input of the program: a certificate made with another number does not release a waiting thread.
other_processors() {
	slow_certificate && certify slow -- "$dir/go" && mv "$dir/slow.cert" "$dir/all.cert" && slow_certificate || return 1
	sed -i -e '$d' -e 's/^processors .*/processors 77/' "$dir/all.cert" && sign "$dir/all.cert" && simul_run show "$dir/all.cert" >/dev/null || return 1
	not_used all.cert "it is of another program, input or memory model"
}

# A library without a build-id is compared by its content.
other_library() {
	local make=(gcc -g -O1 -pthread -shared -fPIC -Wl,--build-id=none -o "$dir/libcount.so" $programs/library.c)
	"${make[@]}" -DLIBRARY=1 && gcc -g -O1 -pthread -o "$dir/library" $programs/library.c -L"$dir" -lcount -Wl,-rpath,"$dir" || return 1
	certify library --model tso --executions 1
	grep -q '^m[1-9].*libcount.so" "hash-' "$dir/library.cert" && enforce library || return 1
	"${make[@]}" -DLIBRARY=2 || return 1
	enforce library 2>"$dir/err"
	expect_eq "another library" 2 $? && said "$dir/err" "another build of $dir/libcount.so"
}

# find_search: waits for the search beside the running program and sets $search to its process
find_search() {
	for i in $(seq 3000); do
		search=$(pgrep -f "certify.*$dir/slow.cert.next") && return 0
		sleep 0.02
	done
	echo "no search runs"
	return 1
}

# A search does not overwrite a file that was replaced while the search ran.
replaced_file() {
	local pid search i
	slow_certificate && build atomicity && certify atomicity --executions 1 || return 1
	export LONG=1
	enforce slow --search -- "$dir/go" 2>"$dir/err" &
	pid=$!
	find_search || { kill "$pid"; return 1; }
	kill -STOP $search
	cp "$dir/atomicity.cert" "$dir/x" && mv "$dir/x" "$dir/slow.cert"
	kill -CONT $search
	until_said "$dir/err" "it is of another program" || { kill "$pid"; return 1; }
	for i in $(seq 500); do pgrep -f "certify.*$dir/slow.cert.next" >/dev/null || break; sleep 0.02; done
	touch "$dir/go"
	wait "$pid" || return 1
	for i in $(seq 100); do pgrep -f "$dir/slow.cert" >/dev/null || break; sleep 0.1; done
	cmp "$dir/slow.cert" "$dir/atomicity.cert" && expect_eq "files" "slow.cert" "$(cd "$dir" && echo slow.cert*)"
}

# The program continues when the search and the process that started it are killed.
killed_search() {
	local pid search i
	slow_certificate || return 1
	export LONG=1
	enforce slow --search -- "$dir/go" 2>"$dir/err" &
	pid=$!
	find_search || { kill "$pid"; return 1; }
	kill -KILL $(ps -o ppid= -p $search) $search
	touch "$dir/go"
	wait "$pid"
	expect_eq "exit status" 0 $? && expect_eq "threads that got there" 2 "$(order_of "$dir/err" | wc -w)"
}

# Values that threads read are compared, unless an option turns that off.
any_value() {
	build input && echo 0 >"$dir/file" && certify input --executions 1 -- "$dir/file" || return 1
	echo 6 >"$dir/file"
	enforce input --any-value -- "$dir/file"
}

# Without its library the program would run unprotected: the dynamic linker splits LD_PRELOAD at blanks and colons, and ignores what it cannot load.
odd_path() {
	local name
	build atomicity && certify atomicity --executions 1
	for name in "a b" a:b; do
		mkdir "$dir/$name" && cp "$SIMUL" "$(dirname "$SIMUL")"/*.so* "$dir/$name" || return 1
		"$dir/$name/simul" enforce "$dir/atomicity.cert" -- "$dir/atomicity" 2>"$dir/err"
		expect_eq "exit status in $name" 2 $? && said "$dir/err" "has a blank or a colon" || return 1
	done
}

# record NAME OPTIONS... [-- ARGUMENTS]: $dir/NAME.simul, a recording of a random execution that passed
record() {
	local name=$1 options=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	simul_run run --no-minimize --output "$dir" --strategy random --passing "$dir/$name.simul" "${options[@]}" -- "$dir/$name" "${@:2}" >"$dir/$name.said" 2>&1
	[ -f "$dir/$name.simul" ] || { cat "$dir/$name.said"; return 1; }
}

# begins NAME OPTIONS...: the certificate orders the steps of the recorded execution, for several executions, and holds
begins() {
	local name=$1 n i
	shift
	build "$name" || return 1
	certify "$name" --executions 1 "$@"
	mv "$dir/$name.cert" "$dir/usual.cert" || return 1
	for n in 1 2 3 4; do
		record "$name" --seed $n --executions 20 --keep-going "$@" && certify "$name" --executions 1 --from "$dir/$name.simul" "$@"
		[ -f "$dir/$name.cert" ] || { cat "$dir/$name.said"; return 1; }
		simul_run show --json "$dir/$name.simul" >"$dir/$n.json" && mv "$dir/$name.cert" "$dir/$n.cert" || return 1
	done
	python3 - "$dir" <<'END' || return 1
import json, sys
def of_certificate(path):
    events, threads, section = [], {}, ''
    for line in open(path):
        word = line.split()
        if line.startswith('['):
            section = word[0]
        elif section == '[threads]':
            threads[word[0]] = f'{threads["t" + word[1]]}.{word[2]}' if word[0] != 't0' else 'T0'
        elif section == '[events]' and word[0] != 'end':
            events.append((threads[word[1]], word[2]))
    return events
usual, others = of_certificate(sys.argv[1] + '/usual.cert'), 0
for n in range(1, 5):
    found = of_certificate(f'{sys.argv[1]}/{n}.cert')
    steps = [(s['thread'], s['event']) for s in json.load(open(f'{sys.argv[1]}/{n}.json'))['schedule']]
    kinds = {kind for _, kind in found} - {'store'} # a buffered store may be listed where it reaches memory
    wanted, got, by_default = ([s for s in list if s[1] in kinds] for list in (steps, found, usual))
    if wanted != got:
        sys.exit(f'recording {n}: {wanted}\ncertificate: {got}')
    others += got != by_default
if not others:
    sys.exit('all recordings have the order that a certificate has without --from')
END
	for n in 1 2 3 4; do
		mv "$dir/$n.cert" "$dir/$name.cert"
		for i in $(seq $((runs / 5))); do
			enforce "$name" --stall 20 >"$dir/out" 2>&1 || { echo "enforced run $i: exit status $?"; cat "$dir/out"; return 1; }
		done
	done
}

# A search beside the program, and one that is continued, begin with the same recording.
begins_again() {
	local pid
	build slow && record slow --seed 3 --executions 1 -- "$dir/go" || return 1
	certify slow --from "$dir/slow.simul" --executions 1 -- "$dir/go" && said "$dir/slow.said" "1 constraint" || return 1
	simul_run show "$dir/slow.cert" | grep -F "first execution: as recorded in $dir/slow.simul" || return 1
	cp "$dir/slow.cert" "$dir/one.cert"
	enforce slow --search -- "$dir/go" 2>"$dir/err" &
	pid=$!
	until_said "$dir/slow.cert" "certified 0"
	touch "$dir/go"
	wait "$pid" || { cat "$dir/err"; return 1; }
	grep -q '^certified 0' "$dir/slow.cert" && grep -q '^from ' "$dir/slow.cert" || { cat "$dir/slow.cert"; return 1; }
	expect_eq events "$(sed -n '/^.events/,/^end/{/^end/!p}' "$dir/one.cert")" "$(sed -n '/^.events/,/^end/{/^end/!p}' "$dir/slow.cert")" || return 1
	build table && record table --seed 4 --executions 1 -- 15 || return 1
	certify table --from "$dir/table.simul" --executions 9 -- 15
	mv "$dir/table.cert" "$dir/one.cert"
	for i in 2 3 4; do certify table --from "$dir/table.simul" --executions $i --resume "$dir/state" -- 15; done
	sed -i -e '/^env /d' -e '/^end /d' "$dir/one.cert" "$dir/table.cert" # the environment of the first part of the search counts
	cmp "$dir/one.cert" "$dir/table.cert" || { diff "$dir/one.cert" "$dir/table.cert"; return 1; }
	certify table --executions 1 --resume "$dir/state" -- 15
	expect_eq "continued without --from" 2 $? && said "$dir/table.said" "--from"
}

# from_refused WHAT WORDS OPTIONS...: of $dir/waits.simul
from_refused() {
	local what=$1 words=$2
	shift 2
	rm -f "$dir/waits.cert"
	certify waits --executions 1 --from "$@"
	expect_eq "exit status: $what" 2 $? && said "$dir/waits.said" "$words" && expect_eq "lines: $what" 1 "$(wc -l <"$dir/waits.said")" || return 1
	[ ! -f "$dir/waits.cert" ] || { echo "$what: a certificate was written"; return 1; }
}

bad_from() {
	local rec=$dir/waits.simul
	build waits && build atomicity && record waits --executions 1 && record atomicity --executions 20 --keep-going || return 1
	simul_run replay "$rec" >"$dir/out" 2>&1
	expect_eq "replay" 2 $? && said "$dir/out" "this execution passed" || return 1
	simul_run show "$rec" >"$dir/out" && said "$dir/out" "it passed" || return 1
	from_refused "another program" "it was recorded with another program" "$dir/atomicity.simul" || return 1
	from_refused "another model" "it was recorded with --model sc: use the same here" "$rec" --model tso || return 1
	from_refused "another argument" 'argument 1 was missing, and is now "5"' "$rec" -- 5 || return 1
	from_refused "spurious" "it was recorded with --spurious 0" "$rec" --spurious 1 || return 1
	from_refused "missing" "No such file" "$dir/nothing.simul" || return 1
	from_refused "no recording" "is not a simul recording" "$SIMUL" || return 1
	head -c 400 "$rec" >"$dir/cut.simul"
	from_refused "cut" "is incomplete" "$dir/cut.simul" || return 1
	sed 's/^arg .*/arg "other"/' "$rec" >"$dir/changed.simul"
	from_refused "changed" "is damaged" "$dir/changed.simul" || return 1
	# a schedule that the program does not have: two steps are exchanged
	python3 - "$rec" "$dir/other.simul" <<'END' || return 1
import sys
lines = open(sys.argv[1], 'rb').read().splitlines(True)[:-1]
at = lines.index(b'[schedule]\n')
steps = [i for i in range(at + 1, len(lines)) if b' start ' in lines[i] and b'T0.1' in lines[i]]
lines.insert(at + 2, lines.pop(steps[0]))
for i in range(at + 2, steps[0] + 1):
    lines[i] = b'%d %s' % (i - at - 1, lines[i].split(b' ', 1)[1])
h = 0xcbf29ce484222325
for b in b''.join(lines):
    h = (h ^ b) * 0x100000001b3 % 2**64
open(sys.argv[2], 'wb').write(b''.join(lines) + b'end %016x\n' % h)
END
	from_refused "another schedule" "it does not replay here: the program did something else at step 1" "$dir/other.simul" || return 1
	simul_run run --no-minimize --output "$dir" -- "$dir/atomicity" >/dev/null 2>&1
	certify atomicity --from "$dir/atomicity-1.simul"
	expect_eq "a failing recording" 2 $? && said "$dir/atomicity.said" "this execution failed (assert at atomicity.c:" || return 1
	simul_run run --passing "$dir/x.simul" --jobs 2 -- "$dir/waits" 2>"$dir/err"
	expect_eq "several workers" 2 $? && said "$dir/err" "--passing does not support several workers" || return 1
	simul_run run --passing "$dir" -- "$dir/waits" 2>"$dir/err"
	expect_eq "a directory" 2 $? && said "$dir/err" "cannot write --passing"
}

shows() {
	build atomicity && export WINDOW=1 || return 1
	certify atomicity --model tso
	simul_run show "$dir/atomicity.cert" >"$dir/shown" || return 1
	said "$dir/shown" "lock lock" && said "$dir/shown" "atomicity.c:7" && said "$dir/shown" "Held back" && said "$dir/shown" "Free: everything else"
}

for case in "atomicity" "opposite" "frontier --model tso" "publish --model tso" "wakeup --model tso" "heap --model tso" "once" \
	"shared --model tso" "stack --model tso" "mapped --model tso" "local --model tso" "handover --model tso" \
	dinner thirds piped counted paired connected polled "early --model tso" "object --model tso" "alternate --model tso"; do
	run_case "protects ${case%% *}" protects $case
done
FLAGS=-fno-builtin run_case "protects strings" protects strings --model tso
FLAGS=-fno-builtin run_case "whole execution with strings" whole_own strings --model tso
FLAGS=-fno-builtin run_case "follows strings" follows strings 1 --model tso
run_case "protects named" protects named
run_case "whole execution with named semaphores" whole_own named
run_case "follows named" follows named 1
run_case "protects first" protects first
run_case "protects keys" protects keys --model tso
run_case "whole execution with keys" whole_own keys --model tso
run_case "follows keys" follows keys 1 --model tso
run_case "protects signals" protects signals
run_case "protects cancelled" cancelled cancelled
FLAGS=-DONCE run_case "protects cancelled in an initialiser" cancelled cancelled
run_case "protects unwaited" cancelled unwaited
run_case "not at any time: cancel" asynchronous
run_case "a program with a sanitizer" sanitized
run_case "a breakpoint" breakpoint
run_case "whole execution with signals" whole_own signals
run_case "follows signals" follows signals 1
run_case "protects handler" handler
run_case "whole execution with handlers" whole_own handled --model tso
run_case "follows handled" follows handled 1 --model tso
ONE_OF=100 run_case "protects buffers" protects buffers --model tso # it fails only while both threads have a processor
run_case "behind the prefix" behind
run_case "a finished sibling branch" sibling
run_case "whole execution" whole
run_case "threads created at once" births
run_case futexes futexes
FLAGS=-DINLINE run_case "futexes by instructions" futexes
run_case requeue requeue
run_case "protects requeue" protects requeue
run_case "follows requeue" follows requeue 1
FLAGS=-fopenmp run_case "protects openmp" protects openmp --model tso --patch 'libgomp.so*'
if command -v rustc >/dev/null; then
	run_case "Rust: pair" rust pair 1
	run_case "Rust: channel" rust channel 3
	run_case "Rust: queue" rust queue 7
	run_case "Rust: readers" rust readers 30
	run_case "Rust: totals" rust totals 6
else
	echo "Rust programs: not tested, since there is no rustc"
fi
run_case lengths lengths
run_case "follows waits" follows waits 1
run_case "follows waits, shorter" follows waits 20
run_case "follows publish" follows publish 1 --model tso
run_case "follows heap" follows heap 1 --model tso
run_case "follows once" follows once 1
run_case "follows shared" follows shared 3 --model tso
run_case "follows stack" follows stack 1 --model tso
run_case "follows mapped" follows mapped 1 --model tso
run_case "follows piped" follows piped 1
run_case "whole execution with pipes" whole_own piped
run_case "follows counted" follows counted 1
run_case "whole execution with eventfds" whole_own counted
run_case "follows paired" follows paired 1
run_case "whole execution with socket pairs" whole_own paired
run_case "follows connected" follows connected 1
run_case "follows polled" follows polled 1
run_case "whole execution with polls" whole_own polled
FLAGS=-DN=3 run_case "protects polled, with three files" protects polled
FLAGS=-DN=3 run_case "follows polled, with three files" follows polled 1
run_case "delayed polled" delayed polled
FLAGS=-DN=3 run_case "delayed polled, with three files" delayed polled
FLAGS=-DN=3 run_case "whole execution with polls of three files" whole_own polled
run_case "whole execution with connections" whole_own connected
run_case "follows local" follows local 1 --model tso
run_case "follows leaves" follows leaves 2 --model tso
run_case "follows again" follows again 1 --model tso
run_case "follows again, freed blocks reused" follows again 1 --model tso --no-memory-check
run_case "holds errno" holds errno
run_case "holds forks" holds forks
WINDOW=600000 run_case "holds handles" holds handles # the certified execution sleeps, too: a thread must end before the next is created
run_case waits waits
run_case model model
run_case settings settings
run_case options options
run_case continued continued
run_case "strangers: pigz" strangers pigz -n -p 2 -c
run_case "strangers: xz" strangers xz -T2 -c
run_case "the first execution fails" first_fails
run_case "a bug of the warm-up that is far away" far_away
run_case "not yet: string" not_yet string "shared memory is accessed by a function of the C library, which is called at not_yet.c:"
run_case "not yet: a long string" not_yet long "shared memory is accessed by a function of the C library, which is called at not_yet.c:"
run_case "later: pipe" later pipe
run_case "later: socket" later socket
run_case "later: wait for a signal" later wait
run_case "later: fork" later fork
run_case "later: vfork" later v
run_case "protects signalled" protects signalled --model tso
run_case "not in a prefix: poll" not_in_prefix poll 1 "a wait for descriptors (poll, select, epoll_wait)" 'poll(&ready, 1, 0)'
other="a call on a pipe, an eventfd or a socket pair that cannot be held back"
run_case "not in a prefix: close_range" not_in_prefix l 1 "$other" 'close_range('
run_case "not in a prefix: dup2" not_in_prefix d 1 "$other" 'dup2('
run_case "not in a prefix: O_NONBLOCK" not_in_prefix n 1 "$other" 'F_SETFL'
run_case "not in a prefix: a pipe and a poll of a timer behind" not_in_prefix mt 1 "$other" 'poll(p, 2, 1)' poll_behind
run_case "not in a prefix: a pipe and a poll of a regular file behind" not_in_prefix mf 1 "$other" 'poll(p, 2, 1)' poll_behind
run_case "not in a prefix: a pipe and a poll with a mask behind" not_in_prefix mm 1 "$other" 'ppoll(' poll_behind
run_case "not in a prefix: a pipe and a poll by syscall() behind" not_in_prefix ms 1 "$other" 'SYS_poll' poll_behind
run_case "not in a prefix: a pipe and epoll behind" not_in_prefix me 1 "$other" 'epoll_ctl(' poll_behind
run_case "not in a prefix: a system call on a pipe" not_in_prefix y 1 "$other" 'syscall('
run_case "not in a prefix: a pipe of two processes" not_in_prefix h 1 "an operation on a pipe, an eventfd or a socket pair that another process may have" 'write(end\[1\], "y"'
run_case "not in a prefix: datagrams" not_in_prefix k 1 "a write to a pipe, a socket or another descriptor" 'write(pair\[1\]'
run_case "not in a prefix: sendmsg" not_in_prefix o 1 "$other" 'sendmsg('
other="a socket that is no stream socket of the Unix domain"
run_case "not in a prefix: TCP" no_connection tcp "$other" 'return socket(' new_socket
run_case "not in a prefix: a datagram socket" no_connection u "$other" 'SOCK_DGRAM' use
run_case "not in a prefix: a socket from before the first thread" no_connection early \
	"an operation on a socket, where executions share sockets from before the first thread (--isolation exec does not)" '!connect(fd' use
other="a call on a socket that cannot be held back"
run_case "not in a prefix: a timeout of a socket" no_connection i "$other" 'fd = accept(' serve
run_case "not in a prefix: a full queue" no_connection full "$other" '!connect(new_socket' use
run_case "not in a prefix: dup2 of a socket" no_connection d "$other" 'dup2(' use
run_case "not in a prefix: poll of a socket" no_connection poll "a wait for descriptors (poll, select, epoll_wait)" 'poll(ready' use
other="an operation on a socket that another process may have"
run_case "not in a prefix: descriptors in a message" no_connection rights "$other" 'sendmsg(' rights
run_case "not in a prefix: sockets and fork" no_connection k "$other" '!bind(' listener
run_case "not in a prefix: another process listens" \
	with_stranger listen "simul-$$-other" -- no_connection other "$other" '!connect(fd' use
run_case "not in a prefix: another process connects" with_other_client
run_case "diverges: another process connects" other_client
run_case "diverges: another process listens" other_listener
run_case "whole execution with other connections" connections
run_case "connections in the prefix" connects
run_case "not in a prefix: a handler that interrupts a call" not_in_prefix signal 1 "a signal handler that interrupts a call" 'pause(); ' work
run_case "not in a prefix: a handler that jumps" not_in_prefix j 1 "a signal handler that leaves by longjmp" 'siglongjmp(away' handler
run_case "not in a prefix: a handler that ends its thread" not_in_prefix e 1 "a signal handler that ends its thread" 'pthread_exit(' handler
run_case "not in a prefix: a handler on a shared stack" not_in_prefix t 1 "shared memory on the stack of T0.1, which runs a signal handler" ''
run_case "not in a prefix: a thread that blocks a signal" not_in_prefix i 1 "a thread that was sent a signal blocks one" ''
run_case "not in a prefix: a thread that raises a signal" not_in_prefix v 1 "a thread that was sent a signal raises one" ''
run_case "not in a prefix: signal to the process" not_in_prefix g 1 "a signal to the process (kill)" 'kill(getpid()'
run_case "not in a prefix: system" not_in_prefix f 1 "the start of a process (fork, system, popen, posix_spawn)" 'system('
run_case "not in a prefix: cancel" not_in_prefix cancel 1 "the end of a cancelled thread" 'pthread_testcancel' work
run_case "not yet: a named semaphore of others" named_before
run_case "all executions are cut" all_cut
run_case "no execution passes" none_passes
run_case "waits outside: pipe" waits_outside pipe
run_case "waits outside: cancel" waits_outside cancel
run_case "later: cancel" later cancel 6
run_case "not yet: alarm" not_in_prefix alarm 1000 "signals that timers, child processes or other processes send" ''
run_case "not yet: a buffer of read" not_in_prefix buffer 1000 "shared memory is accessed by a function of the C library, which is called" 'read(end\[0\], &shared'
for what in read poll l f; do
	run_case "in the end: $what" in_the_end $what
done
run_case "libraries of dlopen" loaded
run_case "bad files" bad_files
run_case "mutants" mutants
run_case "other input" other_input
run_case "a new variable" new_variable
run_case arguments arguments
run_case "arguments decide what threads share" aliases
run_case "other numbers of rounds" fewer
run_case "diverges: another lock" diverges 1 'T0.1 was certified to do "lock a'
run_case "diverges: a thread fewer" diverges 2 'T0 was certified to do "create T0.2'
run_case "diverges: ends early" diverges 3 'T0.1 was certified to do "lock a'
run_case "diverges: stalls" diverges 4 'nothing has happened for 2 s'
run_case "diverges: exec" diverges 5 'it becomes another program'
run_case "diverges: execlp" diverges 7 'it becomes another program, env'
run_case "diverges: execle" diverges 8 'it becomes another program, /bin/sh'
run_case "diverges: exec while a thread runs" diverges 9 'it becomes another program, /bin/true'
run_case "diverges: fork" diverges d 'and does "fork"'
run_case "diverges: signal" diverges e 'and does "a signal to another thread"'
run_case "diverges: another value" diverges 6 'T0.1 was certified to read 0 in "rmw start'
run_case "diverges: a thread more" diverges a 'T0 was certified to do "lock a at input.c:63" (event 3), and does "create an uncertified thread"'
run_case "diverges: a thread more, created first" diverges b 'the program diverges from its certificate: T0'
run_case "diverges: exec while threads run" diverges c 'it becomes another program, /bin/echo'
run_case "programs without a library" no_library
if command -v strace >/dev/null; then run_case "starts at once" starts_at_once; fi
run_case "code that cannot be patched" not_patched
run_case "asks for the number of processors" asks_for_processors
run_case "any value" any_value
run_case "two workers" workers 2
run_case "four workers" workers 4
run_case "workers to the end" workers_to_the_end
run_case shows shows
run_case "begins with a recording: waits" begins waits
run_case "begins with a recording: publish" begins publish --model tso
run_case "begins with a recording: heap" begins heap --model tso
run_case "begins with a recording: mapped" begins mapped --model tso
run_case "a recording again" begins_again
run_case "bad recordings" bad_from
run_case "a path that cannot be preloaded" odd_path
run_case "released by a search" released --search true
run_case "released by a newer file" released --follow finish_certificate
run_case "a search has the same options" same_options
run_case "a search does not replace what it cannot follow" not_replaced
run_case "another certificate" other_certificate
run_case "another number of processors" other_processors
run_case "another library" other_library
run_case "the file is replaced during a search" replaced_file
run_case "killed search" killed_search
finish
