#!/bin/bash
# Nights that several machines share (simul stress --search): the same results as on one machine, also when machines or the server are lost; bad databases.
# A PostgreSQL server of its own runs in a temporary directory. Machines are processes.
#
#   tests/nights.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite nights
FILTER=${FILTER:-${1-}}
project=$top/tests/stress/project
. "$top/tests/postgres.sh"

# ---- programs ----

bin=$work/bin
mkdir -p "$bin"
built() {
	"${@:2}" -o "$bin/$1" || { run_case "$1 compiles" false; finish; }
}
built queue_test g++ -g -O1 -pthread "$project/queue_test.cc" -lgtest -lgtest_main -pthread &
built deadlock_test gcc -g -pthread "$project/transfer_test.c" &
built ordered_test gcc -g -pthread -DORDERED "$project/transfer_test.c" &
built writers6 gcc -g -O2 -D_GNU_SOURCE -pthread -DN=6 "$top/tests/golden/writers.c" &
built mutex3x5 gcc -g -O2 -D_GNU_SOURCE -pthread -DN=3 -DR=5 "$top/tests/golden/mutex.c" &
built writers8 gcc -g -O2 -D_GNU_SOURCE -pthread -DN=8 "$top/tests/golden/writers.c" &
wait

# machine NAME OPTION...: starts simul stress as one machine, in $dir; its number is in $machine
machine() {
	local name=$1 patience
	shift
	patient_seconds 100
	(cd "$dir" && exec "$SIMUL" stress --search "$url" --jobs 1 --time "${patience}s" --output "$name" --json "$name.json" --junit "$name.xml" "$@" >"$name.out" 2>&1) &
	machine=$!
}

# until_sql TEXT: waits until this query returns t
until_sql() {
	local i patience
	patient_seconds 300
	for ((i = 0; i < patience; i++)); do
		[ "$(sql "$database" "$1" 2>/dev/null)" = t ] && return 0
		sleep 0.2
	done
	echo "never true: $1"
	return 1
}

# tests_in FILE KEY: names and values, one line for each test
tests_in() {
	local i n
	n=$(json "$1" 'tests.#') || return 1
	for ((i = 0; i < n; i++)); do
		echo "$(json "$1" "tests.$i.name") $(json "$1" "tests.$i.$2")"
	done
}

# same_results FILE FILE: results and executions agree
same_results() {
	expect_eq "results in $2" "$(tests_in "$1" result)" "$(tests_in "$2" result)" &&
		expect_eq "executions in $2" "$(tests_in "$1" run.executions)" "$(tests_in "$2" run.executions)"
}

# each_once FILE: each test stands once in the JUnit file
each_once() {
	xmllint --xpath '//testcase/@name' "$1" | tr ' ' '\n' | grep . | sort >"$1.names"
	[ -s "$1.names" ] && [ -z "$(uniq -d "$1.names")" ] || { echo "$1: tests are missing or stand twice:"; cat "$1.names"; return 1; }
}

# ---- the same as one machine ----

three_machines() {
	local pids=() i codes=
	fresh three || return 1
	cp "$bin"/{deadlock_test,ordered_test,writers6,writers8} "$dir"
	cd "$dir" || return 1
	"$SIMUL" stress --jobs 1 --time 100s --strategy optimal --output one --json one.json -- ./deadlock_test ./ordered_test ./writers6 ./writers8 >one.out 2>&1
	expect_eq "exit status of one machine" 1 $? || { cat one.out; return 1; }
	for i in 1 2 3; do
		machine "m$i" --strategy optimal -- ./deadlock_test ./ordered_test ./writers6 ./writers8
		pids+=("$machine")
	done
	for i in "${pids[@]}"; do
		wait "$i"
		codes+=" $?"
	done
	expect_eq "exit statuses" " 1 1 1" "$codes" || { cat m?.out; return 1; }
	for i in 1 2 3; do
		same_results one.json m$i.json && each_once m$i.xml || { cat m$i.out; return 1; }
		[ -n "$(find m$i -name '*.simul')" ] || { echo "machine $i has no recording"; return 1; }
	done
	expect_eq "turns that nobody gave back" 0 "$(sql three 'SELECT count(*) FROM simul_stress.turn WHERE token IS NOT NULL')" || return 1
	expect_eq "nights that were begun" 1 "$(cat m?.out | grep -c 'began a night')" || return 1
	"$SIMUL" replay -q --trust "$(find m3 -name '*.simul')" >replay.out
	expect_eq "exit status of the replay" 1 $?
}

