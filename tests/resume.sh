#!/bin/bash
# --resume: a search that is stopped or killed at any moment and continued has the totals, bugs and verdict of an uninterrupted one.
#
#   tests/resume.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite resume
only=${1-}

mkdir -p "$work/bin"
bin=$work/bin

# compile NAME SOURCE OPTIONS...
compile() {
	local name=$1 source=$2
	shift 2
	gcc -g -O2 -D_GNU_SOURCE -pthread "$@" -o "$bin/$name" "$source" || { run_case "$name compiles" false; finish; }
}

compile mutex tests/golden/mutex.c -DN=3 -DR=3
compile fib tests/golden/fib.c -DN=4
compile lastzero tests/golden/lastzero.c -DN=8
compile phil tests/golden/phil.c -DN=4 -DDEADLOCK
compile phil8 tests/golden/phil.c -DN=8 -DDEADLOCK
compile readmap tests/sections/readmap.c -Itests/golden -DREADERS=4 -DWRITERS=2
compile phil11 tests/golden/phil.c -DN=11 -DDEADLOCK
compile writers tests/golden/writers.c -DN=7
compile writers8 tests/golden/writers.c -DN=8
compile ttas tests/litmus/spin_ttas/spin_ttas.c
compile owner tests/litmus/spin_owner/spin_owner.c
compile inherited tests/cli/prog/inherited.c
compile sockets tests/cli/prog/resume_sockets.c
compile witness tests/cli/prog/resume_witness.c
compile files tests/cli/prog/resume_files.c
compile files6 tests/cli/prog/resume_files.c -DTHREADS=6
compile stacks tests/cli/prog/resume_stacks.c
compile slow tests/cli/prog/resume_slow.c
compile loads tests/cli/prog/resume_loads.c
compile readmap tests/sections/readmap.c -DREADERS=8 -DWRITERS=2 -Itests/golden

jobs=1  # workers of each part of a search; any: from 1 to 3, chosen separately for each part
several= # if set, numbers that depend on the speed of the workers are not compared

# numbers FILE: the numbers that must be equal whether or not the search was stopped
numbers() {
	local key n i keys='verdict executions blocked cut distinct_traces events estimate estimate_low estimate_high races.# bugs.#'
	[ -n "$several" ] || keys+=' learning_executions'
	for key in $keys; do
		echo "$key $(json "$1" "$key")" || return 1
	done
	n=$(json "$1" 'races.#')
	for ((i = 0; i < n; i++)); do
		echo "race $(json "$1" "races.$i.object")"
	done
	n=$(json "$1" 'bugs.#')
	for ((i = 0; i < n; i++)); do
		echo "bug $(json "$1" "bugs.$i.kind") $(json "$1" "bugs.$i.message") ${several:-$(json "$1" "bugs.$i.execution")} $(json "$1" "bugs.$i.confirmed")"
	done
}

jobs_now() { echo "${jobs/any/$((RANDOM % 3 + 1))}"; }

# shared JOBS COMMAND...: runs COMMAND with JOBS workers from the first execution on
shared() {
	export SIMUL_TEST_SHARE_AT_ONCE=1
	jobs=$1 several=yes
	"${@:2}"
}

# snapshots COMMAND...: the same, with executions that start inside the tree
snapshots() { SIMUL_TEST_SNAPSHOTS=4 "$@"; }

# in_one_go PROGRAM OPTIONS...: one worker searches without a stop; writes the numbers to $dir/expected
in_one_go() {
	simul_run run --strategy optimal --jobs 1 --keep-going --quiet --output "$dir/out1" --json "$dir/one.json" "${@:2}" -- "$1" || [ $? = 1 ] || return 1
	numbers "$dir/one.json" >"$dir/expected"
}

# part PROGRAM OPTIONS...: one run of the resumed search; its result is in $dir/r.json
part() {
	simul_run run --strategy optimal --keep-going --quiet --output "$dir/out" --resume "$dir/state" --json "$dir/r.json" --jobs "$(jobs_now)" "${@:2}" -- "$1"
	local status=$?
	[ $status -le 1 ] || { echo "exit status $status"; return 1; }
}

