#!/bin/bash
# Unit tests: each piece by itself, and the strategies against brute force on random programs. make builds the programs from
# tests/unit/test_*.c. FILTER may name a program, or tests in it.
. "$(dirname "$0")/lib.sh"
suite unit
bin=${UNIT_DIR:-$top/build/tests}
text=$FILTER
for src in tests/unit/test_*.c; do
	name=$(basename "$src" .c)
	if [[ "unit $name" == *"$text"* ]]; then
		FILTER= run_case "$name" within "${UNIT_SECONDS:-300}" "$bin/$name"
	elif grep -qE "^static void \w*$text\w*\(void \*\*" "$src"; then
		FILTER= run_case "$name: $text" env FILTER="$text" "$bin/$name"
	fi
done
FILTER=$text
# Broken variants of rounds: outcomes of the random programs are lost.
broken_rounds() { # FROM TO
	broken_build sched/rounds_writes.c "$1" "$2" && cp -a tests "$dir/tree/" && make -C "$dir/tree" build/tests/test_rounds || return 1
	if FILTER= "$dir/tree/build/tests/test_rounds" >"$dir/said" 2>&1; then
		echo "the random programs did not detect it"
		return 1
	fi
	grep 'outcomes lost' "$dir/said" && rm -rf "$dir/tree"
}
if all_cases; then
	run_case "broken: nobody notices a write in a round" broken_rounds '		if (!r || w->live' '		if (1 || w->live'
	run_case "broken: each write counts as undone" broken_rounds '	return before == after;' '	return before == after || true;'
fi
finish