next_night() {
	fresh next || return 1
	cp "$bin"/{queue_test,deadlock_test} "$dir"
	cd "$dir" || return 1
	machine first --gtest -- ./queue_test
	wait $machine
	expect_eq "first night" 1 $? || { cat first.out; return 1; }
	machine second --gtest -- ./queue_test
	wait $machine
	expect_eq "second night" 1 $? || { cat second.out; return 1; }
	expect_eq "results" "$(tests_in first.json result)" "$(tests_in second.json result)" || return 1
	tests_in second.json unchanged | grep -q 'Queue.KeepsWhatIsPushed true' || { echo "it was searched again"; cat second.out; return 1; }
	grep -q 'IsSharedByTwo.*replayed' second.out || { echo "the bug was not replayed"; cat second.out; return 1; }
	echo '// changed' >>"$dir/other"
	cp "$bin/deadlock_test" queue_other
	machine third -- ./queue_other
	wait $machine
	expect_eq "other tests" 1 $? && grep -q 'began a night of 1 test' third.out || { cat third.out; return 1; }
}

late_machine() {
	fresh late || return 1
	cp "$bin"/{ordered_test,deadlock_test} "$dir"
	cd "$dir" || return 1
	machine a --night monday -- ./ordered_test ./deadlock_test
	wait $machine
	expect_eq "first" 1 $? || { cat a.out; return 1; }
	machine b --night monday -- ./ordered_test ./deadlock_test
	wait $machine
	expect_eq "after the end" 1 $? || { cat b.out; return 1; }
	grep -q 'joined a night' b.out && same_results a.json b.json || { cat b.out; return 1; }
	machine c --night monday -- ./ordered_test
	wait $machine
	expect_eq "other tests" 2 $? && grep -q 'night "monday" has other tests' c.out || { cat c.out; return 1; }
}

# A machine without a test helps with the long search of another one.
idle_machine() {
	local first
	fresh idle || return 1
	cp "$bin/mutex3x5" "$dir"
	machine m1 --strategy optimal -- ./mutex3x5
	first=$machine
	until_sql "SELECT count(*) = 1 FROM simul_stress.turn WHERE token IS NOT NULL" || return 1
	machine m2 --strategy optimal -- ./mutex3x5
	wait "$first" "$machine"
	expect_eq "exit status" 0 $? && expect_eq "results" "./mutex3x5 complete" "$(tests_in "$dir/m1.json" result)" || { cat "$dir"/m?.out; return 1; }
	same_results "$dir/m1.json" "$dir/m2.json" && expect_eq "executions" "./mutex3x5 756756" "$(tests_in "$dir/m1.json" run.executions)" && each_once "$dir/m2.xml" || return 1
	expect_eq "machines that explored" t "$(sql idle 'SELECT count(*) > 1 FROM simul_search.slot WHERE executions > 1000')" || { sql idle 'SELECT machine, executions FROM simul_search.slot'; return 1; }
	expect_eq "what is left" "" "$(find "$dir" -name 'helping*')"
}

# ---- somebody is lost ----

# long_night: two machines search two tests; sets first and second to their process ids once the first has a turn
long_night() {
	fresh "$1" || return 1
	cp "$bin"/{writers6,writers8} "$dir"
	machine m1 --strategy optimal -- ./writers8 ./writers6
	first=$machine
	until_sql "SELECT count(*) = 1 FROM simul_stress.turn WHERE token IS NOT NULL AND test = 0" || return 1
}
exact() { expect_eq "executions in $1" "./writers8 40320 ./writers6 720" "$(tests_in "$dir/$1" run.executions | tr '\n' ' ' | sed 's/ $//')" || { cat "$dir"/m?.out; return 1; }; }
expire() { sql "$database" "UPDATE simul_stress.turn SET lease = clock_timestamp() WHERE token IS NOT NULL"; }

machine_killed() {
	long_night killed || return 1
	sleep 0.5
	kill -9 $first
	pkill -9 -f "^$SIMUL run .*$dir/" # its child processes end with it anyway
	expire || return 1
	machine m2 --strategy optimal -- ./writers8 ./writers6
	wait $machine
	expect_eq "exit status" 0 $? || { cat "$dir/m2.out"; return 1; }
	exact m2.json
}