as_expected() {
	numbers "$dir/r.json" >"$dir/found"
	diff "$dir/expected" "$dir/found" || { echo "what was found is other than in one go"; return 1; }
}

stopped_at_budget() { [[ $(json "$dir/r.json" reason) == *"budget of executions"* ]]; }

# One recording for each bug, and each replays.
recordings() {
	local n f
	n=$(json "$dir/r.json" 'bugs.#')
	expect_eq recordings "$n" "$(find "$dir/out" -name '*.simul' 2>/dev/null | wc -l)" || return 1
	for ((i = 0; i < n; i++)); do
		f=$(json "$dir/r.json" "bugs.$i.recording")
		simul_run replay --quiet "$f"
		expect_eq "status of the replay of $f" 1 $? || return 1
	done
}

# pieces N EXPECTED PROGRAM OPTIONS...: searches N executions at a time until the search is complete
pieces() {
	local n=$1 expected=$2 prog=$3 runs=0
	shift 3
	in_one_go "$prog" "$@" || return 1
	while :; do
		part "$prog" --executions "$n" "$@" || return 1
		runs=$((runs + 1))
		stopped_at_budget || break
		[ $runs -lt 100 ] || { echo "it does not end"; return 1; }
	done
	expect_eq runs $((expected / n + 1)) $runs || return 1
	expect_eq executions "$expected" "$(json "$dir/r.json" executions)" || return 1
	as_expected && recordings
}

# Each part continues where the one before ended, also if its second worker was still starting then.
joining() {
	local round i before at parts=0
	for round in $(seq 6); do
		rm -rf "$dir/state"
		before=0
		for i in $(seq 20); do
			simul_run run --strategy optimal --jobs 2 --executions 40 --output "$dir/out" --resume "$dir/state" --json "$dir/r.json" -- "$1" >"$dir/log" 2>&1
			at=$(sed -n 's/.*continuing the search after \([0-9]*\) exec.*/\1/p' "$dir/log")
			expect_eq "round $round: part $i begins after" "$before" "${at:-0}" || return 1
			before=$(json "$dir/r.json" executions)
			stopped_at_budget || break
			parts=$((parts + 1))
		done
	done
	[ $parts -ge 40 ] || { echo "only $parts parts"; return 1; }
}

# A random search does not end by itself: four parts have as many executions as one run.
random() {
	in_one_go "$bin/fib" --strategy random --seed 7 --executions 1000 "$@" || return 1
	for _ in 1 2 3 4; do
		part "$bin/fib" --strategy random --seed 7 --executions 250 "$@" || return 1
	done
	expect_eq executions 1000 "$(json "$dir/r.json" executions)" && as_expected
}

# begin_part PROGRAM OPTIONS...: starts a part in the background, in its own process group; $pid is its process
begin_part() {
	setsid env --default-signal=INT,TERM,HUP "$SIMUL" run --strategy optimal --keep-going --output "$dir/out" --resume "$dir/state" --json "$dir/r.json" \
		--jobs "$(jobs_now)" "${@:2}" -- "$1" >"$dir/log" 2>&1 &
	pid=$!
}

