#!/bin/bash
# Many mutated files from strangers: recordings through every subcommand that reads them, directories of --resume, ELF files. simul neither crashes nor hangs, runs and
# loads nothing else, writes nothing outside, and never says "complete" where there is a bug. CAMPAIGN_SEED=N repeats a campaign, which prints its seed.
. "$(dirname "$0")/lib.sh"
suite campaign
CASE_SECONDS=7200
seed=${CAMPAIGN_SEED:-$RANDOM}
recordings=3000 states=400 elves=400
[ "${SUITE_MODE-}" != full ] || recordings=60 states=40 elves=12

bin=$work/bin
mkdir -p "$bin"
for d in lock_order plain_counter use_after_free dekker; do
	gcc -g -O1 -pthread -o "$bin/$d" demos/$d/prog.c || exit 1
done
gcc -g -O1 -pthread -o "$bin/writers" tests/campaign/writers.c || exit 1
printf '#include <stdio.h>\n__attribute__((constructor)) static void f(void) { fclose(fopen("%s", "w")); }\n' "$work/loaded" >"$bin/evil.c"
gcc -shared -fPIC -o "$bin/evil.so" "$bin/evil.c" || exit 1

# mutated PARTS PART: mutates one of PARTS parts of the recordings, so that cases run in parallel
mutated_recordings() {
	mkdir "$dir/base"
	for d in lock_order plain_counter use_after_free; do
		simul_run run --quiet --time 20s --output "$dir/base" -- "$bin/$d" >/dev/null 2>&1
	done
	simul_run run --quiet --time 20s --model tso --output "$dir/base" -- "$bin/dekker" >/dev/null 2>&1
	[ "$(find "$dir/base" -name '*.simul' | wc -l)" -ge 4 ] || { echo "a bug was not found"; return 1; }
	echo "CAMPAIGN_SEED=$seed"
	python3 tests/campaign/recordings.py $((recordings / 2)) $((seed + $1)) "$SIMUL" "$dir" "$bin/evil.so" "$dir"/base/*.simul || return 1
	[ ! -e "$work/loaded" ] || { echo "a library of the recording's was loaded"; return 1; }
}

# Three searches: one that has not found the bug yet, one that has found it and continues, one that is finished.
mutated_states() {
	local run=(simul_run run --quiet --strategy optimal --memory 16M --max-steps 1000 --no-minimize --output "$dir/base")
	mkdir -p "$dir/base" "$dir/cwd" && cd "$dir/cwd" || return 1 # a search must be resumed in the same directory
	"${run[@]}" --executions 30 --resume "$dir/base/early" -- "$bin/writers" >/dev/null 2>&1
	"${run[@]}" --keep-going --time 1s --resume "$dir/base/going" -- "$bin/writers" >/dev/null 2>&1
	"${run[@]}" --resume "$dir/base/found" -- "$bin/writers" >/dev/null 2>&1
	cd "$top" || return 1
	echo "CAMPAIGN_SEED=$seed"
	python3 tests/campaign/states.py $((states / 2)) $((seed + $1)) "$SIMUL" "$dir" "$bin/writers" "$dir"/base/early "$dir"/base/going "$dir"/base/found
}

# Programs and libraries whose headers, symbols, notes, debug information or unwind tables are damaged.
mutated_elves() {
	mkdir "$dir/base"
	gcc -g -O1 -shared -fPIC -o "$dir/base/libpart.so" tests/campaign/library.c &&
		gcc -g -O1 -pthread -o "$dir/base/user" tests/campaign/user.c -L"$dir/base" -lpart || return 1
	echo "CAMPAIGN_SEED=$seed"
	python3 tests/campaign/elves.py $((elves / 2)) $((seed + $1)) "$SIMUL" "$dir" "$dir/base/user" "$dir/base/libpart.so"
}

for part in 1 2; do
	run_case "mutated programs and libraries, part $part" mutated_elves $part
done
for part in 1 2; do
	run_case "mutated recordings, part $part" mutated_recordings $part
done
for part in 1 2; do
	run_case "mutated states, part $part" mutated_states $part
done
# `make fuzz` builds, and each target processes a few hundred inputs. Not in `make test`: building everything with sanitizers takes minutes.
fuzzing() {
	env -u MAKEFLAGS -u MAKELEVEL make -j2 fuzz FUZZ_SECONDS=60 FUZZ_RUNS=500 >"$dir/out" 2>&1 || { tail -n 40 "$dir/out"; return 1; }
	expect_eq "targets that ran" "$(find tests/fuzz -name 'fuzz_*.c' | wc -l)" "$(grep -c '^ok .* inputs' "$dir/out")"
}
if [ "${SUITE_MODE-}" != full ]; then
	echo 'int main(void) { return 0; }' >"$work/empty.c"
	if clang -fsanitize=address,undefined -o "$work/empty" "$work/empty.c" 2>/dev/null; then
		run_case "make fuzz" fuzzing
	else
		echo "make fuzz: not tested, since there is no clang with sanitizers here"
	fi
fi
finish