machine_stopped() {
	local second
	long_night stopped || return 1
	sleep 0.3
	kill -STOP $first
	expire || return 1
	machine m2 --strategy optimal -- ./writers8 ./writers6
	second=$machine
	until_sql "SELECT count(*) = 1 FROM simul_stress.turn WHERE settled AND test = 0" || { kill -9 $first; return 1; }
	kill -CONT $first
	wait $first
	expect_eq "exit status of the stopped one" 0 $? || { cat "$dir/m1.out"; return 1; }
	wait $second
	expect_eq "exit status" 0 $? || { cat "$dir/m2.out"; return 1; }
	exact m1.json && exact m2.json
}

interrupted() {
	long_night interrupted || return 1
	sleep 0.3
	kill -INT $first
	wait $first
	until_sql "SELECT count(*) = 0 FROM simul_stress.turn WHERE token IS NOT NULL" || return 1
	machine m2 --strategy optimal -- ./writers8 ./writers6
	wait $machine
	expect_eq "exit status" 0 $? || { cat "$dir/m2.out"; return 1; }
	exact m2.json
}

# ---- bad input ----

# refused STATUS TEXT URL OPTION...: ends with this status, one line and no test run
refused() {
	local status=$1 text=$2
	shift 2
	(cd "$dir" && within 30 "$SIMUL" stress --time 20s --search "$@" -- "$bin/ordered_test" >said 2>&1)
	expect_eq "exit status ($*)" "$status" $? && expect_eq "lines" 1 "$(wc -l <"$dir/said")" && grep -q -- "$text" "$dir/said" && return 0
	cat "$dir/said"
	return 1
}

bad_urls() {
	refused 2 'Connection refused' postgresql://boss@127.0.0.1:1/x &&
		refused 2 'database "nowhere" does not exist' "postgresql://boss@127.0.0.1:$port/nowhere" &&
		refused 2 'a password in the URL' "postgresql://boss:secret@127.0.0.1:$port/postgres" &&
		refused 2 'example postgresql://' postgres.example.com &&
		refused 2 'leave out --state' "postgresql://boss@127.0.0.1:$port/postgres" --state state &&
		refused 2 'could not translate host name\|certificate\|resolve' 'postgresql://boss@machine.invalid/x' || return 1
	! grep -q secret "$dir/said"
	(cd "$dir" && "$SIMUL" stress --night x -- "$bin/ordered_test") >"$dir/said" 2>&1
	expect_eq "--night without --search" 2 $? && grep -q 'needs --search' "$dir/said"
}

rights() {
	fresh guarded || return 1
	sql postgres "CREATE ROLE runner LOGIN PASSWORD 'open'; CREATE ROLE outsider LOGIN PASSWORD 'open'" || return 1
	PGPASSWORD=wrong refused 2 'password authentication failed' "postgresql://runner@127.0.0.1:$port/guarded" || return 1
	PGPASSWORD=open refused 2 'permission denied' "postgresql://runner@127.0.0.1:$port/guarded" || return 1
	# a first night of the owner makes the schema
	sql postgres "ALTER ROLE boss PASSWORD 'open'" || return 1
	export PGPASSWORD=open
	machine m1 -- "$bin/ordered_test"
	wait $machine
	expect_eq "exit status of the owner" 0 $? || { cat "$dir/m1.out"; return 1; }
	refused 2 'permission denied' "postgresql://outsider@127.0.0.1:$port/guarded" || return 1
	sql guarded "GRANT USAGE ON SCHEMA simul_stress TO runner" || return 1
	url=postgresql://runner@127.0.0.1:$port/guarded
	machine m2 -- "$bin/ordered_test" "$bin/deadlock_test"
	wait $machine
	expect_eq "exit status of a role with rights on the functions" 1 $? || { cat "$dir/m2.out"; return 1; }
	"$pg/psql" -X -h 127.0.0.1 -p "$port" -U runner -d guarded -c 'SELECT * FROM simul_stress.file' >"$dir/table" 2>&1 &&
		{ echo "the role can read the tables"; return 1; }
	! grep -rqs 'open' "$dir"/m2.json || { echo "the password is in the results"; return 1; }
}

