# simul leaves no process, file or shared memory behind, not even after Ctrl-C.

# snapshot: everything that a search could leave behind.
snapshot() { left_in_tmp; ls "$dir"; }

# interrupted SIGNAL TIMES: stops a long search with that signal.
interrupted() {
	local pid status before word=left_behind_$1_$2_$$
	ln -s "$bin/many" "$dir/$word"
	before=$(snapshot)
	# a background job of a script starts with SIGINT ignored
	env --default-signal=INT "$SIMUL" run --time 20 -- "$dir/$word" >"$work/$word.out" 2>&1 </dev/null &
	pid=$!
	sleep 0.7
	for _ in $(seq "$2"); do
		kill -"$1" $pid
		sleep 0.02
	done
	wait $pid
	status=$?
	mv "$work/$word.out" "$work/$word.log"
	cat "$work/$word.log"
	no_processes "/$word" && expect_eq files "$before" "$(snapshot)" || return 1
	[ "$2" = 1 ] || return 0
	expect_eq "exit status" 0 $status &&
		{ tail -n 1 "$work/$word.log" | grep -q "incomplete: interrupted" || { echo "no verdict"; return 1; }; }
}
after_ctrl_c() { interrupted INT 1; }
after_term() { interrupted TERM 1; }
after_two() { interrupted TERM 2; }
orphans() {
	works 0 "$SIMUL" run --executions 3 -- "$bin/many" orphan || return 1
	no_processes "sleep 98765"
}
killed_supervisor() {
	local pid word=left_behind_kill_$$
	ln -s "$bin/many" "$dir/$word"
	"$SIMUL" run -- "$dir/$word" >/dev/null 2>&1 </dev/null &
	pid=$!
	sleep 0.5
	kill -KILL $pid
	wait $pid 2>/dev/null
	no_processes "/$word"
}

for c in after_ctrl_c after_term after_two orphans killed_supervisor; do
	run_case "nothing left: $c" $c
done
