#!/bin/bash
# simul stress as a CI system uses it: consecutive nights and what they find, skip and write; bad tests and bad directories.
#
#   tests/stress.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite stress
only=${1-}
project=$top/tests/stress/project

mkdir -p "$work/bin"
bin=$work/bin

need() {
	command -v "$1" >/dev/null && return
	echo "$1 is not installed (make deps-test installs it)"
	exit 77
}

# built NAME COMMAND...: a program that cases use
built() {
	"${@:2}" -o "$bin/$1" || { run_case "$1 compiles" false; finish; }
}
built queue_test g++ -g -O1 -pthread "$project/queue_test.cc" -lgtest -lgtest_main -pthread &
built counter_test gcc -g -O1 -pthread "$project/counter_test.c" -lcmocka
built deadlock_test gcc -g -pthread "$project/transfer_test.c"
built ordered_test gcc -g -pthread -DORDERED "$project/transfer_test.c"
built noisy gcc -g -pthread "$top/tests/stress/noisy.c"
built writers10 gcc -g -O2 -D_GNU_SOURCE -pthread -DN=10 "$top/tests/golden/writers.c"
wait

stress() { simul_run stress "$@"; }

# valid FILE: the JUnit file follows its schema, and its counts are right
valid() {
	local what x
	need xmllint
	xmllint --noout --schema "$top/tests/stress/junit.xsd" "$1" || return 1
	for what in tests:testcase failures:testcase[failure] errors:testcase[error] skipped:testcase[skipped]; do
		x=$(xmllint --xpath "count(//${what#*:})" "$1")
		expect_eq "$1: ${what%%:*}" "$x" "$(xmllint --xpath "string(//testsuite/@${what%%:*})" "$1")" || return 1
	done
}

# test_of FILE NAME KEY: of that test in a --json file
test_of() {
	local i n
	n=$(json "$1" 'tests.#') || return 1
	for ((i = 0; i < n; i++)); do
		[ "$(json "$1" "tests.$i.name")" = "$2" ] && { json "$1" "tests.$i.$3"; return; }
	done
	echo "no test $2"
}

# expect_tests FILE KEY NAME VALUE NAME VALUE...
expect_tests() {
	local file=$1 key=$2 bad=0
	shift 2
	while [ $# -gt 0 ]; do
		expect_eq "$key of $1" "$2" "$(test_of "$file" "$1" "$key")" || bad=1
		shift 2
	done
	return $bad
}

# night N: three GoogleTest, two CMocka and two plain tests; results in $dir/N-*.json and .xml
night() {
	local codes=
	cd "$dir" || return 1
	stress --time 5m --state state --gtest --json "$1-g.json" --junit "$1-g.xml" --sarif "$1-g.sarif" -- ./queue_test >"$1-g.out" 2>&1
	codes+=" $?"
	stress --strategy optimal --time 5m --state state --cmocka --json "$1-c.json" --junit "$1-c.xml" -- ./counter_test >"$1-c.out" 2>&1
	codes+=" $?"
	stress --time 5m --state state --json "$1-p.json" --junit "$1-p.xml" --sarif "$1-p.sarif" -- ./deadlock_test ./ordered_test >"$1-p.out" 2>&1
	codes+=" $?"
	expect_eq "exit statuses of night $1" "$2" "${codes# }" || { cat "$1"-?.out; return 1; }
	valid "$1-g.xml" && valid "$1-c.xml" && valid "$1-p.xml"
}

first_night() {
	night 1 "1 0 1" || return 1
	expect_tests 1-g.json result Queue.KeepsWhatIsPushed complete Queue.IsEmptyAtFirst "no threads" Queue.IsSharedByTwo bug \
		Some/Filled.HasThatMany/With2 complete Typed/1.IsMadeByAThread complete Queue.SkipsItself skipped Queue.DiesWithMessage complete || return 1
	expect_eq "tests of GoogleTest" 9 "$(json 1-g.json 'tests.#')" || return 1
	expect_eq "line of a check that failed" "$(grep -n 'ASSERT_EQ(pop' "$project/queue_test.cc" | cut -d: -f1)" \
		"$(test_of 1-g.json Queue.IsSharedByTwo bugs.0.line)" || return 1
	expect_tests 1-c.json result counts_once complete counts_twice complete || return 1
	expect_tests 1-p.json result ./deadlock_test bug ./ordered_test complete || return 1
	expect_tests 1-c.json run.executions counts_once 2 counts_twice 6 || return 1
	xmllint --xpath 'string(//failure)' 1-p.xml >text
	grep -q 'waits: b.lock' text && grep -q 'T0 waits for b.lock at transfer_test.c' text || { echo "no interleaving or no diagnosis:"; cat text; return 1; }
	xmllint --xpath 'string(//failure)' 1-g.xml | grep -q 'queue_test.cc.*Failure' || { echo "not what GoogleTest said"; return 1; }
	expect_eq "places in the row of the bug" 1 "$(grep '^Queue.IsSharedByTwo .* bug ' 1-g.out | grep -o 'queue_test.cc:[0-9]' | wc -l)"
}

# code_scanning FILE: each result has what GitHub requires
code_scanning() {
	local i n text
	n=$(json "$1" 'runs.0.results.#') || return 1
	expect_eq "$1: version and tool" "2.1.0 simul" "$(json "$1" version) $(json "$1" runs.0.tool.driver.name)" || return 1
	for ((i = 0; i < n; i++)); do
		text="$(json "$1" "runs.0.results.$i.ruleId") $(json "$1" "runs.0.results.$i.level")"
		[[ $text =~ ^[a-z]+\ error$ ]] || { echo "$1: result $i: $text"; return 1; }
		text=$(json "$1" "runs.0.results.$i.message.text") && [ -n "$text" ] || { echo "$1: no message of result $i"; return 1; }
		text=$(json "$1" "runs.0.results.$i.locations.0.physicalLocation.artifactLocation.uri")
		[[ $text =~ ^(file://)?[^\ /\"]*(/[^\ /\"]+)+$|^[^\ /\"]+$ ]] || { echo "$1: uri of result $i: $text"; return 1; }
		[ "$(json "$1" "runs.0.results.$i.locations.0.physicalLocation.region.startLine")" -ge 1 ] || { echo "$1: no line of result $i"; return 1; }
		[[ $(json "$1" "runs.0.results.$i.partialFingerprints.simulSignature/v1") =~ ^[0-9a-f]{16}$ ]] || { echo "$1: no fingerprint"; return 1; }
		grep -q "\"id\": *\"$(json "$1" "runs.0.results.$i.ruleId")\"" "$1" || { echo "$1: no rule for result $i"; return 1; }
	done
}

sarif() {
	code_scanning 1-p.sarif && code_scanning 1-g.sarif || return 1
	expect_eq version 2.1.0 "$(json 1-p.sarif version)" || return 1
	expect_eq results 1 "$(json 1-p.sarif 'runs.0.results.#')" || return 1
	expect_eq ruleId deadlock "$(json 1-p.sarif runs.0.results.0.ruleId)" || return 1
	expect_eq rule deadlock "$(json 1-p.sarif runs.0.tool.driver.rules.0.id)" || return 1
	expect_eq uri "file://$project/transfer_test.c" \
		"$(json 1-p.sarif runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri)" || return 1
	expect_eq "line of the first step" "$(grep -n 'pthread_create' "$project/transfer_test.c" | cut -d: -f1)" \
		"$(json 1-p.sarif runs.0.results.0.codeFlows.0.threadFlows.0.locations.0.location.physicalLocation.region.startLine)"
}

second_night() {
	night 2 "1 0 1" || return 1
	expect_tests 2-g.json bugs.0.replayed Queue.IsSharedByTwo true && expect_tests 2-p.json bugs.0.replayed ./deadlock_test true || return 1
	expect_tests 2-p.json run ./deadlock_test null || { echo "it was searched, though its bug is still there"; return 1; }
	expect_tests 2-g.json unchanged Queue.KeepsWhatIsPushed true Queue.IsSharedByTwo false || return 1
	expect_tests 2-c.json unchanged counts_once true counts_twice true || return 1
	expect_tests 2-c.json run.executions counts_twice 6 || return 1
	expect_tests 2-p.json unchanged ./ordered_test true
}

# The bug is repaired, and another program gets a new build.
third_night() {
	cp "$bin/ordered_test" deadlock_test
	gcc -g -O1 -pthread -DORDERED -o ordered_test "$project/transfer_test.c" || return 1
	night 3 "1 0 0" || return 1
	expect_tests 3-p.json result ./deadlock_test complete ./ordered_test complete || return 1
	expect_tests 3-p.json unchanged ./deadlock_test false ./ordered_test false || return 1
	[ "$(find state/recordings -path '*/former/deadlock_test-1.simul' | wc -l)" = 1 ] || { echo "the recording of the old build is not in former/"; return 1; }
	[[ $(test_of 3-p.json ./deadlock_test note) == *"of another build"*"starts over"* ]] || { echo "no word about the new build"; return 1; }
}

# An unreadable recording is reported and moved away; the search still knows the bug. A readable one that does not replay is a divergence.
stale_recording() {
	local f
	f=$(find state/recordings -path '*IsShared*/queue_test-1.simul')
	echo damaged >"$f"
	stress --time 5m --state state --gtest --json 4.json -- ./queue_test >4.out 2>&1
	expect_eq "exit status" 1 $? || { cat 4.out; return 1; }
	expect_tests 4.json result Queue.IsSharedByTwo bug && expect_tests 4.json bugs.0.replayed Queue.IsSharedByTwo false || return 1
	[ -s "$(test_of 4.json Queue.IsSharedByTwo bugs.0.recording)" ] && [ -s "${f%/*}/former/${f##*/}" ] || { echo "recordings are missing"; return 1; }
}

# The bug depends on a file that is not part of the build, so a recording of this build no longer replays.
diverged_recording() {
	gcc -g -pthread -o config_test "$top/tests/stress/config.c" || return 1
	touch config
	stress --state state -- ./config_test >5.out 2>&1
	expect_eq "exit status" 1 $? || { cat 5.out; return 1; }
	rm config
	stress --state state --json 5.json --junit 5.xml -- ./config_test >5.out 2>&1
	expect_eq "exit status" 4 $? || { cat 5.out; return 1; }
	expect_tests 5.json result ./config_test complete && expect_tests 5.json diverged ./config_test true && valid 5.xml || return 1
	stress --state state -- ./config_test >5.out 2>&1
	expect_eq "exit status of the next night" 0 $?
}

nights() {
	cp "$bin"/{queue_test,counter_test,deadlock_test,ordered_test} "$dir" || return 1
	first_night && sarif && second_night && third_night && stale_recording && diverged_recording
}

# One run is stopped, one is killed; both searches continue. A second run cannot use the state directory in the meantime.
interrupted() {
	local pid before
	cd "$dir" || return 1
	"$SIMUL" stress --time 2m --state state --json 1.json -- "$bin/writers10" "$bin/ordered_test" >1.out 2>&1 &
	pid=$!
	until grep -q complete state/results/*ordered_test*.json && ls state/searches/*writers10*/simul-state; do sleep 0.1; done >/dev/null 2>&1
	stress --state state -- "$bin/ordered_test" >2.out 2>&1
	expect_eq "exit status of the second" 2 $? || return 1
	grep -q 'another simul stress (process [0-9]*) is using it' 2.out || { cat 2.out; return 1; }
	kill -TERM $pid
	wait $pid
	grep -q '^simul: stress: 2 tests: 1 complete, 1 incomplete' 1.out || { echo "no summary:"; cat 1.out; return 1; }
	expect_tests 1.json run.end "$bin/writers10" interrupted || return 1
	before=$(test_of 1.json "$bin/writers10" run.executions)
	killed_outright && goes_on "$before"
}

killed_outright() {
	local pid
	"$SIMUL" stress --time 2m --state state -- "$bin/writers10" >3.out 2>&1 &
	pid=$!
	sleep 1
	kill -KILL $pid
	wait $pid 2>/dev/null
	until flock -n state/searches/*writers10*/simul-lock true; do sleep 0.1; done # its search ends by itself
}

goes_on() {
	SIMUL_TEST_SHARE_AT_ONCE=1 stress --jobs 2 --time 2s --state state --require-complete --json 4.json -- "$bin/writers10" "$bin/ordered_test" >4.out 2>&1
	expect_eq "exit status" 3 $? || { cat 4.out; return 1; }
	expect_tests 4.json unchanged "$bin/ordered_test" true && expect_tests 4.json note "$bin/writers10" null || return 1
	expect_tests 4.json run.jobs "$bin/writers10" 2 "$bin/ordered_test" 1 || return 1 # one of the two is searched
	[ "$(test_of 4.json "$bin/writers10" run.executions)" -gt "$1" ] || { echo "the search did not go on after $1 executions"; return 1; }
}

# A bug that happens only while another test runs in parallel does not happen again without it.
side_by_side() {
	cd "$dir" || return 1
	gcc -g -pthread -o config_test "$top/tests/stress/config.c" || return 1
	printf '#!/bin/sh\ntouch config\nuntil ls state/recordings/*config*/*.simul || [ -e done ]; do sleep 0.1; done >/dev/null 2>&1\nrm config\ntouch done\n' >beside
	chmod +x beside && touch config
	within 120 "$SIMUL" stress --jobs 2 --native-timeout 100s --state state --json r.json -- ./beside ./config_test >out 2>&1
	expect_eq "exit status" 1 $? && expect_tests r.json bugs.0.confirmed ./config_test false || { cat out; return 1; }
	[[ $(test_of r.json ./config_test note) == "it happened only while other tests ran in parallel"* ]] || { cat out; return 1; }
}

no_time() {
	cd "$dir" || return 1
	stress --time 1ms --json r.json --junit r.xml -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status" 0 $? && expect_tests r.json result "$bin/ordered_test" "not run" && valid r.xml || return 1
	grep -q 'not run, out of time' out || { cat out; return 1; }
	stress --time 1ms --require-complete -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status" 3 $?
}

# A test that waits most of its time without simul: its row says how long the run without simul takes. The search of the
# other one takes longer than its run without simul, so its row says nothing.
native_time() {
	cd "$dir" || return 1
	printf '#include <unistd.h>\nstatic void __attribute__((constructor)) slow(void) { sleep(3); }\n' >slow.c
	gcc -g -O2 -D_GNU_SOURCE -pthread -DN=10 "$top/tests/golden/writers.c" slow.c -o slow || return 1
	stress --time 1s --json r.json --junit r.xml -- ./slow >out 2>&1
	expect_eq "exit status" 0 $? && expect_tests r.json result ./slow "not run" && expect_tests r.json native_seconds ./slow null && valid r.xml &&
		grep -qE 'no time was left for it \(needs more than [0-9.]+ s to pass natively\)$' out &&
		grep -qE '<skipped message="[^"]*needs more than [0-9.]+ s to pass natively' r.xml || { cat out r.xml; return 1; }
	stress --time 5s --json r.json --junit r.xml -- ./slow >out 2>&1
	expect_eq "exit status" 0 $? && grep -qE '\(needs [0-9.]+ s to pass natively\)$' out && grep -qE 'needs [0-9.]+ s to pass natively' r.xml &&
		[[ $(test_of r.json ./slow note) == "needs "*" s to pass natively" ]] && expect_tests r.json result ./slow incomplete || { cat out r.xml; return 1; }
	awk -v s="$(test_of r.json ./slow native_seconds)" 'BEGIN { exit !(s >= 3) }' || { echo "it slept for 3 s without simul"; return 1; }
	stress --strategy windows --time 2s --json r.json --junit r.xml -- "$bin/writers10" >out 2>&1
	expect_eq "exit status" 0 $? && grep -qE '\(one run takes [0-9.]+ s natively\)$' out && grep -q 'one run takes [0-9.]* s natively' r.xml || { cat out; return 1; }
	stress --time 2s --json r.json -- "$bin/writers10" >out 2>&1
	expect_eq "exit status" 0 $? && expect_tests r.json result "$bin/writers10" incomplete && ! grep -q 'natively' out || { cat out; return 1; }
}

# Files that are no tests, tests that fail without simul, and names and output that need escaping in XML or JSON.
bad_tests() {
	local odd=$'o"d\'d <&> \xc3\xbc \x01 [test]'
	cd "$dir" || return 1
	cp "$bin/noisy" "$odd"
	printf '#!/bin/sh\nexec sleep 1000\n' >hangs
	printf '#!/bin/sh\nwhile :; do echo "\\033[1m noise \\377"; done\n' >loud
	printf '#!/bin/sh\nread -r x </dev/tty\n' >terminal
	printf '#!/bin/sh\nexit 3\n' >fails
	printf '#!/bin/sh\nexit 0\n' >silent
	printf '#!/bin/nowhere\n' >interpreter
	printf '#!/bin/sh\ncp -f interpreter changed.new; mv changed.new changed\n' >changer
	cp "$bin/ordered_test" changed
	printf '#include <pthread.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic void *none(void *a) { return a; }
int main(void) { pthread_t t; if (!fork()) return pthread_create(&t, 0, none, 0) || pthread_join(t, 0); return wait(0) < 0; }\n' |
		gcc -pthread -x c -o forks - || return 1
	echo text >not_executable
	cp /bin/true data; printf data >data
	chmod +x hangs loud terminal fails silent interpreter changer
	stress --jobs 1 --native-timeout 1s --json r.json --junit r.xml --sarif r.sarif -- "./$odd" ./hangs ./loud ./terminal ./fails ./silent ./interpreter \
		./changer ./changed ./forks ./not_executable ./data ./missing . "$bin/deadlock_test" >out 2>&1
	expect_eq "exit status" 1 $? || { cat out; return 1; }
	expect_tests r.json result "./$odd" bug ./hangs "fails natively" ./loud "fails natively" ./terminal "fails natively" ./fails "fails natively" \
		./silent "no threads" ./interpreter unusable ./changer "no threads" ./changed unusable ./forks "no threads" ./not_executable unusable ./data unusable \
		./missing unusable . unusable "$bin/deadlock_test" bug || { cat out; return 1; }
	[[ $(test_of r.json ./changed reason) == "the program changed while"* ]] || { echo "changed: another reason"; return 1; }
	[[ $(test_of r.json ./forks reason) == "the program creates its threads in child processes"* ]] || { echo "forks: another reason"; return 1; }
	[[ $(test_of r.json ./hangs reason) == *"does not finish without simul"* ]] || { echo "hangs: another reason"; return 1; }
	valid r.xml && code_scanning r.sarif || return 1
	expect_eq "its output in XML" 1 "$(xmllint --xpath 'string(//failure)' r.xml | grep -cF '\x01\x1b[1m <&]]> \xff ')" || return 1
	expect_eq "notes in SARIF" 10 "$(json r.sarif 'runs.0.invocations.0.toolExecutionNotifications.#')" || return 1
	stress --native-timeout 1s -- ./fails >out 2>&1
	expect_eq "exit status" 2 $?
}

annotations() {
	cd "$dir" || return 1
	GITHUB_ACTIONS=true GITHUB_WORKSPACE=$top stress -- "$bin/deadlock_test" >out 2>&1
	grep -q '^::error file=tests/stress/project/transfer_test.c,line=[0-9]*,title=simul%3A .*::deadlock at .*%0A' out && return
	cat out
	return 1
}

# directory NAME TEXT: simul refuses --state NAME with this text
directory() {
	stress --state "$1" -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status for --state $1" 2 $? && grep -q -- "$2" out && return
	cat out
	return 1
}

bad_directories() {
	cd "$dir" || return 1
	mkdir other foreign full
	echo 'simul stress state, layout 999' >other/simul-stress
	echo hello >foreign/simul-stress
	touch file
	directory other "another version of simul" && directory foreign "another version of simul" && directory file "not a directory" &&
		directory file/below "cannot create this directory" && directory /proc/self/state "cannot create this directory" &&
		directory "" "is empty" || return 1
	# results that cannot be saved
	stress --state full -- "$bin/ordered_test" >out 2>&1 || { cat out; return 1; }
	local record
	record=$(echo full/results/*.json)
	record=${record##*/}
	rm -rf "full/recordings/${record%.json}" && touch "full/recordings/${record%.json}"
	stress --state full -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status with a file in place of recordings" 0 $? && grep -q 'cannot read its recordings in .*: Not a directory' out || { cat out; return 1; }
	rm "full/recordings/${record%.json}"
	record=full/results/$record
	mv "$record" saved && mkdir "$record" && rm full/searches/*/simul-state
	stress --state full -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status without a place for results" 0 $? && grep -q 'cannot save results: it is a directory' out || { cat out; return 1; }
	stress --junit /dev/full -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status of --junit /dev/full" 2 $? && grep -q 'junit /dev/full: cannot be written' out || { cat out; return 1; }
	# a search that cannot be read starts over
	rmdir "$record" && mv saved "$record"
	stress --strategy optimal --state full -- "$bin/ordered_test" >out 2>&1
	echo garbage >"$(echo full/searches/*/simul-state)"
	stress --strategy optimal --state full --json r.json -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status with a damaged search" 0 $? && expect_tests r.json run.executions "$bin/ordered_test" 2 && grep -q 'starts over' out
}

# limited TEXT OPTION LIMIT ARGUMENTS...: with that limit of ulimit, prints TEXT and keeps the known bugs
limited() {
	(ulimit "$2" "$3" && stress "${@:4}" >out 2>&1)
	expect_eq "exit status with ulimit $2 $3" 1 $? && grep -q -- "$1" out && return
	cat out
	return 1
}

limits() {
	cd "$dir" || return 1
	stress --state state -- "$bin/deadlock_test" >out 2>&1
	limited 'could not be run: .*ulimit -f' -f 300 --state state -- "$bin/deadlock_test" || return 1
	(ulimit -n 64 && stress --state state -- "$bin/deadlock_test" >out 2>&1) # refused before anything is changed
	expect_eq "exit status with ulimit -n 64" 2 $? && grep -q 'the limit on open files is 64, .*ulimit -n 256' out || { cat out; return 1; }
	stress --state state --json r.json -- "$bin/deadlock_test" >out 2>&1
	expect_tests r.json bugs.0.replayed "$bin/deadlock_test" true || return 1
	# the program gets the dispositions that it would get without simul
	gcc -g -pthread -o dispositions "$top/tests/stress/dispositions.c" || return 1
	stress -- ./dispositions >out 2>&1 && (trap '' XFSZ PIPE && stress -- ./dispositions >out 2>&1)
	expect_eq "exit status with SIGXFSZ and SIGPIPE ignored" 2 $? && grep -q 'fails natively' out || { cat out; return 1; }
	stress -- "$bin/ordered_test" | head -n 1 >out
	expect_eq "exit status when nobody reads" 0 "${PIPESTATUS[0]}"
}

# After an interruption, fixtures that were set up are cleaned up, and their background processes are gone.
interrupted_fixture() {
	local pid
	need ctest
	cd "$dir" || return 1
	cat >CTestTestfile.cmake <<-E
		add_test(up sh -c "sleep 1000 >/dev/null 2>&1 & echo \$! >$dir/fixture")
		set_tests_properties(up PROPERTIES FIXTURES_SETUP F)
		add_test(down rm "$dir/fixture")
		set_tests_properties(down PROPERTIES FIXTURES_CLEANUP F)
		add_test(long "$bin/writers10")
		set_tests_properties(long PROPERTIES FIXTURES_REQUIRED F)
	E
	"$SIMUL" stress --time 2m --state state --junit r.xml --json r.json --ctest . >out 2>&1 &
	pid=$!
	until ls state/searches/*/simul-state >/dev/null 2>&1; do sleep 0.1; done
	local server
	server=$(cat fixture) && kill -0 "$server" || { echo "the fixture does not run"; kill $pid; return 1; }
	kill -TERM $pid
	wait $pid
	expect_eq "exit status" 0 $? && expect_tests r.json result long incomplete && valid r.xml || { cat out; return 1; }
	[ ! -e fixture ] || { echo "it was not cleared away"; return 1; }
	! kill -0 "$server" 2>/dev/null || { echo "what it started is still there"; return 1; }
}

# A cleanup has its own time limit from the project.
slow_cleanup() {
	need ctest
	cd "$dir" || return 1
	cat >CTestTestfile.cmake <<-E
		add_test(up true)
		set_tests_properties(up PROPERTIES FIXTURES_SETUP F)
		add_test(down sleep 1000)
		set_tests_properties(down PROPERTIES FIXTURES_CLEANUP F TIMEOUT 1)
		add_test(uses "$bin/ordered_test")
		set_tests_properties(uses PROPERTIES FIXTURES_REQUIRED F)
	E
	stress --json r.json --ctest . >out 2>&1
	expect_eq "exit status" 2 $? && expect_tests r.json result uses complete up skipped down "fails natively" &&
		expect_tests r.json reason down "it does not finish without simul: stopped after 1 s (its own limit)" && return
	cat out
	return 1
}

# A bug that replays is the result, even if the test fails without simul later in the same run.
bug_before_failure() {
	cd "$dir" || return 1
	gcc -g -pthread -DSLOW -o slow_test "$project/transfer_test.c" || return 1
	stress --state state -- ./slow_test >out 2>&1
	expect_eq "exit status" 1 $? || { cat out; return 1; }
	stress --state state --keep-going --native-timeout 100ms --json r.json --junit r.xml -- ./slow_test >out 2>&1
	expect_eq "exit status of the second run" 1 $? && expect_tests r.json result ./slow_test bug && expect_tests r.json bugs.0.replayed ./slow_test true &&
		valid r.xml || { cat out; return 1; }
	[[ $(test_of r.json ./slow_test note) == *"it does not finish without simul"* ]] || { cat out; return 1; }
}

# refused TEXT ARGUMENTS...
refused() {
	stress "${@:2}" >out 2>&1
	expect_eq "exit status of: ${*:2}" 2 $? && grep -q -- "$1" out && return
	cat out
	return 1
}

usage() {
	cd "$dir" || return 1
	refused "no test given" && refused "no test given" --gtest && refused "at least 1 ms" --time 0 -- x && refused "--config needs --ctest" --config x -- y &&
		refused "--label needs --ctest" --label x -- y && refused "exclude each other" --gtest --cmocka -- x &&
		refused "takes its tests from the directory" --ctest . x && refused "CTestTestfile.cmake" --ctest . && refused "intro-tests.json" --meson . &&
		refused "No such file" --ctest nowhere && refused "did you mean '--junit'" --junt x && refused "expected one of sc" --model x -- "$bin/ordered_test" &&
		refused "add --model tso" --robustness -- "$bin/ordered_test" && refused "only one of" --json - --junit - -- x &&
		refused "no test matches" --filter nothing -- "$bin/ordered_test" && refused "cannot be written" --json /nowhere/x -- "$bin/ordered_test" &&
		refused "needs a program built with GoogleTest" --gtest -- "$bin/ordered_test" && refused "needs a CMocka program" --cmocka -- "$bin/ordered_test" || return 1
	expect_eq "--list" "Queue.KeepsWhatIsPushed" "$(stress --gtest --list --filter '*Keeps*' -- "$bin/queue_test")" || return 1
	stress --model tso --strategy trust -- "$bin/ordered_test" >out 2>&1
	expect_eq "options that contradict each other" 2 $? && documented
}

# Options of run are passed on in the order of its table: of each the last one that was given, of lists all.
passed_on() {
	cd "$dir" || return 1
	stress --lock a --seed 3 --fail-on-race --lock=b --no-minimize --seed=4 --json r.json -- "$bin/ordered_test" >out 2>&1
	expect_eq "exit status" 0 $? && expect_eq options "--no-minimize --seed=4 --lock=a --lock=b --fail-on-race" \
		"$(for i in 0 1 2 3 4; do json r.json "options.$i"; done | paste -sd' ')" && expect_eq "number of options" 5 "$(json r.json 'options.#')" ||
		{ cat out; return 1; }
}

documented() {
	local o n=0
	for o in $("$SIMUL" help stress | grep -oE '(^|[ |[])--[a-z-]+' | grep -oE '[a-z][a-z-]+' | sort -u); do
		n=$((n + 1))
		grep -q -- "${o//-/\\\\-}" "$top/docs/simul-stress.1" || { echo "--$o is not in the manual page"; return 1; }
	done
	[ $n -gt 25 ] || { echo "only $n options found"; return 1; }
}

# Each CMocka test runs alone, natively too; more than one program, with tests of the same name.
cmocka_programs() {
	cd "$dir" || return 1
	cp "$bin/counter_test" again
	stress --strategy optimal --cmocka --filter counts_once --json r.json -- "$bin/counter_test" ./again >out 2>&1
	expect_eq "exit status" 0 $? && expect_eq tests 2 "$(json r.json 'tests.#')" || { cat out; return 1; }
	expect_eq "executions of the first" 2 "$(json r.json tests.0.run.executions)" && expect_eq "of the second" 2 "$(json r.json tests.1.run.executions)"
}

# framework OPTION COMPILER SOURCE HEADER LIBRARIES NAME RESULT...: each test of the program in tests/stress/frameworks is searched by itself.
framework() {
	local option=$1 compiler=$2 source=$top/tests/stress/frameworks/$3 header=$4 libraries=$5 n
	shift 5
	cd "$dir" || return 1
	echo "#include <$header>" | "$compiler" $libraries -E -x c++ - >/dev/null 2>&1 || { echo "$header is not installed (make deps-test installs it)"; exit 77; }
	"$compiler" -g -O1 -pthread -o program "$source" $libraries || return 1
	stress --time 2m --json r.json "--$option" -- ./program "$(type -P true)" >out 2>&1
	expect_eq "exit status" 1 $? && expect_tests r.json result "$@" "(list of tests)" unusable || { cat out; return 1; }
	n=$(($# / 2 + 1))
	expect_eq tests $n "$(json r.json 'tests.#')" || { cat out; return 1; }
	stress --json r.json --filter '*nlocked*' "--$option" -- ./program >out 2>&1
	expect_eq "exit status of the filtered one" 1 $? && expect_eq "filtered tests" 1 "$(json r.json 'tests.#')" || { cat out; return 1; }
}

# make check of a directory and one below it: variables for the tests, a test that should fail, a wrapper as libtool makes it.
automake_directory() {
	cd "$dir" && mkdir -p build/sub/.libs || return 1
	cp "$bin/deadlock_test" build/dead && cp "$bin/ordered_test" build/sub/.libs/ordered || return 1
	printf '#!/bin/sh\nexec "$(dirname "$0")/.libs/ordered" "$@"\n' >build/sub/wrapped
	printf '#!/bin/sh\n[ "$ONE$TWO$srcdir" = "1 2" ] || exit 77\nexit 3\n' >build/sub/needs_variables
	printf '#!/bin/sh\nexit 77\n' >build/sub/skips
	chmod +x build/sub/wrapped build/sub/needs_variables build/sub/skips
	cat >build/Makefile <<-'EOF'
		SUBDIRS = . sub
		TESTS = dead fails
		XFAIL_TESTS = fails
		srcdir = .
		check: ; @touch built
	EOF
	cat >build/sub/Makefile <<-'EOF'
		TESTS = wrapped needs_variables skips missing
		AM_TESTS_ENVIRONMENT = ONE='1 '; export ONE;
		TESTS_ENVIRONMENT = TWO=2 srcdir=
		srcdir = ../sub
	EOF
	stress --json r.json --automake build >out 2>&1
	expect_eq "exit status" 1 $? && [ -e build/built ] || { cat out; return 1; }
	expect_tests r.json result dead bug fails skipped sub/wrapped complete sub/needs_variables "fails natively" sub/skips skipped \
		sub/missing "fails natively" || { cat out; return 1; }
	[[ $(test_of r.json sub/needs_variables reason) == *"exit status 3"* ]] || { cat out; return 1; }
	for i in 1 2; do # the second night knows the program by its path, and has nothing to do
		printf 'TESTS = ordered\nsrcdir = ../sub\n' >build/sub/Makefile
		cp -n build/sub/.libs/ordered build/sub/ordered
		stress --state state --json r.json --automake build >out 2>&1
		expect_eq "exit status with --state" 1 $? || { cat out; return 1; }
		expect_tests r.json unchanged sub/ordered "$([ $i = 2 ] && echo true || echo false)" && expect_tests r.json note sub/ordered null || return 1
	done
	printf 'check:\n\t@echo no rule for this >&2; false\n' >build/Makefile
	refused "make in $dir/build failed (exit status 2: " --automake build || return 1
	printf 'check:\n\t@echo "x.c:1: error: no such file" >&2; echo "1 error." >&2; false\n' >build/Makefile
	refused "make in $dir/build failed (exit status 2: x.c:1: error: no such file)" --automake build
}

# Files NAME.test in a directory and below: commands with quotes, one without a command, a bus that is missing, TAP.
installed_tests() {
	cd "$dir" && mkdir -p tests/below || return 1
	cp "$bin/deadlock_test" "dead lock" || return 1
	printf '[Test]\nType=session\nExec="%s" "an argument"\n' "$dir/dead lock" >tests/below/dead.test
	printf '[Test]\nExec=%s\nOutput=TAP\n' "$bin/ordered_test" >tests/ordered.test
	printf '[Test]\nExec=sh -c "echo no bus >\&2; exit 1"\n' >tests/bus.test
	printf '[Other]\nExec=true\n' >tests/none.test
	printf '[Test]\nExec="open\n' >tests/open.test
	echo 'not a test' >tests/README
	stress --json r.json --installed tests >out 2>&1
	expect_eq "exit status" 1 $? || { cat out; return 1; }
	expect_tests r.json result below/dead bug ordered skipped bus "fails natively" none unusable open unusable || { cat out; return 1; }
	expect_eq "reason of bus" "it fails without simul: exit status 1; its last line: no bus" "$(test_of r.json bus reason)" || return 1
	expect_eq tests 5 "$(json r.json 'tests.#')" && mkdir empty && refused "there is no file NAME.test" --installed empty
}

ctest_project() {
	need cmake
	cd "$dir" || return 1
	cmake -S "$project" -B build >cmake.log 2>&1 && make -C build >>cmake.log 2>&1 || { cat cmake.log; return 1; }
	stress --state state --json r.json --junit r.xml --ctest build >out 2>&1
	expect_eq "exit status" 1 $? || { cat out; return 1; }
	expect_tests r.json result 'dead/lock "1"' bug ordered complete fails skipped skips skipped missing unusable Queue.KeepsWhatIsPushed complete \
		Queue.IsEmptyAtFirst "no threads" Queue.IsSharedByTwo bug || { cat out; return 1; }
	expect_tests r.json result uses complete up skipped "up base" skipped down skipped broken "fails natively" without skipped first "no threads" \
		second "no threads" needs unusable passes skipped says "fails natively" silent incomplete "skips in words" skipped disabled skipped \
		modified skipped || { cat out; return 1; }
	[[ $(test_of r.json silent reason) == *"FAIL_REGULAR_EXPRESSION was checked only without simul" ]] || { echo "silent: another reason"; return 1; }
	[ ! -e build/top ] && [ ! -e build/base ] || { echo "the fixture was not cleared away"; return 1; }
	stress --label 'lock?' --json l.json --ctest build >out 2>&1 || { cat out; return 1; }
	expect_eq "tests with --label, and their fixtures" 4 "$(json l.json 'tests.#')" || return 1
	expect_eq "tests of ctest" "$(cd build && ctest -N | sed -n 's/^Total Tests: //p')" "$(json r.json 'tests.#')" && valid r.xml || return 1
	several_configurations && launcher
}

several_configurations() {
	cmake -S "$project" -B several -G 'Ninja Multi-Config' >cmake.log 2>&1 || { cat cmake.log; return 1; }
	stress --ctest several --list >out 2>&1
	expect_eq "exit status without --config" 2 $? && grep -q -- 'several configurations.*--config' out || { cat out; return 1; }
	stress --ctest several --config Debug --list >out 2>&1 && grep -q ordered out || { cat out; return 1; }
}

# simul run in front of each test, as CMake does it for emulators.
launcher() {
	cmake -S "$project" -B launched "-DCMAKE_CROSSCOMPILING_EMULATOR=$SIMUL;run;--quiet;--output;.;--" >cmake.log 2>&1 &&
		make -C launched deadlock_test ordered_test >>cmake.log 2>&1 || { cat cmake.log; return 1; }
	(cd launched && ctest -R '^ordered' >../ctest.log 2>&1) || { cat ctest.log; return 1; }
	(cd launched && ctest -R dead >../ctest.log 2>&1) && { echo "ctest did not notice the deadlock"; return 1; }
	stress --ctest launched --filter ordered --json r.json >out 2>&1
	expect_eq "exit status" 2 $? || { cat out; return 1; }
	[[ $(test_of r.json ordered reason) == *"already runs simul"* ]]
}

meson_project() {
	need meson
	cd "$dir" || return 1
	meson setup build "$project" >meson.log 2>&1 && meson compile -C build >>meson.log 2>&1 || { cat meson.log; return 1; }
	stress --state state --json r.json --junit r.xml --meson build >out 2>&1
	expect_eq "exit status" 1 $? || { cat out; return 1; }
	expect_tests r.json result deadlock bug ordered complete queue complete environment skipped 'meant to fail' skipped tap "fails natively" \
		'tap todo' "no threads" 'tap not ok' "fails natively" 'tap short' "fails natively" 'tap skipped' skipped path skipped && valid r.xml || { cat out; return 1; }
	[[ $(test_of r.json path reason) == *"exit status 77"* ]] || { echo "path: another reason"; return 1; }
	expect_eq "--label" path "$(stress --meson build --label shell --list)" || return 1
	meson test -C build --no-rebuild --wrapper "$SIMUL run --quiet --output $dir --" ordered queue >meson.log 2>&1 || { cat meson.log; return 1; }
	meson test -C build --no-rebuild --wrapper "$SIMUL run --quiet --output $dir --" deadlock --print-errorlogs >meson.log 2>&1 &&
		{ echo "meson did not notice the deadlock"; return 1; }
	grep -q "DEADLOCK in" meson.log && grep -q "simul: bug found: deadlock" meson.log || { echo "meson's log has no report:"; cat meson.log; return 1; }
}

# stand_in PROGRAM...: makes $dir/bin/cargo, which names these test programs of the package among other messages
stand_in() {
	local p
	mkdir -p "$dir/bin" "$dir/package" && : >"$dir/package/Cargo.toml" || return 1
	{
		printf '#!/bin/sh\n[ "$*" = "test --no-run --message-format=json" ] || exit 9\n'
		printf '[ -f Cargo.toml ] || { echo "error: could not find Cargo.toml" >&2; exit 101; }\ncat <<E\nwarning: not JSON\n'
		printf '{"reason":"compiler-artifact","manifest_path":"%s","target":{"kind":["lib"],"name":"bank"},"profile":{"test":false},"executable":null}\n' \
			"$dir/package/Cargo.toml"
		for p; do
			printf '{"reason":"compiler-artifact","manifest_path":"%s","target":{"kind":["test"],"name":"%s"},"profile":{"test":true},"executable":"%s"}\n' \
				"$dir/package/Cargo.toml" "$(basename "$p")" "$p"
		done
		printf '{"reason":"build-finished","success":true}\nE\n'
	} >"$dir/bin/cargo" && chmod +x "$dir/bin/cargo"
}

# Each test of a Rust package runs alone, except ignored ones; one program has another harness.
cargo_package() {
	cd "$dir" && gcc -g -pthread -o bank_test "$top/tests/stress/crate_test.c" && stand_in "$dir/bank_test" || return 1
	export PATH=$dir/bin:$PATH
	expect_eq "--list" "bank_test::locks::in_order bank_test::locks::crossed" "$(stress --cargo --list package | paste -sd' ')" || return 1
	stress --cargo --json r.json package >out 2>&1
	expect_eq "exit status" 1 $? || { cat out; return 1; }
	expect_tests r.json result bank_test::locks::in_order complete bank_test::locks::crossed bug || { cat out; return 1; }
	expect_eq "--list in the package" "bank_test::locks::crossed" "$(cd package && stress --cargo --filter '*crossed' --list)" || return 1
	stress --cargo . >out 2>&1
	expect_eq "exit status without a package" 2 $? && grep -q "cargo test --no-run failed (exit status 101: error: could not find" out || { cat out; return 1; }
	stand_in "$dir/bank_test" /bin/echo && stress --cargo --filter '*in_order' --json r.json package >out 2>&1
	expect_eq "exit status with another harness" 2 $? && expect_tests r.json result "(list of tests)" unusable bank_test::locks::in_order complete || { cat out; return 1; }
}
real_cargo() {
	command -v cargo >/dev/null || { echo "there is no cargo"; return 77; }
	cp -r "$top/tests/stress/crate" "$dir/crate" && cd "$dir/crate" || return 1
	export CARGO_NET_OFFLINE=true
	expect_eq "--list" "bank::tests::arithmetic transfers::both_ways" "$(stress --cargo --list | sort | paste -sd' ')" || return 1
	stress --cargo --filter '*both_ways' --strategy surw --json r.json >out 2>&1
	expect_eq "exit status" 1 $? && expect_tests r.json result transfers::both_ways bug || { cat out; return 1; }
	"$SIMUL" show simul-stress/*/*.simul | grep -q "bank::transfer lib.rs:5" || { echo "no step in transfer"; return 1; }
}

# Without --state and --output, a run without a recording leaves no directory; with them, a test without a recording leaves none.
leaves_nothing() {
	cd "$dir" || return 1
	stress -- /bin/true "$bin/ordered_test" >out 2>&1
	expect_eq "exit status" 0 $? || { cat out; return 1; }
	[ ! -e simul-stress ] || { ls -R; return 1; }
	stress -- "$bin/deadlock_test" ./nowhere >out 2>&1
	expect_eq recordings 1 "$(find simul-stress -name '*.simul' | wc -l)" && expect_eq directories 1 "$(find simul-stress -mindepth 1 -type d | wc -l)" || return 1
	stress --state kept --output bugs -- "$bin/ordered_test" "$bin/deadlock_test" >out 2>&1
	expect_eq "recordings in --output" 1 "$(find bugs -name '*.simul' | wc -l)" && expect_eq "directories in --output" 1 "$(find bugs -mindepth 1 -type d | wc -l)"
}

# Tests that need a server, become one, leave one behind or run for an hour: one row each, and no process or file is left.
hard_tests() {
	local name
	cd "$dir" || return 1
	gcc -g -pthread -o "$bin/hard" "$top/tests/stress/hard.c" || return 1
	for name in network daemon server hour; do cp "$bin/hard" "$dir/$name"; done
	stress --native-timeout 2s --json r.json -- ./network ./daemon ./server ./hour >out 2>&1
	expect_eq "exit status" 2 $? || { cat out; return 1; }
	expect_tests r.json result ./network "fails natively" ./daemon unusable ./server complete ./hour "fails natively" || { cat out; return 1; }
	expect_eq "rows" "1 1 1 1" "$(for name in network daemon server hour; do grep -c "^\./$name " out; done | xargs)" || { cat out; return 1; }
	[[ $(test_of r.json ./network reason) == *"its last line: connect: "* ]] || { cat out; return 1; }
	[[ $(test_of r.json ./daemon reason) == *"run the program in the foreground"* ]] || { cat out; return 1; }
	expect_eq "files" "daemon hour network out r.json server" "$(ls -I case.log | xargs)" || return 1
	for name in network daemon server hour; do
		! grep -lsz "^\./$name$" /proc/[0-9]*/cmdline || { echo "$name still runs"; return 1; }
	done
}

# A test with more than one bug whose search is finished: the bugs are replayed, and it is not searched again.
all_bugs() {
	cd "$dir" || return 1
	for i in 1 2; do
		stress --keep-going --state state --json r.json -- "$bin/deadlock_test" >out 2>&1
		expect_eq "exit status" 1 $? || { cat out; return 1; }
		expect_tests r.json bugs.0.replayed "$bin/deadlock_test" "$([ $i = 2 ] && echo true || echo false)" || return 1
	done
	expect_tests r.json unchanged "$bin/deadlock_test" true && expect_tests r.json run.end "$bin/deadlock_test" over || return 1
	mv state/recordings old
	stress --keep-going --state state --json r.json -- "$bin/deadlock_test" >out 2>&1
	expect_eq "exit status without recordings" 1 $? || { cat out; return 1; }
	[ -s "$(test_of r.json "$bin/deadlock_test" bugs.0.recording)" ] || { echo "the recording was not written again"; return 1; }
	# each slice reports the bug again, also if nothing can be recorded (only root gets so far)
	[ "$(id -u)" = 0 ] || return 0
	rm -r state/*/* && ln -s /proc "state/recordings/$(ls "$dir"/old)" || return 1
	stress --strategy random --keep-going --time 1500ms --state state --json r.json -- "$bin/deadlock_test" >out 2>&1
	expect_eq "exit status with nowhere to record" 1 $? && expect_tests r.json bugs.# "$bin/deadlock_test" 1 && expect_tests r.json bugs.0.recording "$bin/deadlock_test" null && return
	cat out
	return 1
}

# A finished search counts until a library of the program changes.
library() {
	local k
	cd "$dir" || return 1
	for k in 1 2; do
		echo "int extra(void) { return $k; }" | gcc -shared -fPIC -x c - -o libextra.so || return 1
		[ $k = 1 ] && { gcc -g -pthread -DORDERED -o uses "$project/transfer_test.c" -Wl,--no-as-needed -L. -lextra '-Wl,-rpath,$ORIGIN' || return 1; }
		stress --state state --json "$k.json" -- ./uses >out 2>&1 || { cat out; return 1; }
		expect_tests "$k.json" unchanged ./uses false || return 1
		stress --state state --json "again.json" -- ./uses >out 2>&1 && expect_tests again.json unchanged ./uses true || { cat out; return 1; }
	done
	[[ $(test_of 2.json ./uses note) == *"starts over: "*"libextra.so has changed"* ]] || return 1
	# nor when it runs in another directory
	mkdir elsewhere && stress --state state -- "$dir/uses" >out 2>&1 && (cd elsewhere && stress --state ../state --json ../3.json -- "$dir/uses" >>out 2>&1) &&
		expect_tests 3.json unchanged "$dir/uses" false || { cat out; return 1; }
	[[ $(test_of 3.json "$dir/uses" note) == *"starts over: "*"directory"* ]]
}

# With cut executions a test is not complete, unless it completes the bound that the user gives.
cut_executions() {
	cd "$dir" || return 1
	gcc -g -pthread -o long_way "$top/tests/stress/long_way.c" || return 1
	stress --max-steps 60 --require-complete --json r.json -- ./long_way >out 2>&1
	expect_eq "exit status" 3 $? && expect_tests r.json result ./long_way incomplete && expect_tests r.json run.end ./long_way over && expect_tests r.json run.verdict ./long_way bounded || { cat out; return 1; }
	[[ $(test_of r.json ./long_way reason) == "complete up to "[01]" preemption"*" cut after 60 steps"* ]] || { cat out; return 1; }
	stress --preemptions 0 --max-steps 60 --require-complete --json r.json -- ./long_way >out 2>&1
	expect_eq "exit status" 0 $? && expect_tests r.json result ./long_way complete && return
	cat out
	return 1
}

# On a terminal no line of the table and of the progress is too long, and a bug's text begins in a line of its own if it has no room beside.
terminal() {
	cd "$dir" || return 1
	local width long=a_test_with_a_long_name_for_narrow_terminals
	cp "$bin/deadlock_test" $long && cp "$bin/noisy" noisy_test_with_a_long_name_as_well || return 1
	for width in 40 60 80 160; do
		"$top/tests/lib/terminal.py" $width "$SIMUL" stress --time 3s --jobs 2 -- ./$long "$bin/ordered_test" ./noisy_test_with_a_long_name_as_well >out
		expect_eq "exit status in width $width" 1 $? && grep -q '^[0-9] of 3 tests done' out || { cat out; return 1; }
		sed '/^To reproduce/,$d' out >shown
		sed -n '/^test /,/^ *$/p' out | grep -q 'well  *bug' || { echo "an empty line in the table:"; cat out; return 1; }
		[ $width -lt 60 ] || expect_eq "longest line in width $width" 1 "$(awk -v w=$width 'length > most { most = length } END { print most < w }' shown)" ||
			{ cat out; return 1; }
		! grep '^[0-9] of 3' shown | awk -v w=$width 'length >= w' | grep . || return 1
		! sed -n '/^test /,$p' shown | tr -d '\r' | grep ' $' || { echo "blanks at the end of a line"; return 1; }
	done
	grep -q "^\./$long .* s  deadlock at " out || { echo "the detail is not beside the time:"; cat out; return 1; }
}

case_of() {
	[[ $1 == *"$only"* ]] && run_case "$@"
}

case_of "ctest" ctest_project
case_of "meson" meson_project
case_of "nights" nights
case_of "interrupted" interrupted
case_of "bad tests" bad_tests
case_of "bad directories" bad_directories
case_of "usage" usage
case_of "options passed on" passed_on
case_of "limits" limits
case_of "interrupted fixture" interrupted_fixture
case_of "slow cleanup" slow_cleanup
case_of "bug before failure" bug_before_failure
case_of "side by side" side_by_side
case_of "no time" no_time
case_of "native time" native_time
case_of "annotations" annotations
case_of "cmocka programs" cmocka_programs
case_of "Boost.Test programs" framework boost g++ boost.cc boost/test/unit_test.hpp -lboost_unit_test_framework \
	counts/inside/locked complete counts/unlocked bug last "no threads"
case_of "Catch2 programs" framework catch2 g++ catch2.cc catch2/catch.hpp "" "counts, [locked]" complete "counts, [unlocked]" bug '-"last"' "no threads"
case_of "doctest programs" framework doctest g++ doctest.cc doctest/doctest.h "" "counts, locked" complete "counts, unlocked" bug last "no threads"
case_of "Check programs" framework check gcc check.c check.h "-lcheck -lsubunit -lrt -lm" "a & b/<locked>" complete "a & b/unlocked" bug
case_of "GLib programs" framework glib gcc glib.c glib.h "$(pkg-config --cflags glib-2.0 2>/dev/null) -lglib-2.0" \
	/counts/locked complete /counts/unlocked bug /counts/skips skipped /last "no threads"
case_of "make check" automake_directory
case_of "installed tests" installed_tests
case_of "leaves nothing" leaves_nothing
case_of "hard tests" hard_tests
case_of "cargo package" cargo_package
! all_cases || case_of "real cargo" real_cargo
case_of "all bugs" all_bugs
case_of "library" library
case_of "cut executions" cut_executions
case_of "terminal" terminal
finish