# least=N: the search must have continued from its saved state at least N times (default 1; 0 for searches that end before they save)
# killed MOMENTS MILLISECONDS PROGRAM OPTIONS...: kills simul and the target MOMENTS times, each after a random number of milliseconds below
# MILLISECONDS. The seed is in the log.
killed() {
	local moments=$1 ms=$2 prog=$3 i done=0 after=0
	shift 3
	in_one_go "$prog" "$@" || return 1
	RANDOM=${KILL_SEED:-$$}
	echo "KILL_SEED=${KILL_SEED:-$$}"
	for ((i = 0; i < moments; i++)); do
		begin_part "$prog" "$@"
		[ "${least:-1}" = 0 ] || case $((i - moments / 2)) in # on a slow machine: wait until the search is saved, or continues
		0) while kill -0 $pid 2>/dev/null && [ ! -s "$dir/state/simul-state" ]; do sleep 0.02; done ;;
		1) while kill -0 $pid 2>/dev/null && ! grep -q 'continuing the search after' "$dir/log"; do sleep 0.02; done ;;
		esac
		sleep "$(printf '0.%03d' $((RANDOM % ms)))"
		# shellcheck disable=SC2046
		kill -9 -- -$pid $(pgrep -P $pid | sed 's/^/-/') 2>/dev/null
		wait $pid
		if [ $? = 137 ]; then
			done=$((done + 1))
		elif [ "${least:-1}" = 0 ]; then # the search was complete: start over
			rm -rf "$dir/state"
		fi
		grep 'continuing the search after' "$dir/log" && after=$((after + 1))
	done
	part "$prog" "$@" || return 1
	echo "killed $done times, gone on $after times"
	[ $done -ge 2 ] && [ $after -ge "${least:-1}" ] || { echo "it was too fast to be killed"; return 1; }
	as_expected && recordings
}

# Ctrl-C and its relatives end a part with a verdict.
signals() {
	local sig
	in_one_go "$bin/writers" || return 1
	for sig in INT TERM HUP INT; do
		begin_part "$bin/writers"
		sleep 0.3
		kill -$sig $pid 2>/dev/null
		wait $pid
		expect_eq "status after SIG$sig" 0 $? || return 1
		grep "interrupted after\|complete:" "$dir/log" || { echo "no verdict after SIG$sig"; return 1; }
	done
	part "$bin/writers" && as_expected
}

by_time() {
	local i
	in_one_go "$bin/fib" --model tso --isolation fork || return 1
	for ((i = 0; i < 200; i++)); do # later parts are longer: an overloaded machine makes little progress in 0.3 s
		part "$bin/fib" --model tso --isolation fork --time $((300 + 20 * i))ms || return 1
		[ "$(json "$dir/r.json" verdict)" = complete ] && break
	done
	[ $i -ge 1 ] || { echo "it was not stopped at all"; return 1; }
	as_expected
}

# An uncontrolled call before the first thread counts once, although each part makes it again.
uncontrolled() {
	in_one_go "$bin/sockets" || return 1
	for _ in 1 2 3 4; do
		part "$bin/sockets" --executions 2 || return 1
	done
	as_expected && expect_eq reason "$(json "$dir/one.json" reason)" "$(json "$dir/r.json" reason)" &&
		[[ $(json "$dir/r.json" reason) == "1 call could not be controlled"* ]]
}

# Each execution of the program appends a line to a file that is not restored.
finished() {
	local lines
	part "$bin/witness" 3>>"$dir/lines" || return 1
	numbers "$dir/r.json" >"$dir/expected"
	lines=$(wc -l <"$dir/lines")
	[ "$lines" -ge 2 ] || { echo "the program did not run"; return 1; }
	part "$bin/witness" 3>>"$dir/lines" || return 1
	as_expected && expect_eq "lines written" "$lines" "$(wc -l <"$dir/lines")" || return 1
	simul_run run --strategy optimal --resume "$dir/state" --keep-going -- "$bin/witness" >"$dir/log" 2>&1
	expect_eq "exit status" 0 $? || return 1
	grep 'the search already finished' "$dir/log" && grep '^simul: complete' "$dir/log"
}

# Without --keep-going each run ends at the next bug, and still reports the earlier bugs.
bug_by_bug() {
	local status
	simul_run run --strategy optimal --quiet --output "$dir/out" --resume "$dir/state" --json "$dir/r.json" -- "$bin/phil"
	expect_eq "exit status" 1 $? && expect_eq bugs 1 "$(json "$dir/r.json" 'bugs.#')" || return 1
	rm -r "$dir/out"
	simul_run run --strategy optimal --quiet --output "$dir/out" --resume "$dir/state" --json "$dir/r.json" -- "$bin/phil"
	expect_eq "exit status" 1 $? && expect_eq bugs 1 "$(json "$dir/r.json" 'bugs.#')" || return 1
	expect_eq executions 15 "$(json "$dir/r.json" executions)" || return 1
	recordings # all recordings are written again
}

