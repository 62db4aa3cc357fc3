#!/bin/bash
# Every unit test program (built by make from tests/unit/test_*.c).
. "$(dirname "$0")/lib.sh"
suite unit
bin=${UNIT_DIR:-$top/build/tests}
for src in tests/unit/test_*.c; do
	name=$(basename "$src" .c)
	run_case "$name" within "${UNIT_SECONDS:-300}" "$bin/$name"
done
finish
