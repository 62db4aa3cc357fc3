#!/bin/bash
# One search that several machines share (simul run --search): the counts of one machine, also when machines or the server are lost; bugs,
# discoveries, effects; bad databases. Machines are processes.
#
#   tests/machines.sh [NAME]   only the cases whose name contains NAME
#
# The long tests have the golden rows with 2, 8 and 32 machines, and a campaign of MACHINES_KILLS (200) losses.
. "$(dirname "$0")/lib.sh"
suite machines
FILTER=${FILTER:-${1-}}
. "$top/tests/postgres.sh"

bin=$work/bin
mkdir -p "$bin"
built() {
	gcc -g -O1 -D_GNU_SOURCE -pthread -Itests/golden -o "$bin/$1" "${@:2}" || { run_case "$1 compiles" false; finish; }
}
built mutex3x3 -DN=3 -DR=3 tests/golden/mutex.c
built mutex5x2 -DN=5 -DR=2 tests/golden/mutex.c
built fib4 -DN=4 tests/golden/fib.c
built fib6 -DN=6 tests/golden/fib.c
built lastzero5 -DN=5 tests/golden/lastzero.c
built lastzero10 -DN=10 tests/golden/lastzero.c
built lastzero10 -DN=10 tests/golden/lastzero.c
built mutex5x4 -DN=5 -DR=4 tests/golden/mutex.c
built transfer tests/stress/project/transfer_test.c
built late tests/jobs/late.c
built counts tests/jobs/counts.c
built touch tests/machines/touch.c
built elsewhere tests/machines/elsewhere.c

# machine NAME PROGRAM OPTION...: starts a machine in $dir; its number is in $machine
machine() {
	local name=$1 prog=$2
	shift 2
	# shellcheck disable=SC2086
	(cd "$dir" && SIMUL_TEST_SHARE_AT_ONCE=1 exec setsid "$SIMUL" run --search "$url" --output "$name" --json "$name.json" "$@" -- $bin/$prog >"$name.out" 2>&1) &
	machine=$!
}

# The sum over the slots that are stored.
executions() { sql "$database" 'SELECT sum(executions) FROM simul_search.slot'; }
state() { sql "$database" 'SELECT state FROM simul_search.search'; }
# until_state STATE: waits for it as long as executions are stored: a loaded machine needs minutes
until_state() {
	local i=0 before=- now
	while ((i++ < 600)); do
		[ "$(state 2>/dev/null)" = "$1" ] && return 0
		sleep 0.1
		now=$(executions 2>/dev/null)
		[ "$now" = "$before" ] || i=0
		before=$now
	done
	echo "the state never became $1: $(state), $now executions"
	return 1
}

# result NAME: what all machines must agree on
result() {
	local k
	for k in verdict executions distinct_traces cut bugs.#; do
		echo "$k $(json "$dir/$1.json" $k)"
	done
}

# ---- the same as one machine ----

# same_counts N PROGRAM OPTION...: N machines have the verdict and the counts of one
same_counts() {
	local n=$1 prog=$2 i pids=()
	shift 2
	fresh "counts$n$prog" || return 1
	simul_run run --keep-going --jobs 1 --json "$dir/one.json" --output "$dir/one" "$@" -- "$bin/$prog" >"$dir/one.out" 2>&1
	for ((i = 0; i < n; i++)); do
		SIMUL_TEST_MACHINES=$n machine "m$i" "$prog" --keep-going "$@"
		pids+=("$machine")
	done
	wait "${pids[@]}"
	for ((i = 0; i < n; i++)); do
		expect_eq "result of machine $i" "$(result one)" "$(result "m$i")" || { cat "$dir/m$i.out"; return 1; }
	done
	expect_eq "stored executions" "$(json "$dir/one.json" executions)" "$(executions)" && expect_eq "machines that joined" 1 $(($(sql "$database" 'SELECT count(*) FROM simul_search.slot') >= n))
}

# With the default strategy the number of executions depends on when the full search is chosen; traces and verdict do not.
same_verdict() {
	local pids=() i
	fresh auto || return 1
	for i in 1 2; do
		machine "m$i" mutex5x2
		pids+=("$machine")
	done
	wait "${pids[@]}"
	for i in 1 2; do
		expect_eq "machine $i" "complete 113400" "$(json "$dir/m$i.json" verdict) $(json "$dir/m$i.json" distinct_traces)" || { cat "$dir/m$i.out"; return 1; }
	done
}

# A worker keeps the common part for several executions, so there are far fewer commits of it than executions.
few_transactions() {
	local commits
	same_counts 2 lastzero10 --strategy optimal || return 1
	commits=$(sql "$database" 'SELECT version FROM simul_search.search')
	echo "$commits commits of the common part, $(executions) executions"
	[ "$commits" -gt 0 ] && [ $((commits * 70)) -lt "$(executions)" ]
}

