# --robustness: executions that are not sequentially consistent.

line_of() { grep -n -- "$1" tests/cli/prog/robust.c | head -n 1 | cut -d: -f1; }

# robust_as MODEL WHAT: every execution is sequentially consistent; not_robust MODEL WHAT: at least one is not.
robust_as() {
	works 0 "$SIMUL" run --model "$1" --robustness --output "$dir" -- "$bin/robust" "$2" &&
		last_line "simul: complete under ${1^^}: " && last_line "sequentially consistent ("
}
not_robust() {
	works 1 "$SIMUL" run --model "$1" --robustness --output "$dir" --json "$dir/r.json" -- "$bin/robust" "$2" &&
		last_line "simul: bug found under ${1^^}: robustness at robust.c:" && last_line ", confirmed)" &&
		says "NOT ROBUST in " && says "this execution is impossible under sequential consistency" &&
		expect_eq kind robustness "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}

robust_store_buffering() {
	local a b
	a=robust.c:$(line_of "left stores")
	b=robust.c:$(line_of "left loads")
	not_robust tso sb && says "between $a and $b, in T0.1" || return 1
	grep -Eq "^    T0\.1  step +[0-9]+  store x +$a +first in the program" "$dir/out" || { echo "no store"; return 1; }
	says "first in the program, but in memory only at step" || return 1
	grep -Eq "^    T0\.1  step +[0-9]+  load y +$b +did not see T0\.2's store" "$dir/out" || { echo "no load"; return 1; }
	not_robust pso sb
}
robust_with_fences() {
	robust_as tso fenced && robust_as pso fenced && not_robust tso half
}
# Threads that run the same code need one fence; equal cycles count as one bug.
robust_same_code() {
	not_robust tso same && grep -qE ", in T0\.(1, T0\.2|2, T0\.1)" "$dir/out" || { echo "both threads are to be named"; return 1; }
	works 1 "$SIMUL" run --model tso --robustness --keep-going --output "$dir" -- "$bin/robust" same &&
		says "bugs: 1" && last_line "the search is complete under TSO"
}
robust_message() {
	robust_as tso message && not_robust pso message && says "release fence is enough"
}
# Without a fence a thread sees a flag late, but it does see it: iterations of a waiting loop are not part of a trace.
robust_waiting() { robust_as tso waits && robust_as pso waits; }
robust_two_bugs() {
	works 1 "$SIMUL" run --model tso --robustness --keep-going --output "$dir" --json "$dir/r.json" -- "$bin/robust" two || return 1
	last_line "the search is complete under TSO" && json "$dir/r.json" bugs.1.kind >/dev/null ||
		{ echo "there are two cycles"; return 1; }
}
# An execution that also fails is reported as that failure.
robust_own_bug() {
	works 1 "$SIMUL" run --model tso --robustness --output "$dir" -- "$bin/store_buffer" &&
		last_line "simul: bug found under TSO: assert at store_buffer.c:"
}
robust_not_asked() { works 0 "$SIMUL" run --model tso -- "$bin/robust" sb && last_line "no bug ("; }
robust_recording() {
	local f=$dir/robust-1.simul
	not_robust tso sb && works 1 "$SIMUL" replay --times 20 "$f" && last_line "20 of 20 times" || return 1
	grep -q '^robustness 1$' "$f" && expect_eq "steps of the cycle" 4 "$(grep -c '^cycle ' "$f")" || return 1
	works 0 "$SIMUL" show "$f" && says "Each of these steps comes before the next one" && says "between robust.c:" || return 1
	works 0 "$SIMUL" show --json "$f" && expect_eq "first step" delayed "$(json "$dir/out" failure.cycle.0.next)" &&
		expect_eq "second step" before "$(json "$dir/out" failure.cycle.1.next)" &&
		expect_eq kind robustness "$(json "$dir/out" failure.kind)"
}
robust_everywhere() {
	local o
	for o in "--isolation exec" "--threads kernel" "--strategy source" "--strategy exhaustive" "--strategy random --executions 200"; do
		# shellcheck disable=SC2086
		works 1 "$SIMUL" run -q --model tso --robustness $o --output "$dir" -- "$bin/robust" sb &&
			last_line "simul: bug found under TSO: robustness at" || return 1
	done
}

# A program is robust exactly if store buffers add no trace. (A failure in an added trace is a separate bug.)
traces() {
	within 100 "$SIMUL" run -q "$@" >"$dir/out" 2>&1
	[ $? -le 1 ] || { cat "$dir/out"; return 1; }
	json "$dir/r.json" distinct_traces
}
robust_or_more_traces() {
	local p=$1 sc n
	gcc -g -O1 -pthread -o "$dir/p" "tests/litmus/$p/$p.c" || return 1
	sc=$(traces --keep-going --json "$dir/r.json" --output "$dir" -- "$dir/p") || return 1
	for m in tso pso; do
		n=$(traces --model $m --robustness --keep-going --json "$dir/r.json" --output "$dir" -- "$dir/p") || return 1
		expect_eq "verdict of $p under $m ($n traces, $sc without)" "$([ "$n" = "$sc" ] && echo complete || echo bug)" \
			"$(json "$dir/r.json" verdict)" || return 1
	done
}

for c in robust_store_buffering robust_with_fences robust_same_code robust_message robust_waiting robust_two_bugs robust_own_bug \
	robust_not_asked robust_recording robust_everywhere; do
	run_case "robust: $c" $c
done
for c in weak_2_2w weak_cowr weak_half weak_latest weak_mp weak_mp_relfence weak_mp_sfence weak_n5 weak_n6 weak_overlap weak_r \
	weak_s weak_sb3 weak_sb_fence1 weak_sb_fence2 weak_sb_rfi weak_sb_section weak_sb_twice weak_spin weak_spin_own; do
	of_many 4 "robust: $c" && run_case "robust: $c" robust_or_more_traces $c
done