# After a stopped search the files are as before the program; after a finished search they are as one execution leaves them.
files() {
	local runs=0
	echo before >"$dir/log.txt"
	cd "$dir" || return 1
	while :; do
		part "$bin/files" --executions 4 || return 1
		stopped_at_budget || break
		expect_eq "content" before "$(cat log.txt)" || return 1
		[ ! -e made ] || { echo "the file that the program makes is still there"; return 1; }
		runs=$((runs + 1))
	done
	[ $runs -ge 1 ] || { echo "it was not stopped"; return 1; }
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" || return 1
	expect_eq "content" before "$(cat log.txt)" && [ ! -e made ]
}

# After a kill the next run restores them.
files_after_kill() {
	local i gone_on=0
	echo before >"$dir/log.txt"
	cd "$dir" || return 1
	for i in 1 2 3 4 5 6 7 8; do
		begin_part "$bin/files6" --isolation exec
		until [ -s "$dir/state/simul-state" ]; do sleep 0.02; done # an earlier kill would not test --resume
		sleep 0.$((RANDOM % 400 + 100))
		# shellcheck disable=SC2046
		kill -9 -- -$pid $(pgrep -P $pid | sed 's/^/-/') 2>/dev/null
		wait $pid
		grep 'continuing the search after' "$dir/log" && [ -e made ] && gone_on=$((gone_on + 1))
	done
	part "$bin/files6" --isolation exec || return 1
	[ $gone_on -ge 1 ] || { echo "it was too fast to be killed"; return 1; }
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions 720 "$(json "$dir/r.json" executions)"
}

# refused TEXT COMMAND...: the exit status is 2, and the message is one line with this text
refused() {
	local text=$1 status
	shift
	show_cmd "$@"
	within 60 "$@" >"$dir/o" 2>"$dir/e"
	status=$?
	cat "$dir/o" "$dir/e"
	expect_eq "exit status" 2 $status && expect_eq "lines" "1 0" "$(wc -l <"$dir/e") $(wc -l <"$dir/o")" || return 1
	grep -qF -- "$text" "$dir/e" || { echo "not said: $text"; return 1; }
}

refusals() {
	local prog=$dir/prog go
	cp "$bin/mutex" "$prog"
	go=("$SIMUL" run --strategy optimal --quiet --resume "$dir/state")
	part "$prog" --executions 100 || return 1
	exec </dev/null
	refused "with --strategy optimal, not source" "${go[@]}" --strategy source -- "$prog" || return 1
	refused "with --model sc, not tso" "${go[@]}" --model tso -- "$prog" || return 1
	refused "with --isolation auto, not exec" "${go[@]}" --isolation exec -- "$prog" || return 1
	refused "with --threads fiber, not kernel" "${go[@]}" --threads kernel -- "$prog" || return 1
	refused "with --seed 1, not 2" "${go[@]}" --seed 2 -- "$prog" || return 1
	refused "with --shuffle 0, not 3" "${go[@]}" --shuffle 3 -- "$prog" || return 1
	refused "with --spurious 0, not 1" "${go[@]}" --spurious 1 -- "$prog" || return 1
	refused "with --max-steps 100000, not 7" "${go[@]}" --max-steps 7 -- "$prog" || return 1
	refused "with --hang-timeout 10s, not 5s" "${go[@]}" --hang-timeout 5s -- "$prog" || return 1
	refused "with --memory 1024M, not 2048M" "${go[@]}" --memory 2G -- "$prog" || return 1
	refused "without --no-patch" "${go[@]}" --no-patch -- "$prog" || return 1
	refused "without --fail-on-race" "${go[@]}" --fail-on-race -- "$prog" || return 1
	refused "without --patch 'libz*'" "${go[@]}" --patch 'libz*' -- "$prog" || return 1
	refused "the command line $prog, not $prog --fast" "${go[@]}" -- "$prog" --fast || return 1
	refused "with the program $prog, not $bin/fib" "${go[@]}" -- "$bin/fib" || return 1
	(cd /tmp && refused "the working directory" "${go[@]}" -- "$prog") || return 1
	echo hello >"$dir/input"
	refused "with the standard input empty, not 6 bytes" "${go[@]}" -- "$prog" <"$dir/input" || return 1
	(ulimit -s 4096 && refused "larger stack limit" "${go[@]}" -- "$prog") || return 1
	cp "$bin/fib" "$prog"
	refused "another build of the program" "${go[@]}" -- "$prog" || return 1
	cp "$bin/mutex" "$prog"
	part "$prog" || return 1 # the refusals lost nothing
	expect_eq executions 1680 "$(json "$dir/r.json" executions)"
}

