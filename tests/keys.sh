#!/bin/bash
# Keys of thread-specific data: random programs (tests/keys/keys.py) have the outcomes that brute force finds; without the accesses they have not.
. "$(dirname "$0")/lib.sh"
suite keys

# keys SEED COUNT STRATEGY
keys() {
	show_cmd "tests/keys/keys.py $SIMUL $dir $1 $2 $3"
	python3 tests/keys/keys.py "$SIMUL" "$dir" "$1" "$2" "$3"
}

# broken FILE OLD NEW: with OLD replaced by NEW in FILE of the library, some outcomes are not found
broken() {
	local tree=$dir/tree
	mkdir "$tree" && git ls-files -z | grep -zv '^tests/' | xargs -0 cp --parents -t "$tree" 2>/dev/null
	python3 - "$tree/$1" "$2" "$3" <<'PY' || return 1
import sys
text = open(sys.argv[1]).read()
assert text.count(sys.argv[2]) == 1
open(sys.argv[1], "w").write(text.replace(sys.argv[2], sys.argv[3]))
PY
	make -s -C "$tree" -j2 >"$dir/make.log" 2>&1 || { tail "$dir/make.log"; return 1; }
	python3 tests/keys/keys.py "$tree/build/simul" "$dir" 0 20 auto >"$dir/said"
	tail -n 3 "$dir/said"
	grep ', [1-9][0-9]* differ$' "$dir/said" && rm -rf "$tree"
}

CASE_SECONDS=900
programs=50
[ "${SUITE_MODE-}" != full ] || programs=30
[ "${SUITE_MODE-}" != long ] || programs=500
strategies=(auto optimal source exhaustive trust)
for ((i = 0; i < programs; i += 10)); do
	s=${strategies[i / 10 % 5]}
	run_case "random programs from $i, $s" keys $i 10 $s
done
[ "${SUITE_MODE-}" != long ] || run_case "broken: a use does not read the key" broken preload/hooks/hook_key.c '	key_touch(key, MEM_READ, pc);
	if (!is_in_use(key))
		keys[key].missed = true;' ''
finish
