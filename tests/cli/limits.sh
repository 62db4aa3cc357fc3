# Bugs are reported whatever runs out meanwhile: time, patience, a place to write to. (sourced by tests/cli.sh)

# The replay that should confirm it takes longer than there is time.
slow_replay_time() {
	works 1 "$SIMUL" run --time 1s --output "$dir" -- "$bin/slow_replay" && last_line "unconfirmed failure: assert" && last_line "the time was up"
}
run_case "a bug whose replay takes longer than --time" slow_replay_time

slow_replay_interrupted() {
	timeout -s INT 3.3 "$SIMUL" run --json "$dir/r.json" --output "$dir" -- "$bin/slow_replay" >"$dir/out" 2>"$dir/err" </dev/null
	cat "$dir/out" "$dir/err"
	expect_eq verdict bug "$(json "$dir/r.json" verdict)" && last_line "unconfirmed failure: assert" && last_line "interrupted"
}
run_case "Ctrl-C while a bug is replayed" slow_replay_interrupted
