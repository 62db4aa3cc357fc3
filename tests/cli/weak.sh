# Store buffers: options, verdicts, and stores that reach memory late in recordings, replays and reports.

bad_model() { fails 2 "--model arm: expected one of sc, tso, pso" "$SIMUL" run --model arm -- "$bin/fine"; }
robustness_and_sc() {
	fails 2 "--robustness reports executions that are not sequentially consistent, and --model sc allows none" \
		"$SIMUL" run --robustness -- "$bin/fine" &&
		fails 2 "add --model tso or --model pso" "$SIMUL" run --model sc --robustness -- "$bin/fine"
}
model_help() {
	works 0 "$SIMUL" run --help && says "--model sc|tso|pso" && says "--robustness" &&
		says "does not happen on an x86 processor"
}
# A program without races behaves the same, and the verdict names the model.
model_in_verdict() {
	local m
	for m in tso pso; do
		works 0 "$SIMUL" run --model $m --json "$dir/r.json" -- "$bin/fine" || return 1
		last_line "simul: complete under ${m^^}: every one of 2 traces explored, no bug (" &&
			expect_eq model $m "$(json "$dir/r.json" model)" &&
			expect_eq verdict complete "$(json "$dir/r.json" verdict)" || return 1
	done
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$bin/fine" && expect_eq model sc "$(json "$dir/r.json" model)" || return 1
	if grep -q under "$dir/out"; then echo "a model was named"; return 1; fi
	works 0 "$SIMUL" run --model tso --executions 1 -- "$bin/fine" && last_line "simul: incomplete under TSO: budget"
}
robust_program() {
	works 0 "$SIMUL" run --model tso --robustness -- "$bin/fine" &&
		last_line "traces explored, no bug, and all are sequentially consistent ("
}
nothing_seen() {
	works 0 "$SIMUL" run --model tso --no-patch --json "$dir/r.json" -- "$bin/store_buffer" || return 1
	last_line "complete under TSO for library-level operations (--no-patch: memory accesses are not seen; so store buffers have no effect): " &&
		json "$dir/r.json" reason | grep -qF "so store buffers have no effect" || return 1
	works 0 "$SIMUL" run --no-patch -- "$bin/store_buffer" || return 1
	if grep -q "store buffers" "$dir/out"; then echo "there are none"; return 1; fi
}
not_with_sc() {
	works 0 "$SIMUL" run -- "$bin/store_buffer" && last_line "simul: complete: every one of 3 traces explored, no bug" &&
		works 0 "$SIMUL" run -- "$bin/message" && last_line "simul: complete: every one of" &&
		works 0 "$SIMUL" run --model tso -- "$bin/store_buffer" fenced && last_line "simul: complete under TSO: " &&
		works 0 "$SIMUL" run --model tso -- "$bin/message" && last_line "simul: complete under TSO: "
}
store_buffering() {
	works 1 env COLUMNS=160 "$SIMUL" run --model tso --output "$dir" --json "$dir/r.json" -- "$bin/store_buffer" || return 1
	last_line "simul: bug found under TSO: assert at store_buffer.c:" && says "memory model TSO" &&
		says "store x = 1 → buffer" && says "y = 1 reaches memory (step " && says "only its own thread sees the store" || return 1
	grep -Eq "'s store to [xy] \(store_buffer.c:[0-9]+, step [0-9]+\)" "$dir/out" ||
		{ echo "the store that came late is not named"; return 1; }
	expect_eq model tso "$(json "$dir/r.json" model)" && expect_eq kind assert "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" || return 1
	works 1 "$SIMUL" replay --times 50 "$dir/store_buffer-1.simul" && last_line "50 of 50 times" || return 1
	works 1 "$SIMUL" run -q --model tso --threads kernel --output "$dir" -- "$bin/store_buffer" && last_line "under TSO: assert"
}
keeps_going() {
	works 1 "$SIMUL" run --model tso --keep-going --output "$dir" --json "$dir/r.json" -- "$bin/store_buffer" || return 1
	last_line "; the search is complete under TSO" && says "bugs: 1"
}
# The program is not robust, though nothing fails.
robustness() {
	gcc -g -O1 -DNDEBUG -Wno-unused-but-set-variable -pthread -o "$dir/prog" tests/cli/prog/store_buffer.c || return 1
	works 0 "$SIMUL" run --model tso -- "$dir/prog" && last_line "simul: complete under TSO: " || return 1
	works 1 "$SIMUL" run --model tso --robustness --output "$dir" --json "$dir/r.json" -- "$dir/prog" || return 1
	last_line "simul: bug found under TSO: robustness at store_buffer.c:" && says "NOT ROBUST" &&
		expect_eq kind robustness "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" || return 1
	grep -q '^robustness 1$' "$dir/prog-1.simul" || { echo "the recording does not say so"; return 1; }
	works 1 "$SIMUL" replay --times 5 "$dir/prog-1.simul" && last_line "5 of 5 times" || return 1
	works 0 "$SIMUL" run --model tso --robustness -- "$dir/prog" fenced && last_line "all are sequentially consistent"
}
# How a recording and `simul show --json` represent stores.
weak_recording() {
	local i kind n stores=0 updates=0
	works 1 "$SIMUL" run -q --model tso --output "$dir" -- "$bin/store_buffer" || return 1
	grep -q '^model "tso"$' "$dir/store_buffer-1.simul" && grep -Eq '^[0-9]+ T0\.1~ +- +update ' "$dir/store_buffer-1.simul" ||
		{ echo "no update was recorded"; return 1; }
	works 0 "$SIMUL" show --json "$dir/store_buffer-1.simul" && expect_eq model tso "$(json "$dir/out" options.model)" || return 1
	for ((i = 0; ; i++)); do
		kind=$(json "$dir/out" schedule.$i.event 2>/dev/null) || break
		[ "$(json "$dir/out" schedule.$i.buffered 2>/dev/null)" = true ] && stores=$((stores + 1))
		[ "$kind" = update ] || continue
		n=$(json "$dir/out" schedule.$i.update_of) && updates=$((updates + 1)) || return 1
		expect_eq "event of step $n" store "$(json "$dir/out" schedule.$((n - 1)).event)" &&
			expect_eq thread "$(json "$dir/out" schedule.$((n - 1)).thread)" "$(json "$dir/out" schedule.$i.thread)" || return 1
	done
	[ "$stores" -ge 2 ] && expect_eq "updates and stores" "$stores" "$updates"
}
# Machine code does not show which stores are releases, so a reordering is only hypothetical; the compiler's instrumentation shows them.
message_passing() {
	works 1 "$SIMUL" run --model pso --output "$dir" -- "$bin/message" || return 1
	last_line "simul: bug found under PSO: assert at message.c:" && says "--model tso explores what it does" && says "data" || return 1
	works 1 "$SIMUL" replay --times 20 "$dir/message-1.simul" && last_line "20 of 20 times" || return 1
	grep -Eq ' T0\.1~[0-9a-f]+ ' "$dir/message-1.simul" || { echo "no agent of PSO was recorded"; return 1; }
	gcc -g -O1 -fsanitize=thread -pthread -o "$dir/relaxed" tests/cli/prog/message.c &&
		gcc -g -O1 -fsanitize=thread -DORDER=memory_order_release -pthread -o "$dir/release" tests/cli/prog/message.c || return 1
	works 1 "$SIMUL" run --model pso --output "$dir" -- "$dir/relaxed" && last_line "simul: bug found under PSO: assert" || return 1
	if grep -qF -- "--model tso explores what it does" "$dir/out"; then echo "the memory orders of this program are known"; return 1; fi
	works 0 "$SIMUL" run --model pso -- "$dir/release" && last_line "simul: complete under PSO: "
}
# A program that writes into simul's memory neither crashes simul nor makes the search look free of failures.
damaged_stores() {
	local what
	gcc -g -O1 -D_GNU_SOURCE -Wall -I. -pthread -o "$dir/prog" tests/cli/with_headers/overwrites.c || return 1
	for what in 0 1 2 3 4 5 6 7 8; do
		works 0 "$SIMUL" run -q --model tso --time 10s --output "$dir" -- "$dir/prog" $what &&
			says "cannot record a failure: the program overwrote simul's memory (" "$dir/err" &&
			last_line "could not be recorded because the program overwrote simul's memory, no other bug found so far" || return 1
	done
	[ -z "$(ls "$dir"/*.simul 2>/dev/null)" ] || { echo "something was recorded"; return 1; }
}
# A recording of version 2 of the format, which has no line "robustness", replays.
old_recording() {
	works 1 "$SIMUL" run -q --output "$dir" -- "$bin/counter" || return 1
	head -c -21 "$dir/counter-1.simul" | sed -e '1s/[0-9]*$/2/' -e '/^robustness/d' >"$dir/two.simul"
	python3 - "$dir/two.simul" <<'EOF' || return 77
import sys
h = 0xcbf29ce484222325
for c in open(sys.argv[1], "rb").read():
    h = (h ^ c) * 0x100000001b3 & (1 << 64) - 1
open(sys.argv[1], "a").write("end %016x\n" % h)
EOF
	works 1 "$SIMUL" replay "$dir/two.simul" && last_line "1 of 1 time"
}
newer_recording() {
	works 1 "$SIMUL" run -q --output "$dir" -- "$bin/counter" || return 1
	sed -i '1s/.*/simul recording 99/' "$dir/counter-1.simul"
	fails 2 "was written by a newer simul" "$SIMUL" replay "$dir/counter-1.simul"
}

for c in bad_model robustness_and_sc model_help model_in_verdict robust_program nothing_seen not_with_sc store_buffering \
	keeps_going robustness weak_recording message_passing damaged_stores old_recording newer_recording; do
	run_case "weak: $c" $c
done