layout() {
	fresh layout || return 1
	machine m1 -- "$bin/ordered_test"
	wait $machine
	sql layout "UPDATE simul_stress.layout SET version = 99" || return 1
	refused 2 'another version of simul made the schema' "$url"
}

# Anything may be in the rows.
damaged() {
	local what status
	fresh damaged || return 1
	cp "$bin"/{ordered_test,deadlock_test} "$dir"
	machine m1 -- ./ordered_test ./deadlock_test
	wait $machine
	cp "$bin/queue_test" "$dir/deadlock_too"
	for what in "UPDATE simul_stress.file SET data = substr(data, 1, length(data) / 2)" \
		"UPDATE simul_stress.file SET data = '\\\\x00ff'::bytea" \
		"UPDATE simul_stress.file SET path = '../../evil-' || length(data)" \
		"UPDATE simul_stress.file SET path = 'recordings/../evil.simul' WHERE path LIKE '%.simul'" \
		"UPDATE simul_stress.file SET path = 'recordings/../evil.simul' WHERE path = 'search'" \
		"UPDATE simul_stress.file SET data = convert_to(replace(convert_from(data, 'UTF8'), 'deadlock_test', 'deadlock_too'), 'UTF8') WHERE path LIKE '%.simul'" \
		"INSERT INTO simul_stress.file SELECT key, 'recordings/x' || n || '.simul', repeat('x', n)::bytea FROM simul_stress.kept, generate_series(1, 50) n"; do
		sql damaged "$what" || return 1
		machine m2 -- ./ordered_test ./deadlock_test
		wait $machine
		status=$?
		[ $status = 1 ] || [ $status = 4 ] || { echo "exit status $status after: $what"; cat "$dir/m2.out"; return 1; }
		expect_eq "results after: $what" "./ordered_test complete ./deadlock_test bug" "$(tests_in "$dir/m2.json" result | tr '\n' ' ' | sed 's/ $//')" ||
			{ cat "$dir/m2.out"; return 1; }
	done
	[ -z "$(find "$dir" /tmp -maxdepth 3 -name 'evil*' 2>/dev/null)" ] || { echo "a file was written outside"; return 1; }
	for what in "'not JSON'" "'{\"status\": 7, \"bugs\": [1, {}], \"run\": [], \"seconds\": -1, \"slices\": 1e99}'" "'{\"bugs\": 3, \"slices\": -5, \"why\": {}}'" "'[]'" "''"; do
		fresh_night=$((${fresh_night:-0} + 1))
		machine m3 --night "n$fresh_night" --keep-going -- ./ordered_test ./deadlock_test
		wait $machine
		sql damaged "UPDATE simul_stress.turn SET outcome = $what, settled = false; UPDATE simul_stress.night SET closed = false" || return 1
		machine m4 --night "n$fresh_night" --keep-going -- ./ordered_test ./deadlock_test
		wait $machine
		status=$?
		[ $status = 1 ] || [ $status = 0 ] || [ $status = 4 ] || { echo "exit status $status with the result $what"; cat "$dir/m4.out"; return 1; }
	done
}

not_loaded() {
	LD_DEBUG=files "$SIMUL" stress --time 20s --output "$dir/out" -- "$bin/ordered_test" >"$dir/said" 2>&1
	expect_eq "exit status" 0 $? && ! grep -q libpq "$dir/said"
}

# The server is killed and comes back. Other cases use the server too, so this one runs when they have ended.
server_killed() {
	long_night lost_server || return 1
	sleep 0.5
	stop_server
	sleep 1
	start_server || return 1
	wait $first
	expect_eq "exit status" 0 $? || { cat "$dir/m1.out"; return 1; }
	grep -q 'trying again' "$dir/m1.out" && grep -q 'the connection is back' "$dir/m1.out" || { cat "$dir/m1.out"; return 1; }
	exact m1.json
}

run_case "three machines" three_machines
run_case "the next night" next_night
run_case "a late machine" late_machine
run_case "a machine without a test helps" idle_machine
run_case "a machine is killed" machine_killed
run_case "a machine is stopped" machine_stopped
run_case "Ctrl-C hands back" interrupted
run_case "bad URLs" bad_urls
run_case "rights" rights
run_case "layout" layout
run_case "damaged rows" damaged
run_case "libpq is not loaded" not_loaded
wait
run_case "the server is killed" server_killed
finish
