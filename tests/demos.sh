#!/bin/bash
# Every demo: its bug is found, in the right place, and its recording replays. DEMO_REPLAYS=1000 for the long version.
# FILTER=TEXT: only the demos whose name contains TEXT.
cd "$(dirname "$0")/.." || exit 1
names=()
for d in demos/*/prog.c*; do
	name=$(basename "$(dirname "$d")")
	[ -n "${FILTER-}" ] && [[ "demos $name" == *"$FILTER"* ]] && names+=("$name")
done
[ -n "${FILTER-}" ] && [ ${#names[@]} = 0 ] && { echo "0 passed, 0 failed"; exit 0; }
exec demos/run.sh --quiet --replays "${DEMO_REPLAYS:-5}" "${names[@]}"