# A search that is over is not run again, and has the same verdict.
again() {
	fresh again || return 1
	machine first mutex3x3 --strategy optimal
	wait "$machine"
	machine second mutex3x3 --strategy optimal
	wait "$machine"
	expect_eq "exit status" 0 $? && expect_eq "result" "$(result first)" "$(result second)" || { cat "$dir"/*.out; return 1; }
	machine third mutex3x3 --strategy optimal --spurious 1
	wait "$machine"
	expect_eq "searches" 2 "$(sql again 'SELECT count(*) FROM simul_search.search')"
}

# ---- --executions ----

# exactly MACHINES EXECUTIONS: they make that many in all, twice as many in the next run, and then the rest
exactly() {
	local n=$1 most=$2 part i pids
	fresh "exactly$n" || return 1
	for part in 1 2; do
		pids=()
		for ((i = 0; i < n; i++)); do
			SIMUL_TEST_MACHINES=$n machine "m$i" fib6 --strategy optimal --executions $((part * most))
			pids+=("$machine")
		done
		wait "${pids[@]}"
		for ((i = 0; i < n; i++)); do
			expect_eq "machine $i" "incomplete $((part * most))" "$(json "$dir/m$i.json" verdict) $(json "$dir/m$i.json" executions)" || { cat "$dir/m$i.out"; return 1; }
			grep -q "budget of executions used up after $((part * most)) executions" "$dir/m$i.out" || { cat "$dir/m$i.out"; return 1; }
		done
		expect_eq "stored executions" $((part * most)) "$(executions)" || return 1
	done
	machine rest fib6 --strategy optimal --executions 1000000
	wait "$machine"
	expect_eq "the rest" "complete 73789" "$(json "$dir/rest.json" verdict) $(json "$dir/rest.json" executions)" || { cat "$dir/rest.out"; return 1; }
}

# What was reserved for machines that were killed is made by others.
exactly_after_losses() {
	local pids=() i
	fresh exactly_losses || return 1
	for i in 1 2 3; do
		machine "m$i" fib6 --strategy optimal --executions 40000
		pids+=("$machine")
	done
	until_state shared || return 1
	for i in 4 5; do
		sleep "0.$((RANDOM % 4 + 1))"
		kill -KILL "${pids[i - 4]}"
		machine "m$i" fib6 --strategy optimal --executions 40000
		pids[i - 4]=$machine
	done
	wait "${pids[@]}"
	expect_eq "stored executions" 40000 "$(executions)" || return 1
	for i in 3 4 5; do
		expect_eq "machine $i" "incomplete 40000" "$(json "$dir/m$i.json" verdict) $(json "$dir/m$i.json" executions)" || { cat "$dir/m$i.out"; return 1; }
	done
}

# ---- joining ----

# A program that does something else here, since a file differs, is refused before it explores. One that does the same joins.
probed() {
	local first
	fresh probed || return 1
	echo 0 >"$dir/kind"
	machine m1 elsewhere --strategy optimal --executions 300000
	first=$machine
	until_state shared || return 1
	until_executions 3000
	expect_eq "executions that are stored" 1 $(($(sql probed 'SELECT count(*) FROM simul_search.sample') > 0)) || return 1
	echo 1 >"$dir/kind"
	machine m2 elsewhere --strategy optimal --executions 300000
	wait "$machine"
	expect_eq "exit status of the other program" 2 $? && grep -q "the program behaves differently here: at step [0-9]* of an execution of the other machines it does \"lock\" instead of" "$dir/m2.out" ||
		{ cat "$dir/m2.out"; return 1; }
	echo 0 >"$dir/kind"
	machine m3 elsewhere --strategy optimal --executions 300000
	wait "$first" "$machine"
	expect_eq "results" "300000 300000" "$(json "$dir/m1.json" executions) $(json "$dir/m3.json" executions)" || { cat "$dir"/*.out; return 1; }
	expect_eq "slots" 2 "$(sql probed 'SELECT count(*) FROM simul_search.slot')"
}

# ---- losses ----

# lose PROGRAM EXECUTIONS WHAT...: three machines; WHAT happens at random moments, and a new machine replaces one that is lost
lose() {
	local prog=$1 expected=$2 pids=() i k before
	shift 2
	fresh "lose$1$RANDOM" || return 1
	for i in 1 2 3; do
		machine "m$i" "$prog" --strategy optimal
		pids+=("$machine")
	done
	until_state shared || return 1
	for ((i = 4; i < 8; i++)); do
		sleep "0.$((RANDOM % 8 + 1))"
		[ "$(state 2>/dev/null)" != over ] || break
		k=$((RANDOM % 3))
		case $1 in
		kill)
			kill -KILL "${pids[k]}"
			machine "m$i" "$prog" --strategy optimal
			pids[k]=$machine ;;
		leave)
			kill -INT "${pids[k]}"
			wait "${pids[k]}"
			machine "m$i" "$prog" --strategy optimal
			pids[k]=$machine ;;
		server)
			before=$(executions 2>/dev/null)
			stop_server
			start_server
			echo "executions before the server was killed $before, after $(executions)" ;;

		esac
	done
	until_state over || { tail -n 3 "$dir"/*.out; return 1; }
	wait "${pids[@]}"
	expect_eq "stored executions" "$expected" "$(executions)" || return 1
	# The last machines to run give the verdict.
	grep -h "^simul: complete: every one of $expected traces" "$dir"/m*.out >"$dir/verdicts"
	expect_eq "a verdict" 1 $(($(wc -l <"$dir/verdicts") > 0)) || { tail -n 3 "$dir"/*.out; return 1; }
	! grep -hE "^simul: (complete|bounded)" "$dir"/m*.out | grep -v "every one of $expected traces"
}

# The database is put back to an older state while two machines explore, as one that is restored from a backup, or that loses its last commits in a
# crash. What the machines had built on the lost commits must not be stored.
tables="search past common_page slot slot_page bug"
hold() { # QUERY...: while no machine has a transaction
	local i
	for ((i = 0; i < 100; i++)); do
		kill -STOP -- "-$first" "-$second" || return 2 # the search is over
		sql "$database" "SET lock_timeout = '100ms'; BEGIN; LOCK TABLE simul_search.search, simul_search.slot IN EXCLUSIVE MODE; $1; COMMIT" 2>"$dir/sql.err" && break
		kill -CONT -- "-$first" "-$second"
		sleep 0.05
	done
	kill -CONT -- "-$first" "-$second"
	[ "$i" -lt 100 ] || { cat "$dir/sql.err"; return 1; }
}
until_executions() {
	while [ "$(executions)" -lt "$1" ] && [ "$(state)" = shared ]; do
		sleep 0.02
	done
}
restored() {
	local first second t try status keep="CREATE SCHEMA backup" back="DELETE FROM simul_search.search"
	for t in $tables; do
		keep+="; CREATE TABLE backup.$t AS TABLE simul_search.$t"
		back+="; INSERT INTO simul_search.$t TABLE backup.$t"
	done
	for try in 1 2 3; do
		fresh restored$try || return 1
		machine m1 fib6 --strategy optimal
		first=$machine
		machine m2 fib6 --strategy optimal
		second=$machine
		until_state shared || return 1
		until_executions 8000
		hold "$keep" && until_executions 20000 && echo "executions when it was put back: $(executions)" && hold "$back"
		status=$?
		wait "$first" "$second"
		[ $status = 2 ] || break
	done
	[ $status = 0 ] || return 1
	expect_eq "executions" "73789 73789 73789" "$(executions) $(json "$dir/m1.json" executions) $(json "$dir/m2.json" executions)" || { cat "$dir"/*.out; return 1; }

	# A slot is stored only on top of its own latest commit, and of a commit of the common part that the database has.
	local good bad="gen_random_uuid()"
	sql "$database" "UPDATE simul_search.slot SET token = id, commit_id = id" || return 1
	store() { sql "$database" "SELECT simul_search.store_slot(t.id, t.id, $1, t.id, $2, '{}', '', t.executions, 0, t.executions, NULL, false, true) FROM simul_search.slot t LIMIT 1" 2>&1; }
	good="(SELECT p.commit_id FROM simul_search.past p LIMIT 1)"
	expect_eq "the right commits" "" "$(store t.id "$good")" && store "$bad" "$good" | grep "has lost commits" && store t.id "$bad" | grep "has lost commits"
}

# A machine that stood still longer than its lease has lost its slot. What it stores then is refused, and it begins again.
stopped() {
	local first second
	fresh stopped || return 1
	machine m1 mutex5x2 --strategy optimal
	first=$machine
	machine m2 mutex5x2 --strategy optimal
	second=$machine
	until_state shared || return 1
	sleep 1
	kill -STOP -- "-$second" || return 1
	sleep 12
	kill -CONT -- "-$second"
	wait "$first" "$second"
	expect_eq "executions" "113400 113400 113400" "$(executions) $(json "$dir/m1.json" executions) $(json "$dir/m2.json" executions)" || cat "$dir"/*.out
}

# All machines leave when their time is over; another one continues.
all_leave() {
	local pids=() i
	fresh leave || return 1
	for i in 1 2; do
		machine "m$i" mutex5x2 --strategy optimal --time 1500ms
		pids+=("$machine")
	done
	wait "${pids[@]}"
	expect_eq "verdict of the first" incomplete "$(json "$dir/m1.json" verdict)" || return 1
	expect_eq "slots in use" 0 "$(sql leave 'SELECT count(*) FROM simul_search.slot WHERE token IS NOT NULL')" || return 1
	machine last mutex5x2 --strategy optimal
	wait "$machine"
	expect_eq "result" "complete 113400" "$(json "$dir/last.json" verdict) $(json "$dir/last.json" executions)" || { cat "$dir"/*.out; return 1; }
}

# The same before the search was shared.
first_leaves() {
	fresh first || return 1
	(cd "$dir" && exec "$SIMUL" run --search "$url" --strategy optimal --time 150ms --json a.json -- "$bin/mutex5x2" >a.out 2>&1)
	expect_eq "verdict of the first" incomplete "$(json "$dir/a.json" verdict)" || { cat "$dir/a.out"; return 1; }
	machine last mutex5x2 --strategy optimal
	wait "$machine"
	expect_eq "result" "complete 113400" "$(json "$dir/last.json" verdict) $(json "$dir/last.json" executions)" || { cat "$dir"/*.out; return 1; }
}

# A machine, the one that began included, or the server or both are killed at random moments, or machines leave and join, until there were N losses.
# Every search ends with the exact count.
campaign() {
	local losses=$1 lost=0 round=0 prog expected pids i k n
	while [ "$lost" -lt "$losses" ]; do
		round=$((round + 1))
		[ $((round % 2)) = 0 ] && prog=mutex5x2 expected=113400 || prog=fib6 expected=73789
		fresh "campaign$round" || return 1
		[ $((round % 3)) != 0 ] || sql postgres "ALTER DATABASE campaign$round SET synchronous_commit = off" || return 1
		pids=()
		for ((n = 0; n < 3; n++)); do
			machine "r$round.$n" $prog --strategy optimal
			pids+=("$machine")
		done
		for ((i = 0; i < 60; i++)); do
			sleep "$((RANDOM % 2)).$((RANDOM % 9 + 1))"
			[ "$(state 2>/dev/null)" != over ] || break
			k=$((RANDOM % 3))
			case $((RANDOM % 5)) in
			0 | 1) kill -KILL "${pids[k]}" ;;
			2) kill -INT "${pids[k]}"; wait "${pids[k]}" ;;
			3) stop_server; start_server ;;
			4) stop_server; kill -KILL "${pids[k]}"; start_server ;;
			esac 2>/dev/null
			lost=$((lost + 1))
			kill -0 "${pids[k]}" 2>/dev/null && continue
			machine "r$round.$((n++))" $prog --strategy optimal
			pids[k]=$machine
		done
		until_state over || { tail -n 3 "$dir"/*.out; return 1; }
		wait "${pids[@]}"
		expect_eq "executions of round $round ($prog)" "$expected" "$(executions)" || return 1
		# A machine that was there to the end has the verdict.
		for i in "$dir"/r$round.*.json; do
			[ ! -s "$i" ] || [ "$(json "$i" verdict)" != complete ] || expect_eq "traces of $i" "$expected" "$(json "$i" distinct_traces)" || return 1
		done
		sql postgres "DROP DATABASE campaign$round WITH (FORCE)"
	done
	echo "$lost losses in $round searches"
}

# ---- bugs, discoveries, effects ----

# A bug ends the search of all, and each machine has its recording.
bug_of_three() {
	local pids=() i codes=
	for i in 1 2 3; do
		machine "m$i" transfer --strategy optimal
		pids+=("$machine")
	done
	for i in "${pids[@]}"; do
		wait "$i"
		codes+=" $?"
	done
	expect_eq "exit statuses" " 1 1 1" "$codes" || { cat "$dir"/m?.out; return 1; }
	for i in 1 2 3; do
		simul_run replay -q --trust "$(find "$dir/m$i" -name '*.simul')" >"$dir/replay.out"
		expect_eq "exit status of the replay" 1 $? || return 1
	done
	expect_eq "stored bugs" 1 "$(sql "$database" 'SELECT count(*) FROM simul_search.bug')"
}

one_bug() { fresh bug && bug_of_three; }

# The same while a machine needs a second to read what another one stores: it must see one state of it.
slow_reads() {
	fresh slow || return 1
	machine m0 mutex3x3
	wait "$machine"
	sql slow "ALTER FUNCTION simul_search.slot_pages(uuid) RENAME TO slot_pages_now;
		CREATE FUNCTION simul_search.slot_pages(its_slot uuid) RETURNS TABLE (page bigint, data bytea, pages int) LANGUAGE plpgsql AS \$\$
		BEGIN
			IF EXISTS (SELECT FROM simul_search.bug) THEN PERFORM pg_sleep(1); END IF;
			RETURN QUERY SELECT * FROM simul_search.slot_pages_now(its_slot); END \$\$" || return 1
	bug_of_three
}

# What the program does to files is seen by other processes: one machine explores it, and the others say why they do not.
effects() {
	fresh effects || return 1
	machine m1 touch --strategy optimal
	until_state single || { cat "$dir/m1.out"; return 1; }
	machine m2 touch --strategy optimal
	wait "$machine"
	expect_eq "exit status of the second" 2 $? && grep "another machine explores this program alone: the program" "$dir/m2.out" || { cat "$dir"/m?.out; return 1; }
	wait
	expect_eq "verdict of the first" "complete 2520" "$(json "$dir/m1.json" verdict) $(json "$dir/m1.json" executions)"
}

# ---- seeing and helping ----

# simul work takes part in what others began, with their options, and changes nothing in the counts; simul search shows it.
helped() {
	local first work
	fresh helped || return 1
	simul_run search "$url" >"$dir/none" || return 1
	expect_eq "an empty database" "no search and no night in this database" "$(head -n 1 "$dir/none")" || return 1
	expect_eq "schemas that were made" 0 "$(sql helped "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'simul%'")" || return 1
	SIMUL_TEST_MACHINES=3 machine m1 mutex5x2 --strategy optimal --spurious 1
	first=$machine
	mkdir -p "$dir/elsewhere"
	(cd "$dir/elsewhere" && exec "$SIMUL" work --search "$url" --jobs 2 --idle 2s >"$dir/work.out" 2>&1) &
	work=$!
	until_state shared || return 1
	simul_run search --json "$dir/now.json" "$url" >"$dir/now" || return 1
	wait "$first" "$work"
	expect_eq "exit status of work" 0 $? || { cat "$dir/work.out"; return 1; }
	expect_eq "result" "complete 113400 113400" "$(json "$dir/m1.json" verdict) $(json "$dir/m1.json" executions) $(executions)" || { cat "$dir"/*.out; return 1; }
	expect_eq "slots" 3 "$(sql helped 'SELECT count(*) FROM simul_search.slot')" || { cat "$dir"/*.out; return 1; }
	expect_eq "open tasks are counted" 1 $(($(json "$dir/now.json" searches.0.open_tasks) >= 0)) && grep -E ", [0-9]+ open tasks?, 0 bugs" "$dir/now" &&
		grep -E "^    $(hostname), process $first +[0-9]+ executions " "$dir/now" || { cat "$dir/now"; return 1; }
	grep -x "$bin/mutex5x2" "$dir/now" && expect_eq "explored now" true "$(json "$dir/now.json" searches.0.explored_now)" || { cat "$dir/now"; return 1; }
	simul_run search --json "$dir/after.json" "$url" >"$dir/after" || return 1
	expect_eq "after" "complete 113400 0" "$(json "$dir/after.json" searches.0.state) $(json "$dir/after.json" searches.0.executions) $(json "$dir/after.json" searches.0.bugs)" &&
		grep "complete; begun" "$dir/after" && expect_eq "files that work left" "" "$(ls "$dir/elsewhere")"
}

# A machine says once that executions are too short to be shared, as simul search does. Here the limit decides, not the speed.
too_short() {
	local limit lines
	for limit in 1000 0; do
		fresh too_short_$limit || return 1
		SIMUL_TEST_FINE=$limit machine m$limit mutex5x4 --strategy optimal --time 8s
		wait "$machine"
		lines=$(grep -c "simul: --search: an execution takes .* ms at most, too little to be shared: .* --jobs$" "$dir/m$limit.out")
		expect_eq "lines, limit $limit" $((limit > 0)) "$lines" || { cat "$dir/m$limit.out"; return 1; }
	done
}

# What simul search says of rows that are known: names, ages, open tasks, and whether executions are too short to be shared.
shown() {
	local i
	fresh shown || return 1
	machine m1 mutex3x3
	wait "$machine"
	sql shown "DELETE FROM simul_search.search;
		INSERT INTO simul_search.search (digest, identity, command, to_first_bug, state, open_tasks, used)
			SELECT s, '', convert_to('/,--,' || s || ',', 'UTF8'), false, CASE s WHEN 'warms' THEN 'alone' ELSE 'shared' END, 5, clock_timestamp() - n * interval '1 minute'
			FROM unnest(ARRAY['fine', 'coarse', 'warms']) WITH ORDINALITY AS t(s, n);
		UPDATE simul_search.search SET command = decode(replace(encode(command, 'hex'), '2c', '00'), 'hex');
		INSERT INTO simul_search.slot (search, token, lease, machine, process, executions, rate, best_rate, has_work, stored)
			SELECT s.id, w.token, clock_timestamp() + w.lease, w.machine, w.process, 1000, w.rate, CASE s.digest WHEN 'fine' THEN w.rate * 2 ELSE 4000 END, w.has_work, clock_timestamp()
			FROM simul_search.search s, LATERAL (VALUES (s.id, interval '7 seconds', 'runner1', 4711, 10000, true), (s.id, interval '-20 seconds', 'runner2', 12, 1, true),
				(NULL, interval '0', 'runner3', NULL, 1, true), (NULL, interval '0', 'runner4', 1, 1, false)) AS w(token, lease, machine, process, rate, has_work)
			WHERE s.digest <> 'warms'" 2>"$dir/sql.err" || { cat "$dir/sql.err"; return 1; }
	simul_run search --json "$dir/all.json" "$url" >"$dir/all" || { cat "$dir/all"; return 1; }
	cat "$dir/all"
	expect_eq "searches" "fine coarse warms" "$(for i in 0 1 2; do json "$dir/all.json" searches.$i.program; done | paste -sd' ')" || return 1
	# five planned leaves, and the parts of a lost machine and of one that left
	expect_eq "open tasks" "7 7 null" "$(for i in 0 1 2; do json "$dir/all.json" searches.$i.open_tasks; done | paste -sd' ')" &&
		expect_eq "too fine" "true false false" "$(for i in 0 1 2; do json "$dir/all.json" searches.$i.too_fine; done | paste -sd' ')" &&
		expect_eq "milliseconds of an execution" "0.05 0.25 null" "$(for i in 0 1 2; do json "$dir/all.json" searches.$i.execution_seconds_at_most; done |
			awk '/^[0-9]/ {print $1 * 1000; next} {print}' | paste -sd' ')" &&
		expect_eq "workers" "runner1 4711 runner2 12 runner3 null runner4 1" "$(for i in 0 1 2 3; do json "$dir/all.json" searches.0.workers.$i.machine && json "$dir/all.json" searches.0.workers.$i.process; done | paste -sd' ')" || return 1
	# A lease lasts ten seconds: these were renewed three and thirty seconds ago, or a little earlier.
	expect_eq "ages of leases" "true true null" "$(for i in 0 1 2; do json "$dir/all.json" searches.0.workers.$i.lease_renewed_seconds_ago; done |
		awk 'NR == 1 && $1 >= 3 && $1 < 30 || NR == 2 && $1 >= 30 && $1 < 60 {print "true"; next} {print}' | paste -sd' ')" || return 1
	expect_eq "lines" 1 "$(grep -c "an execution takes 0.05 ms at most, too little to be shared" "$dir/all")" && grep -A 3 -x fine "$dir/all" | grep "too little to be shared" &&
		expect_eq "workers by name" 2 "$(grep -cE '^    runner1, process 4711 +1000 executions  10000/s, explores, lease renewed [0-9]+ s ago, stored [0-9]+ s ago$' "$dir/all")" &&
		expect_eq "lost workers" 2 "$(grep -cE '^    runner2, process 12 +1000 executions  not heard of for [0-9]+ s, its part waits for another machine$' "$dir/all")" || return 1
	# Numbers that JSON does not have.
	sql shown "UPDATE simul_search.slot SET rate = 'Infinity', best_rate = 'NaN'" && simul_run search --json - "$url" >"$dir/odd.json" &&
		expect_eq "rate" null "$(json "$dir/odd.json" searches.0.workers.0.executions_per_second)"
}

# several workers of one machine
with_jobs() {
	fresh jobs || return 1
	SIMUL_TEST_MACHINES=3 machine m1 fib6 --strategy optimal --jobs 3 --executions 20000
	wait "$machine"
	expect_eq "with --executions" "incomplete 20000 20000" "$(json "$dir/m1.json" verdict) $(json "$dir/m1.json" executions) $(executions)" || { cat "$dir/m1.out"; return 1; }
	expect_eq "slots" 3 "$(sql jobs 'SELECT count(*) FROM simul_search.slot')" || return 1
	machine m2 fib6 --strategy optimal --jobs 3
	wait "$machine"
	expect_eq "exit status" 0 $? && expect_eq "result" "complete 73789" "$(json "$dir/m2.json" verdict) $(json "$dir/m2.json" executions)" || { cat "$dir/m2.out"; return 1; }
	expect_eq "processes that are left" "" "$(pgrep -f "work --quiet --search $url")" && expect_eq "files" "m1 m1.json m1.out m2 m2.json m2.out" "$(cd "$dir" && echo m*)"
}

# A bug that a helper may find ends the search of the machine that began, with a recording there. A program that is not here is named.
helped_bug() {
	local first work
	fresh hbug || return 1
	SIMUL_TEST_MACHINES=2 machine m1 transfer --strategy optimal
	first=$machine
	(cd "$dir" && exec "$SIMUL" work --search "$url" --jobs 1 --idle 2s >work.out 2>&1) &
	work=$!
	wait "$first"
	expect_eq "exit status" 1 $? || { cat "$dir"/*.out; return 1; }
	wait "$work"
	expect_eq "exit status of work" 0 $? || { cat "$dir/work.out"; return 1; }
	simul_run replay -q --trust "$(find "$dir/m1" -name '*.simul')" >"$dir/replay.out"
	expect_eq "exit status of the replay" 1 $?
}
cannot_help() {
	local first
	fresh cannot || return 1
	machine m1 mutex5x2 --strategy optimal --keep-going
	first=$machine
	until_state shared || return 1
	sql cannot "UPDATE simul_search.search SET command = '/\\000--\\000/gone5x2\\000'" || return 1
	simul_run work --search "$url" --idle 1s >"$dir/work.out" 2>&1
	expect_eq "exit status" 2 $? && grep "cannot help with /gone5x2: " "$dir/work.out" || { cat "$dir/work.out"; return 1; }
	kill -INT "$first"
	wait "$first"
	simul_run work --search nonsense >"$dir/work.out" 2>&1
	expect_eq "exit status" 2 $? && grep "not the URL of a database" "$dir/work.out"
}

# ---- bad input ----

refused() { # TEXT OPTION...
	local text=$1
	shift
	simul_run run "$@" -- "$bin/mutex3x3" >"$dir/out" 2>&1
	expect_eq "exit status" 2 $? && grep -F -- "$text" "$dir/out" && expect_eq "lines" 1 "$(wc -l <"$dir/out")" && return 0
	cat "$dir/out"
	return 1
}
bad_options() {
	local u=postgresql://boss@127.0.0.1:1/none
	refused "Connection refused" --search "$u" && refused "not the URL of a database" --search nonsense &&
		refused "--search does not support --resume" --search "$u" --resume "$dir/state" &&
		refused "--search does not support another --strategy" --search "$u" --strategy pct &&
		refused "--search does not support --isolation exec" --search "$u" --isolation exec
}

other_layout() {
	fresh other || return 1
	machine m1 mutex3x3
	wait "$machine"
	sql other 'UPDATE simul_search.layout SET version = 99' || return 1
	refused "layout 99" --search "$url"
}

# Whatever stands in the rows: one message, or the right counts; never a crash.
damaged() {
	local i what=(
		"UPDATE simul_search.slot_page SET data = overlay(data PLACING '\\x55' FROM (random() * 4000)::int + 1)"
		"UPDATE simul_search.common_page SET data = overlay(data PLACING '\\x55' FROM (random() * 4000)::int + 1)"
		"UPDATE simul_search.slot_page SET page = page + 1000000 WHERE page > 16"
		"UPDATE simul_search.common_page SET page = -page"
		"DELETE FROM simul_search.slot_page WHERE page = 0"
		"DELETE FROM simul_search.common_page"
		"UPDATE simul_search.search SET identity = '\\x00'"
		"UPDATE simul_search.search SET maps = 'nothing'"
		"UPDATE simul_search.search SET version = 9223372036854775807"
		"UPDATE simul_search.sample SET data = convert_to(repeat('x', 5000000), 'UTF8')"
		"INSERT INTO simul_search.sample SELECT s.id, -n, '\\x00' FROM simul_search.search s, generate_series(1, 100000) n"
		"UPDATE simul_search.search SET maps = repeat('00400000-7fffffffffff rwxp 00000000 00:00 0 /x' || chr(10), 1000)"
		"UPDATE simul_search.search SET reason = chr(27) || '[31mred', state = 'single', owner = id, lease = clock_timestamp() + interval '1 hour'"
		"DELETE FROM simul_search.slot")
	for ((i = 0; i < ${#what[@]}; i++)); do
		fresh "damaged$i" || return 1
		(cd "$dir" && SIMUL_TEST_SHARE_AT_ONCE=1 exec "$SIMUL" run --search "$url" --strategy optimal --time 1s -- "$bin/mutex5x2" >a.out 2>&1)
		sql "damaged$i" "${what[i]}" || return 1
		(cd "$dir" && SIMUL_TEST_SHARE_AT_ONCE=1 within 60 "$SIMUL" run --search "$url" --strategy optimal --time 10s --json b.json -- "$bin/mutex5x2" >b.out 2>&1)
		case $? in
		2) [ "$(wc -l <"$dir/b.out")" -le 2 ] || { echo "${what[i]}"; cat "$dir/b.out"; return 1; } ;;
		0) [ "$(json "$dir/b.json" verdict)" = incomplete ] || expect_eq "executions after ${what[i]}" 113400 "$(json "$dir/b.json" executions)" || return 1 ;;
		*) echo "${what[i]}"; cat "$dir/b.out"; return 1 ;;
		esac
		! grep -q "$(printf '\033')" "$dir/b.out" || { echo "${what[i]}: the terminal gets control characters"; return 1; }
		! grep ': $' "$dir/b.out" || { echo "${what[i]}: no reason"; return 1; }
		echo "${what[i]}: $(tail -n 1 "$dir/b.out")"
	done
}

# The tables refuse counts below zero. A sum below zero is not taken for a huge number, and a slot without pages is not counted.
below_zero() {
	local c
	fresh below || return 1
	machine m1 mutex5x2 --strategy optimal --time 1s
	wait "$machine"
	for c in executions blocked may; do
		sql below "UPDATE simul_search.slot SET $c = -1" 2>&1 | grep "violates check constraint" || return 1
	done
	sql below "UPDATE simul_search.search SET open_tasks = -1" 2>&1 | grep "violates check constraint" || return 1
	sql below "ALTER TABLE simul_search.slot DROP CONSTRAINT slot_executions_check, DROP CONSTRAINT slot_may_check;
		INSERT INTO simul_search.slot (search, executions, may) SELECT id, -5000000, -5000000 FROM simul_search.search" || return 1
	simul_run search --json "$dir/now.json" "$url" >"$dir/now" && expect_eq "executions" 0 "$(json "$dir/now.json" searches.0.executions)" || return 1
	(cd "$dir" && within 60 "$SIMUL" run --search "$url" --strategy optimal --time 2s -- "$bin/mutex5x2" >b.out 2>&1)
	expect_eq "exit status" 2 $? && tail -n 1 "$dir/b.out" | grep -E "the results of other machines could not be read|damaged" || { cat "$dir/b.out"; return 1; }
}

run_case "two machines, mutex(3x3)" same_counts 2 mutex3x3 --strategy optimal
run_case "four machines, fib(4)" same_counts 4 fib4 --strategy optimal
run_case "three machines, lastzero(5)" same_counts 3 lastzero5 --strategy optimal
run_case "two machines, auto" same_verdict
golden() {
	local name=$1 source=$2 defines=$3 sc=$4 prog=golden_${1//[^A-Za-z0-9]/_} n
	[[ $sc =~ ^[0-9]+$ ]] && [ "$sc" -ge 100 ] && [ "$sc" -le 6000 ] && [[ $source == *.c ]] || return 0
	[ "$defines" = - ] && defines=
	for n in 2 8 32; do
		of_many 40 "$name $n" && [ $((n * (sc > 1100))) -lt 32 ] || continue
		# shellcheck disable=SC2086
		[ -x "$bin/$prog" ] || built "$prog" $defines tests/golden/"$source"
		wait
		run_case "$name, $n machines" same_counts "$n" "$prog" --strategy optimal
	done
}
while IFS=$'\t' read -r name source defines sc _; do
	golden "$name" "$source" "$defines" "$sc"
done <tests/golden/golden.tsv
run_case "a bug, all executions" same_counts 2 transfer --strategy optimal
run_case "shared memory that is found late" same_counts 2 late --strategy optimal
run_case "waiting loops with limits" same_counts 2 counts --strategy optimal
run_case "few transactions" few_transactions
run_case "a search that is over" again
wait
run_case "a program that differs" probed
wait
run_case "executions of one machine" exactly 1 5000
run_case "executions of three machines" exactly 3 10000
wait
run_case "executions after losses" exactly_after_losses
wait
run_case "machines killed" lose mutex5x2 113400 kill
wait
run_case "machines that leave" lose fib6 73789 leave
wait
run_case "machine stopped" stopped
wait
run_case "database restored" restored
wait
run_case "all machines leave" all_leave
run_case "the first machine leaves" first_leaves
run_case "one bug ends all" one_bug
run_case "slow reads" slow_reads
run_case "effects" effects
wait
run_case "simul work helps" helped
wait
run_case "what simul search shows" shown
run_case "executions that are too short" too_short
run_case "several workers of one machine" with_jobs
wait
run_case "simul work and a bug" helped_bug
wait
run_case "simul work cannot help" cannot_help
wait
run_case "bad options" bad_options
run_case "another layout" other_layout
run_case "damaged rows" damaged
run_case "counts below zero" below_zero
wait
run_case "server killed" lose mutex5x2 113400 server
wait
! all_cases || run_case "losses" campaign "${MACHINES_KILLS:-200}"
finish