damaged() {
	local state=$dir/state/simul-state at size
	part "$bin/mutex" --executions 100 || return 1
	cp "$state" "$dir/good"
	size=$(stat -c %s "$state")
	for at in 24 100 $((size / 2)) $((size - 4)); do
		cp "$dir/good" "$state"
		printf '\xa5\x5a' | dd of="$state" bs=1 seek="$at" conv=notrunc 2>/dev/null
		refused "damaged" "$SIMUL" run --strategy optimal --resume "$dir/state" -- "$bin/mutex" || return 1
	done
	for at in 30 1000 $((size - 8)); do
		head -c "$at" "$dir/good" >"$state"
		refused "damaged" "$SIMUL" run --strategy optimal --resume "$dir/state" -- "$bin/mutex" || return 1
	done
	echo rubbish >"$state"
	refused "is not a saved search" "$SIMUL" run --resume "$dir/state" -- "$bin/mutex" || return 1
	: >"$state"
	refused "is not a saved search" "$SIMUL" run --resume "$dir/state" -- "$bin/mutex" || return 1
	cp "$dir/good" "$state"
	printf '\x63' | dd of="$state" bs=1 seek=16 conv=notrunc 2>/dev/null
	refused "another version of simul" "$SIMUL" run --resume "$dir/state" -- "$bin/mutex" || return 1
	cp "$dir/good" "$state"
	part "$bin/mutex" && expect_eq executions 1680 "$(json "$dir/r.json" executions)"
}

directories() {
	refused "not a directory" "$SIMUL" run --resume "$bin/mutex" -- "$bin/mutex" || return 1
	refused "cannot create this directory" "$SIMUL" run --resume "$dir/no/such" -- "$bin/mutex" || return 1
	refused "is empty" "$SIMUL" run --resume "" -- "$bin/mutex" || return 1
	if [ "$(id -u)" = 0 ]; then
		refused "cannot" "$SIMUL" run --resume /proc/self/fdinfo -- "$bin/mutex"
	else
		mkdir -m 555 "$dir/readonly"
		refused "cannot write there" "$SIMUL" run --resume "$dir/readonly" -- "$bin/mutex"
	fi
}

# Another version of simul or of libsimul.so: a modified copy.
other_simul() {
	local lib=$dir/installed
	part "$bin/mutex" --executions 100 || return 1
	mkdir "$lib"
	cp "$SIMUL" "$(dirname "$SIMUL")"/lib*.so* "$lib"
	objcopy --remove-section .note.gnu.build-id "$lib/libsimul.so" || return 1
	refused "another version of simul" "$lib/simul" run --resume "$dir/state" -- "$bin/mutex"
}

