#!/bin/bash
# Every unit test program (built by make from tests/unit/test_*.c). FILTER may name a program, or tests in it.
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
finish
