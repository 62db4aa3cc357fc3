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
# Broken variants: a program with random programs says SAID.
broken() { # SOURCE PROGRAM TEST SAID FROM TO
	broken_build "$1" "$5" "$6" && cp -a tests "$dir/tree/" && make -C "$dir/tree" "build/tests/$2" || return 1
	if FILTER=$3 "$dir/tree/build/tests/$2" >"$dir/said" 2>&1; then
		echo "the random programs did not detect it"
		return 1
	fi
	grep "$4" "$dir/said" && rm -rf "$dir/tree"
}
if all_cases; then
	run_case "broken: nobody notices a write in a round" broken sched/rounds_writes.c test_rounds "" 'outcomes lost' '		if (!r || w->live' '		if (1 || w->live'
	run_case "broken: each write counts as undone" broken sched/rounds_writes.c test_rounds "" 'outcomes lost' '	return before == after;' '	return before == after || true;'
	run_case "broken: workers do not know what a section did" broken explore/shared/work_giving.c test_explore_jobs sections_as_steps 'lost [1-9]' \
		'	uint32_t n = node_at(s, i)->foot_n;' '	uint32_t n = 0;'
fi
finish