# A loaded library is changed, or replaced by another one.
libraries() {
	local go=("$SIMUL" run --strategy optimal --quiet --resume "$dir/state" -- "$bin/loads")
	echo 'int which(void) { return 1; }' >"$dir/a.c"
	echo 'int big[100000]; int which(void) { return 2; }' >"$dir/b.c"
	gcc -shared -fPIC -o "$dir/liba.so" "$dir/a.c" && gcc -shared -fPIC -o "$dir/libb.so" "$dir/b.c" || return 1
	cd "$dir" || return 1
	echo "$dir/liba.so" >"$dir/which"
	part "$bin/loads" --executions 2 || return 1
	echo "$dir/libb.so" >"$dir/which"
	refused "libb.so, which it did not" "${go[@]}" || return 1
	echo "$dir/liba.so" >"$dir/which"
	cp "$dir/liba.so" "$dir/old.so"
	cp "$dir/libb.so" "$dir/liba.so"
	refused "liba.so has changed" "${go[@]}" || return 1
	cp "$dir/old.so" "$dir/liba.so"
	part "$bin/loads" && expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

two_at_once() {
	local other
	begin_part "$bin/writers" --strategy random
	other=$pid
	for _ in $(seq 50); do [ -s "$dir/state/simul-state" ] && break; sleep 0.1; done
	refused "another simul (process $other) is running this search" "$SIMUL" run --resume "$dir/state" --strategy random -- "$bin/writers"
	local ok=$?
	kill -TERM $other
	wait $other
	return $ok
}

# The search continues with the environment of its first part.
environment() {
	in_one_go "$bin/ttas" || return 1
	RESUME_TEST=one part "$bin/ttas" --executions 1 || return 1
	for i in 2 3 4; do
		RESUME_TEST=$(printf "%0$((i * 50))d" $i) TERM=xterm$i part "$bin/ttas" --executions 1 || return 1
	done
	RESUME_TEST=other simul_run run --strategy optimal --resume "$dir/state" --output "$dir/out" --json "$dir/r.json" -- "$bin/ttas" 2>"$dir/e" || return 1
	as_expected && grep "now different: RESUME_TEST" "$dir/e"
}

# And with its descriptors.
inherited() {
	in_one_go "$bin/inherited" 3</dev/null 4</dev/null || return 1
	for ((i = 0; i < 5; i++)); do
		part "$bin/inherited" --executions 2 3</dev/null 4</dev/null || return 1
		part "$bin/inherited" --executions 1 3<&- 4<&- || return 1
	done
	part "$bin/inherited" 5</dev/null && as_expected
}

# The dynamic linker maps the table of libraries only while it starts, and again while dlopen looks for a library. A larger table (another package was
# installed) moves no library, so the search continues. The case needs its own mounts.
larger_table() {
	local private=-m
	[ -r /etc/ld.so.cache ] || { echo "skip: no /etc/ld.so.cache here"; return 0; }
	export dir bin SIMUL TOOLS jobs
	export -f larger_table_inside part jobs_now simul_run within patient_seconds json expect_eq show_cmd
	export CASE_SECONDS
	[ "$(id -u)" = 0 ] || private=-rm
	unshare $private true 2>/dev/null || private+=" --propagation unchanged"
	# shellcheck disable=SC2086
	unshare $private true 2>/dev/null || { echo "skip: no mounts of one's own here"; return 0; }
	echo libz.so.1 >"$dir/which"
	cp /etc/ld.so.cache "$dir/cache"
	head -c 300000 /dev/zero >>"$dir/cache"
	cd "$dir" || return 1
	part "$bin/mutex" --executions 100 || return 1
	mv state state-mutex
	part "$bin/loads" --executions 2 || return 1
	# shellcheck disable=SC2086
	unshare $private bash -c larger_table_inside
}
larger_table_inside() {
	mount --bind "$dir/cache" /etc/ld.so.cache || { echo "skip: nothing can be mounted here"; exit 0; }
	trap 'umount -l /etc/ld.so.cache' EXIT
	part "$bin/loads" && expect_eq verdict complete "$(json "$dir/r.json" verdict)" || exit 1
	rm -r state
	mv state-mutex state
	part "$bin/mutex" && expect_eq executions 1680 "$(json "$dir/r.json" executions)"
}

# A full disk keeps the last good state, and the search continues. The case needs its own file system.
full_disk() {
	mkdir -p "$dir/disk"
	export dir bin SIMUL TOOLS jobs
	export -f full_disk_inside part jobs_now simul_run within patient_seconds json expect_eq show_cmd
	export CASE_SECONDS
	local private=-m
	[ "$(id -u)" = 0 ] || private=-rm
	# if / is no mount point (chroot), its propagation cannot be changed: the mount is visible outside, and removed at the end
	unshare $private true 2>/dev/null || private+=" --propagation unchanged"
	# shellcheck disable=SC2086
	unshare $private true 2>/dev/null || { echo "no mounts of one's own here"; return 0; }
	# shellcheck disable=SC2086
	unshare $private bash -c full_disk_inside
}
full_disk_inside() {
	mount -t tmpfs -o size=1m tmpfs "$dir/disk" || { echo "no file system can be mounted here"; exit 77; }
	trap 'umount -l "$dir/disk"' EXIT
	ln -s "$dir/disk/state" "$dir/state"
	mkdir "$dir/disk/state"
	part "$bin/writers" --executions 500 || exit 1
	head -c 2m /dev/zero >"$dir/disk/fill" 2>/dev/null
	part "$bin/writers" --executions 500 2>"$dir/e" || exit 1
	cat "$dir/e"
	grep 'cannot be saved now: No space left on device; it goes on' "$dir/e" || exit 1
	expect_eq "messages" 1 "$(wc -l <"$dir/e")" || exit 1
	expect_eq executions 1000 "$(json "$dir/r.json" executions)" || exit 1
	expect_eq "files" "simul-lock simul-state" "$(ls -x "$dir/disk/state" | tr -s ' \n' ' ' | sed 's/ $//')" || exit 1
	rm "$dir/disk/fill"
	part "$bin/writers" --executions 100 || exit 1
	expect_eq "executions, from the last good state" 600 "$(json "$dir/r.json" executions)" || exit 1
	part "$bin/writers" || exit 1
	expect_eq executions 5040 "$(json "$dir/r.json" executions)"
}

# The first worker searches with preemption bounds while all share the full search. It stays the first worker when others start and end.
bounds() {
	local i
	jobs=any
	export SIMUL_TEST_SHARE_AT_ONCE=1
	for ((i = 0; i < 60; i++)); do
		part "$bin/mutex" --strategy auto --executions 300 || return 1
		stopped_at_budget || break
		[ "$i" -lt 2 ] || [ "$(json "$dir/r.json" bound_completed)" != null ] || { echo "no bound is complete"; return 1; }
	done
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces 1680 "$(json "$dir/r.json" distinct_traces)"
}

# A worker that holds a part of the search dies before it continues: the others explore its part.
lost() {
	local prog=$dir/lost$$ name=lost$$ victim
	cp "$bin/slow" "$prog"
	for _ in 1 2 3 4 5; do
		rm -rf "$dir/state"
		part "$prog" --executions 300 || return 1
		part "$prog" --executions 300 >"$dir/part.log" 2>&1 &
		while [ "$(pgrep -xc $name)" -lt 3 ] && [ -n "$(builtin jobs -rp)" ]; do sleep 0.02; done
		victim=$(pgrep -xo $name) # the other workers start before the first one
		[ -z "$victim" ] || kill -KILL "$victim"
		wait
		cat "$dir/part.log"
		[[ $(json "$dir/r.json" jobs_reason) == "the program died when it was started again" ]] && break # the kill came in time
	done
	expect_eq jobs 2 "$(json "$dir/r.json" jobs)" && part "$prog" || return 1
	expect_eq executions 1680 "$(json "$dir/r.json" executions)" && expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

# The output of the first worker when others did all the work.
shown() {
	in_one_go "$bin/mutex" || return 1
	for _ in 1 2 3; do
		part "$bin/mutex" --executions 200 || return 1
		part "$bin/mutex" --executions 200 --show-output || return 1
	done
	expect_eq executions 1200 "$(json "$dir/r.json" executions)" && part "$bin/mutex" && as_expected
}

case_() { [[ $1 == *"$only"* ]] && run_case "$@"; }
shared_killed=("shared killed rewind" "shared killed fork" "shared killed snapshots" "shared killed tso" "shared killed with a bug")
one() { one_of "$1" "${shared_killed[@]}" && always=1 case_ "$@"; } # one of these
some() { of_many "$1" "$2" && case_ "${@:2}"; } # some N NAME COMMAND...: one of many

for s in optimal source; do
	for m in sc tso; do
		fib=1107
		[ $m = tso ] && fib=1764
		some 3 "mutex(3x3) $s $m" pieces 370 1680 "$bin/mutex" --strategy $s --model $m
		some 3 "fib(4) $s $m" pieces 311 $fib "$bin/fib" --strategy $s --model $m
		some 3 "lastzero(8) $s $m" pieces 130 704 "$bin/lastzero" --strategy $s --model $m
		some 3 "phil_deadlock(4) $s $m" pieces 4 15 "$bin/phil" --strategy $s --model $m
		some 3 "test-and-test-and-set $s $m" pieces 4 6 "$bin/ttas" --strategy $s --model $m
	done
done
case_ "workers that join" joining "$bin/readmap"
case_ "one at a time" pieces 1 15 "$bin/phil"
case_ "exhaustive" pieces 40 151 "$bin/witness" --strategy exhaustive
[ "${SUITE_MODE-}" = full ] || case_ "kernel threads" pieces 130 704 "$bin/lastzero" --threads kernel
[ "${SUITE_MODE-}" = full ] || case_ "exec isolation" pieces 130 704 "$bin/lastzero" --isolation exec
case_ "memory on stacks" pieces 1000 3432 "$bin/stacks"
case_ "random sc" random
case_ "random tso" random --model tso
# How often each search is killed.
often=34
few=10
[ "${SUITE_MODE-}" != full ] || often=3 few=3
[ "${SUITE_MODE-}" = full ] || case_ "killed fork" killed $often 400 "$bin/writers" --isolation fork
some 2 "killed rewind" killed $often 700 "$bin/writers8" --isolation rewind
some 2 "killed source tso" killed $often 400 "$bin/fib" --strategy source --model tso --isolation fork
some 2 "killed with a bug" killed $often 500 "$bin/phil8" --isolation exec
some 2 "killed exec" killed $often 700 "$bin/lastzero" --isolation exec
some 2 "killed sections" killed $often 300 "$bin/readmap" --sections
least=0 case_ "killed during warm-up" killed 8 100 "$bin/owner"
case_ "counted once" uncontrolled
case_ "signals" signals
case_ "stopped by time" by_time
case_ "finished" finished
case_ "bug by bug" bug_by_bug
case_ "files" files
case_ "files after a kill" files_after_kill
case_ "environment" environment
case_ "inherited descriptors" inherited
case_ "refusals" refusals
case_ "damaged" damaged
case_ "directories" directories
case_ "another simul" other_simul
case_ "libraries" libraries
case_ "two at once" two_at_once
case_ "full disk" full_disk
case_ "larger table of libraries" larger_table

case_ "shared mutex(3x3)" shared any pieces 370 1680 "$bin/mutex"
case_ "shared fib(4) tso" shared any pieces 311 1764 "$bin/fib" --model tso
case_ "shared phil_deadlock(4)" shared 3 pieces 4 15 "$bin/phil"
case_ "shared test-and-test-and-set" shared any pieces 4 6 "$bin/ttas"
case_ "shared memory on stacks" shared any pieces 1000 3432 "$bin/stacks"
one "shared killed rewind" shared any killed $few 700 "$bin/writers8" --isolation rewind
one "shared killed fork" shared 2 killed $few 500 "$bin/writers" --isolation fork
one "shared killed snapshots" snapshots shared any killed $few 500 "$bin/lastzero" --isolation fork
one "shared killed tso" shared any killed $few 400 "$bin/fib" --model tso --isolation fork
one "shared killed with a bug" shared any killed $few 600 "$bin/phil11" --isolation fork
least=0 some 2 "shared killed during warm-up" shared 2 killed 8 100 "$bin/owner"
case_ "shared counted once" shared 2 uncontrolled
case_ "shared signals" shared any signals
case_ "shared stopped by time" shared any by_time
case_ "shared files" shared 2 files
case_ "shared and one is lost" shared 3 lost
case_ "shared show output" shared any shown
case_ "shared bounds" bounds
finish
