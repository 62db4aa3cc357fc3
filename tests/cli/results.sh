# Verdicts, exit codes, JSON and streams.

help_and_version() {
	works 0 "$SIMUL" --version && says "simul " || return 1
	works 0 "$SIMUL" --help && says "simul run -- ./queue_test" || return 1
	for c in $("$SIMUL" --list-commands | grep -vx help); do
		works 0 "$SIMUL" help $c && says "simul $c" && cp "$dir/out" "$dir/$c.help" || return 1
		works 0 "$SIMUL" $c --help && cmp "$dir/out" "$dir/$c.help" || return 1
	done
}
complete() {
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$bin/fine" || return 1
	last_line "simul: complete: every one of 2 traces explored, no bug" || return 1
	says "executions: 2" && says "blocked: 0" && says "cut: 0" && says "isolation: fork" || return 1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" &&
		expect_eq executions 2 "$(json "$dir/r.json" executions)" &&
		expect_eq schema 1 "$(json "$dir/r.json" schema)"
}
# Threads that wait for each other when the process ends.
stuck_at_exit() {
	gcc -g -O1 -pthread -o "$dir/hides" tests/defects/exit_hides_deadlock.c || return 1
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$dir/hides" mutex || return 1
	expect_eq executions 1 "$(json "$dir/r.json" stuck_at_exit.executions)" && expect_eq others false "$(json "$dir/r.json" stuck_at_exit.others)" &&
		expect_eq threads "T0.1 T0.2" "$(json "$dir/r.json" stuck_at_exit.threads.0.thread) $(json "$dir/r.json" stuck_at_exit.threads.1.thread)" &&
		json "$dir/r.json" stuck_at_exit.threads.0.where | grep -q '^exit_hides_deadlock\.c:[0-9]*$' || return 1
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$dir/hides" ordered && expect_eq null null "$(json "$dir/r.json" stuck_at_exit)"
}
json_fields() {
	local k
	works 1 "$SIMUL" run --output "$dir" --json - -- "$bin/deadlock" || return 1
	for k in schema program build_id model strategy isolation isolation_reason rewound page_scan verdict preemptions bound_completed bound_traces reason \
		executions within_bound blocked cut distinct_traces events sampling seconds estimate estimate_low estimate_high peak_memory_kb uncontrolled_processes uncovered_functions stuck_at_exit bugs races \
		bugs.0.kind bugs.0.message bugs.0.where bugs.0.thread bugs.0.execution bugs.0.warm_up bugs.0.bound bugs.0.preemptions \
		bugs.0.confirmed bugs.0.recording; do
		json "$dir/out" $k >/dev/null || { echo "no field $k"; return 1; }
	done
	expect_eq kind deadlock "$(json "$dir/out" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/out" bugs.0.confirmed)" &&
		says "simul: bug found" "$dir/err"
}
bug_found() {
	works 1 "$SIMUL" run --output "$dir" -- "$bin/deadlock" hello || return 1
	last_line "simul: bug found: deadlock" && says "confirmed" && says "argument: hello" &&
		[ -s "$dir/deadlock-1.simul" ]
}
second_run_same_name() {
	works 1 "$SIMUL" run -q --output "$dir" -- "$bin/deadlock" || return 1
	works 1 "$SIMUL" run -q --output "$dir" -- "$bin/deadlock" || return 1
	expect_eq recordings deadlock-1.simul "$(cd "$dir" && echo *.simul)"
}
keep_going() {
	works 1 "$SIMUL" run --keep-going --output "$dir" --json "$dir/r.json" -- "$bin/three_bugs" || return 1
	expect_eq "number of bugs" 3 "$(ls "$dir" | grep -c 'three_bugs-.*simul$')" || return 1
	for k in exit assert crash; do
		says "$k" || return 1
	done
	last_line "the search is complete"
}
quiet() {
	works 0 "$SIMUL" run -q -- "$bin/fine" && expect_eq lines 1 "$(wc -l <"$dir/out")" &&
		expect_eq "on standard error" 0 "$(wc -l <"$dir/err")" || return 1
	works 1 "$SIMUL" run -q --output "$dir" -- "$bin/deadlock" && says "DEADLOCK in" && last_line "simul: bug found" && ! says "executions:" || return 1
	works 1 "$SIMUL" run -q --json "$dir/r.json" --output "$dir" -- "$bin/deadlock" && expect_eq "lines with --json" 1 "$(wc -l <"$dir/out")"
}
# The code-scanning report of a search has each bug with its place and steps, and no result without a bug.
sarif() {
	local line
	works 1 "$SIMUL" run --sarif - --output "$dir" -- "$bin/deadlock" && says "simul: bug found" "$dir/err" || return 1
	expect_eq rule "1 deadlock deadlock 1" "$(json "$dir/out" 'runs.0.results.#') $(json "$dir/out" runs.0.results.0.ruleId) $(json "$dir/out" \
		runs.0.tool.driver.rules.0.id) $(json "$dir/out" runs.0.invocations.0.exitCode)" || return 1
	line=$(json "$dir/out" runs.0.results.0.locations.0.physicalLocation.region.startLine) && sed -n "${line}p" tests/cli/prog/deadlock.c | grep -q lock ||
		{ echo "line $line has no lock"; return 1; }
	[ "$(json "$dir/out" 'runs.0.results.0.codeFlows.0.threadFlows.0.locations.#')" -gt 2 ] || { echo "no steps"; return 1; }
	works 0 "$SIMUL" run --sarif "$dir/none.sarif" -- "$bin/fine" && expect_eq results 0 "$(json "$dir/none.sarif" 'runs.0.results.#')" || return 1
	fails 2 "only one of --json and --sarif" "$SIMUL" run --sarif - --json - -- "$bin/fine" || return 1
	fails 2 "nowhere" "$SIMUL" run --sarif "$dir/nowhere/r" -- "$bin/fine"
}
# For a program run by Python, a note says what is explored; other programs, and --quiet, get no note. The interpreter here is a stand-in named python.
python_note() {
	ln -s "$bin/fine" "$dir/python3" && printf '#!%s -u\n' "$dir/python3" >"$dir/script" && chmod +x "$dir/script" || return 1
	for p in python3 script; do
		works 0 "$SIMUL" run -- "$dir/$p" && says "$dir/$p runs in Python" "$dir/err" && last_line "every one of 2 traces" || return 1
	done
	works 0 "$SIMUL" run -q -- "$dir/script" && works 0 "$SIMUL" run -- "$bin/fine" && ! grep -q Python "$dir/err"
}
budget_executions() {
	works 0 "$SIMUL" run --executions 20 --json "$dir/r.json" -- "$bin/many" || return 1
	expect_eq executions 20 "$(json "$dir/r.json" executions)" && last_line "incomplete: budget of executions" &&
		works 3 "$SIMUL" run --executions 20 --require-complete -- "$bin/many"
}
# The estimate of the remaining work is shown only if some work remains, and only if enough was explored for a range. The text and the JSON have the same numbers.
estimate_shown() {
	local low high whole
	gcc -O1 -g -pthread -DN=3 -DR=3 -o "$dir/mutex" tests/golden/mutex.c || return 1
	works 0 "$SIMUL" run --strategy optimal --executions 168 --json "$dir/r.json" -- "$dir/mutex" || return 1
	says "estimated executions of the whole search: " || return 1
	low=$(json "$dir/r.json" estimate_low) whole=$(json "$dir/r.json" estimate) high=$(json "$dir/r.json" estimate_high)
	[ 168 -le "$low" ] && [ "$low" -lt "$whole" ] && [ "$whole" -lt "$high" ] && [ "$low" -le 1680 ] && [ 1680 -le "$high" ] ||
		{ echo "$low $whole $high"; return 1; }
	works 0 "$SIMUL" run --strategy optimal --executions 12 --json "$dir/r.json" -- "$dir/mutex" &&
		says "estimated executions of the whole search: no end in sight" && expect_eq estimate 0 "$(json "$dir/r.json" estimate)" || return 1
	works 0 "$SIMUL" run --strategy optimal --json "$dir/r.json" -- "$dir/mutex" || return 1
	! says "estimated" >/dev/null || { echo "an estimate of what is known"; return 1; }
	expect_eq estimates "1680 1680 1680" "$(json "$dir/r.json" estimate_low) $(json "$dir/r.json" estimate) $(json "$dir/r.json" estimate_high)"
}
budget_time() {
	works 0 "$SIMUL" run --time 300ms -- "$bin/many" && last_line "time budget used up"
}
# The figures of the report, the summary and JSON agree, wherever a short time ends the search: in the warm-up, after a restart, among samples.
counters_agree() {
	local bin_found t
	gcc -g -O1 -pthread -o "$dir/counters" tests/cli/prog/counters.c || return 1
	for t in 10 30 60 120 250 500 1000; do
		for bin_found in "--keep-going -- $dir/counters" "-- $dir/counters polls" "--keep-going -- $bin/three_bugs"; do
			rm -f "$dir"/*.simul
			show_cmd "$SIMUL" run --time ${t}ms $bin_found
			"$SIMUL" run --time ${t}ms --output "$dir" --json "$dir/r.json" $bin_found >"$dir/out" 2>"$dir/err" </dev/null
			[ -s "$dir/r.json" ] || continue
			python3 - "$dir/r.json" "$dir/out" <<-'PY' || { cat "$dir/out"; return 1; }
				import json, re, sys
				j, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
				done, warm = j["executions"], j["learning_executions"]
				def must(ok, what):
				    if not ok: sys.exit(what)
				must(j["all_executions"] == done + warm, "all_executions")
				must(not done or j["distinct_traces"], "no distinct traces in %d executions" % done)
				must(j["distinct_traces"] >= 1 or not done, "distinct_traces")
				must("at least 0" not in text, "at least 0")
				said = re.search(r"^executions: (\d+)(, and (\d+) of the warm-up)?$", text, re.M)
				must(said and int(said[1]) == done and (not said[3] or int(said[3]) == warm), "executions")
				must(done or not warm or said[3], "no word about the warm-up")
				for n, how in re.findall(r"found in execution (\d+)(.*)", text):
				    must(int(n) <= done or ("warm-up" in how and int(n) <= j["all_executions"]), "execution %s of %d" % (n, done))
			PY
		done
	done
}
# Samples repeat traces. The verdict says how many of the executions fail, and JSON says once whether the traces are all of them.
samples_counted() {
	local strategy
	for strategy in random pct pos surw; do
		works 1 "$SIMUL" run --strategy $strategy --keep-going --executions 200 --output "$dir" --json "$dir/r.json" -- "$bin/deadlock" || return 1
		python3 - "$dir/r.json" "$dir/out" <<-'PY' || { cat "$dir/out"; return 1; }
			import json, re, sys
			j, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
			count, done = j["bugs"][0]["count"], j["executions"]
			if j["distinct_traces"] >= done: sys.exit("no trace was repeated")
			if j["distinct_is_lower_bound"] != j["sampling"]["distinct_is_lower_bound"]: sys.exit("two answers")
			if not re.search(r", %d of %d executions fails? in this way" % (count, done), text): sys.exit("not %d of %d" % (count, done))
		PY
	done
}
# A program that is not deterministic: the verdict says what differed, not the name of the operation twice.
divergence_said() {
	local i
	gcc -g -O1 -pthread -w -o "$dir/diverges" tests/cli/prog/diverges.c || return 1
	for ((i = 0; i < 20; i++)); do
		works 0 "$SIMUL" run --strategy optimal --isolation exec --jobs 1 --time 20s -- "$dir/diverges" || return 1
		grep -q "not deterministic" "$dir/out" || continue
		grep -Eq 'it did "fd-poll" on .* at diverges.c:[0-9]+( with the result [0-9]+)? the first time and "fd-poll" on .* at diverges.c:[0-9]+( with the result [0-9]+)? when' "$dir/out" && return 0
		cat "$dir/out"
		return 1
	done
	echo "never diverged"
	return 1
}
# simul doctor does not list libraries that only simul needs, but those of the program.
own_libraries() {
	works 0 "$SIMUL" doctor --all "$bin/fine" && ! grep "liblzma\|libunwind\|libZydis" "$dir/out" || return 1
	gcc -g -O1 -pthread -Wl,--no-as-needed -o "$dir/lzma" tests/cli/prog/fine.c -l:liblzma.so.5 || return 1
	works 0 "$SIMUL" doctor --all "$dir/lzma" && says "liblzma" && ! grep "libunwind" "$dir/out"
}
# Without --state, stress uses the time that other searches leave: a search begins again if it gets at least twice the time.
stress_time() {
	cp "$bin/many" "$dir" && cp "$bin/fine" "$dir/fine1" && cp "$bin/fine" "$dir/fine2" && cp "$bin/fine" "$dir/fine3" && cd "$dir" || return 1
	works 0 "$SIMUL" stress --time 12s --jobs 1 --json "$dir/r.json" -- ./many ./fine1 ./fine2 ./fine3 || return 1
	python3 -c "
import json, sys
j = json.load(open('$dir/r.json'))
s = {t['name']: t['seconds'] for t in j['tests']}
sys.exit(0 if s['./many'] > 6 else 'only %.1f s of 12' % s['./many'])" || return 1
	cd "$top"
}
# JSON says which bound "bounded" means.
bounded_by() {
	gcc -g -O1 -pthread -o "$dir/counts" tests/defects/wait_counts.c && gcc -g -O1 -pthread -DN=2 -DR=2 -o "$dir/mutex" tests/golden/mutex.c || return 1
	works 0 "$SIMUL" run --jobs 1 --strategy optimal --json "$dir/r.json" -- "$dir/counts" trylock && expect_eq rounds "bounded 1 rounds" \
		"$(json "$dir/r.json" verdict) $(json "$dir/r.json" 'bounded_by.#') $(json "$dir/r.json" bounded_by.0)" || return 1
	works 0 "$SIMUL" run --strategy trust --preemptions 0 --json "$dir/r.json" -- "$dir/mutex" && expect_eq preemptions "bounded 1 preemptions" \
		"$(json "$dir/r.json" verdict) $(json "$dir/r.json" 'bounded_by.#') $(json "$dir/r.json" bounded_by.0)" || return 1
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$bin/fine" && expect_eq none "complete 0" "$(json "$dir/r.json" verdict) $(json "$dir/r.json" 'bounded_by.#')"
}
# The live line fits the terminal, and ends with a whole word. Samples have no depth.
progress_fits() {
	local width strategy line n
	for strategy in auto surw windows; do
		for width in 40 60 80 200; do
			[ $width = 200 ] || [ $strategy = auto ] || continue
			tests/lib/terminal.py $width "$SIMUL" run --strategy $strategy --time 3s -- "$bin/many" >"$dir/out"
			n=0
			while read -r line; do
				((++n, ${#line} < width)) && [[ $line =~ (\ bugs?|/s|\ left|\ in\ sight|\ preemptions?|depth\ [1-9][0-9]*|windows?\ done|of\ [1-9][0-9]*)$ ]] ||
					{ echo "width $width: $line"; return 1; }
			done < <(grep -E '^([0-9]+ .*executions|warm-up to)' "$dir/out")
			[ $n -gt 0 ] || { echo "no line in width $width"; return 1; }
		done
		line=$(grep -E '^[0-9]+ .*executions.* depth ' "$dir/out" | tail -n 1)
		[ $strategy != auto ] || [ -n "$line" ] || { echo "no depth in width 200"; return 1; }
		[ $strategy != windows ] || grep -qE '^[0-9]+ executions.* windows? done' "$dir/out" || { echo "no windows"; return 1; }
		[ $strategy = auto ] || [ -z "$line" ] || { echo "$strategy: $line"; return 1; }
	done
}
# A search without an end in sight gets one line of advice, which fits it. Tests do not wait for the minute.
# Executions that take longer than a second have a rate, too.
slow_rate() {
	gcc -g -O1 -pthread -DROUNDS=50 -o "$dir/slow" tests/windows/slow.c || return 1
	tests/lib/terminal.py 80 "$SIMUL" run --strategy random --executions 2 -- "$dir/slow" >"$dir/out" || return 1
	grep -qE '^1 executions[^,]*, ([1-9][0-9]* s each|([1-9][0-9]*|[0-9]\.[0-9])/s), 0 bugs' "$dir/out" &&
		! grep -E '^[1-9][0-9]* executions[^,]*, 0/s' "$dir/out"
}
advice() {
	local advised="env SIMUL_TEST_ADVICE=300" long patience
	patient_seconds 3
	long=${patience}s
	works 0 $advised "$SIMUL" run --time $long -- "$bin/many" && says "note: no end in sight" "$dir/err" &&
		expect_eq "lines of advice" 1 "$(grep -c "note: " "$dir/err")" || return 1
	says "a test with fewer threads or rounds" "$dir/err" || return 1
	sed 's/i < 20/i < 900/' tests/cli/prog/many.c >"$dir/long.c" && gcc -pthread -o "$dir/long" "$dir/long.c" || return 1
	works 0 $advised "$SIMUL" run --time $long -- "$dir/long" && says "no end in sight, and an execution has" "$dir/err" && says "--no-patch" "$dir/err" || return 1
	works 0 $advised "$SIMUL" run -q --time 1s -- "$bin/many" && ! grep -q "note: " "$dir/err" || { echo "advice in spite of -q"; return 1; }
	works 0 "$SIMUL" run --time 2s -- "$bin/many" && ! grep -q "note: " "$dir/err" || { echo "advice before a minute"; return 1; }
}
cut() {
	works 0 "$SIMUL" run --max-steps 10 --executions 5 -- "$bin/many" && last_line "--max-steps"
}
show_output() {
	works 0 "$SIMUL" run --show-output -- "$bin/fine" a b || return 1
	expect_eq "what it printed" "n = 2, 2 arguments" "$(head -n 1 "$dir/out")" && last_line complete &&
		says "executions: 2"
}
output_kept_away() { works 0 "$SIMUL" run -- "$bin/fine" && ! grep -q "n = 2" "$dir/out" "$dir/err"; }
stdin_pipe() {
	echo "from the pipe" | simul_run run --show-output -- "$bin/fine" >"$dir/out" 2>"$dir/err"
	expect_eq "exit status" 0 $? && says "read: from the pipe"
}
stdin_file() {
	echo "from the file" >"$dir/in"
	simul_run run --show-output -- "$bin/fine" <"$dir/in" >"$dir/out" 2>"$dir/err"
	expect_eq "exit status" 0 $? && says "read: from the file"
}
script() {
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$bin/fine" >"$dir/wrapper" && chmod +x "$dir/wrapper"
	works 0 "$SIMUL" run -- "$dir/wrapper" x && last_line "every one of 2 traces"
}
# A stack that a panic of Rust prints would be explored, and does not replay.
rust_backtrace() {
	printf '#!/bin/sh\necho "backtrace $RUST_BACKTRACE ${RUST_BACKTRACE-none}"\nexec "%s"\n' "$bin/fine" >"$dir/wrapper" && chmod +x "$dir/wrapper" || return 1
	RUST_BACKTRACE=full works 0 "$SIMUL" run --show-output -- "$dir/wrapper" && says "backtrace 0 0" || return 1
	works 0 env -u RUST_BACKTRACE "$SIMUL" run --show-output -- "$dir/wrapper" && says "backtrace  none"
}
found_in_path() { PATH=$bin:$PATH works 0 "$SIMUL" run -- fine && last_line "every one of 2 traces"; }
isolation_exec() { works 0 "$SIMUL" run --isolation exec -- "$bin/fine" && last_line "every one of 2 traces" && says "isolation: exec"; }
hang() {
	works 1 "$SIMUL" run --hang-timeout 300ms --output "$dir" -- "$bin/hang" && last_line "bug found: hang"
}
blank_in_path() {
	mkdir -p "$dir/a b" && cp "$SIMUL" "$(dirname "$SIMUL")"/lib*.so* "$dir/a b/"
	works 0 "$dir/a b/simul" run -- "$bin/fine" && last_line "every one of 2 traces"
}
no_library() {
	cp "$SIMUL" "$dir/simul"
	fails 2 "libsimul.so is neither" "$dir/simul" run -- "$bin/fine"
}

# A watchdog of 10 s: the report explains it, and the recording keeps --patience.
patience() {
	local rec=$dir/watchdog-1.simul
	works 1 "$SIMUL" run --output "$dir" -- "$bin/watchdog" && says "The wait at watchdog.c:" && says "timed out after 10 s of virtual time" &&
		says "simul run --patience 1s" && rm "$rec" || return 1
	works 1 "$SIMUL" run --patience 1s --output "$dir" --json "$dir/r.json" -- "$bin/watchdog" deadlock && last_line "bug found: exit" &&
		says "timeouts of 1 s and more: only when no thread can proceed otherwise (--patience)" &&
		expect_eq patience 1.0 "$(json "$dir/r.json" patience)" || return 1
	grep -q '^patience 1000000000$' "$rec" && works 1 "$SIMUL" replay "$rec" && works 0 "$SIMUL" show "$rec" &&
		says "timeouts of 1 s or more only as a last resort (--patience)" && ! grep -q "of virtual time" "$dir/out" || return 1
	fails 2 "does not support --patience" "$SIMUL" run --patience 1s --preemptions 2 -- "$bin/watchdog" || return 1
	for s in source exhaustive; do
		works 0 "$SIMUL" run --patience 10s --strategy $s -- "$bin/watchdog" && last_line "simul: complete" || return 1
	done
	for s in random pct pos surw; do
		works 0 "$SIMUL" run --patience 1s --strategy $s --executions 50 -- "$bin/watchdog" || return 1
	done
	works 1 "$SIMUL" run --patience 11s --output "$dir" -- "$bin/watchdog" && last_line "bug found: exit"
}

# main returns while threads run: the place where the process ends, threads that never end, and recordings.
unjoined() {
	local rec=$dir/unjoined-1.simul
	for s in optimal trust auto source; do
		works 0 "$SIMUL" run --strategy $s --json "$dir/r.json" -- "$bin/unjoined" && last_line "every one of 6 traces" &&
			expect_eq exit late "$(json "$dir/r.json" exit)" || return 1
	done
	works 0 "$SIMUL" run --strategy optimal --exit any --json "$dir/r.json" -- "$bin/unjoined" && last_line "every one of 84 traces" &&
		says "exits: at any point (--exit any)" && expect_eq exit any "$(json "$dir/r.json" exit)" || return 1
	works 0 "$SIMUL" run --strategy optimal -- "$bin/unjoined" daemon &&
		last_line "simul: complete; threads that looped without end tried up to 2 rounds of their loops: " || return 1
	works 0 "$SIMUL" run --strategy optimal --model tso -- "$bin/unjoined" daemon &&
		last_line "simul: incomplete under TSO: T0.1 was still running long after exit was called; its later steps are not explored" || return 1
	for e in late any; do
		works 1 "$SIMUL" run --exit $e --output "$dir" -- "$bin/unjoined" fails && last_line "bug found: assert" || return 1
		grep -q "^late-exit $([ $e = late ] && echo 1 || echo 0)$" "$rec" && works 1 "$SIMUL" replay "$rec" && last_line "the recorded failure" && rm "$rec" || return 1
	done
}

# Each arrival at a barrier may be the last one: 3 times as many traces, unless no thread uses the serial result.
barrier_serial() {
	local rec=$dir/meeting-1.simul
	works 0 "$SIMUL" run --strategy optimal -- "$bin/meeting" && last_line "every one of 18 traces" || return 1
	for s in optimal source auto; do
		works 0 "$SIMUL" run --strategy $s --barrier-serial first --json "$dir/r.json" -- "$bin/meeting" serial && last_line "every one of 6 traces" &&
			says "(--barrier-serial first)" && expect_eq barrier_serial first "$(json "$dir/r.json" barrier_serial)" || return 1
	done
	works 0 "$SIMUL" run --strategy optimal --barrier-serial first --model tso -- "$bin/meeting" serial && last_line "every one of 6 traces" || return 1
	works 1 "$SIMUL" run --barrier-serial last --output "$dir" -- "$bin/meeting" serial && last_line "bug found: exit" &&
		works 1 "$SIMUL" replay "$rec" && last_line "the recorded failure" || return 1
	fails 2 "does not support --barrier-serial first" "$SIMUL" run --barrier-serial first --strategy trust -- "$bin/meeting"
}

# The number of a bug's execution agrees with the counters. Warm-up executions are counted separately.
execution_numbers() {
	local k all warm
	for k in "--strategy optimal --keep-going" "--strategy optimal" "--strategy source --no-minimize" "--keep-going --jobs 2" "--strategy random --executions 40"; do
		works 1 "$SIMUL" run $k --output "$dir" --json "$dir/r.json" -- "$bin/counted_twice" || return 1
		warm=$(json "$dir/r.json" bugs.0.warm_up)
		all=executions
		[ "$warm" = true ] && all=learning_executions
		[ "$(json "$dir/r.json" bugs.0.execution)" -le "$(json "$dir/r.json" $all)" ] || { echo "$k: the number exceeds $all"; return 1; }
		case $k in
		*optimal\ --keep*)
			expect_eq "in the warm-up" true "$warm" && says "(execution $(json "$dir/r.json" bugs.0.execution) of the warm-up, confirmed)" &&
				says "warm-up executions to find shared memory, counted apart: $(json "$dir/r.json" learning_executions)" || return 1 ;;
		*random*)
			expect_eq "in the warm-up" false "$warm" && says "(execution $(json "$dir/r.json" bugs.0.execution), confirmed)" || return 1 ;;
		esac
		rm "$dir"/*.simul
	done
}

for c in help_and_version complete stuck_at_exit json_fields bug_found second_run_same_name keep_going execution_numbers quiet sarif python_note \
	budget_executions estimate_shown counters_agree samples_counted divergence_said own_libraries stress_time bounded_by progress_fits slow_rate budget_time advice cut show_output output_kept_away stdin_pipe stdin_file script rust_backtrace found_in_path \
	isolation_exec hang blank_in_path no_library patience unjoined barrier_serial; do
	run_case "results: $c" $c
done
