#!/bin/bash
# Random native programs with flags in stack frames, thread-local storage and on the heap that become shared late: simul finds what
# brute force finds, and the flag's value does not matter (tests/late/late.py). Broken variants of the library do not.
#
#   LATE_PROGRAMS=N tests/late.sh   N programs under each memory model (default 600), RANDOM_PERCENT of them
. "$(dirname "$0")/lib.sh"
suite late
CASE_SECONDS=600

programs=$((${LATE_PROGRAMS:-600} * ${RANDOM_PERCENT:-100} / 100))
batch=20
[ $programs -ge $batch ] || batch=$((programs > 2 ? programs / 3 : 1))

compare() { # SEED MODEL FLAGS PROGRAMS
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 tests/late/late.py --seed "$1" --model "$2" --flags="$3" --programs "$4" --dir "$dir"
}

# A library with one line of FILE replaced must be found out, by program N of SEED.
broken() { # FILE FROM TO SEED N
	local tree=$dir/tree
	mkdir -p "$tree" || return 1
	cp -a Makefile base cli completion explore include preload recorder replay sched "$tree/" || return 1
	[ ! -e config.mak ] || cp -a config.mak "$tree/"
	mkdir -p "$tree/build" && cp -a build/obj build/simul build/lib*.so* "$tree/build/" || return 1
	grep -qF -- "$2" "$tree/$1" || { echo "$1 has no line with '$2'"; return 1; }
	python3 - "$tree/$1" "$2" "$3" <<-'END' || return 1
		import sys
		path, old, new = sys.argv[1:]
		text = open(path).read()
		assert text.count(old) == 1, "not one place"
		open(path, "w").write(text.replace(old, new))
	END
	make -C "$tree" build/libsimul.so || return 1
	if SIMUL=$tree/build/simul timeout $CASE_SECONDS python3 tests/late/late.py --seed "$4" --programs $(($5 + 1)) --only "$5" --dir "$dir" >"$dir/out" 2>&1; then
		echo "a broken library was not found out"
		return 1
	fi
	grep ', 1 differ$' "$dir/out" && rm -rf "$tree"
}

seed=${SEED:-0}
flags=(-O1 -O2 "-O0" "-O1 -fstack-protector-all")
for model in sc tso pso; do
	for ((left = programs; left > 0; left -= batch)); do
		f=${flags[seed % ${#flags[@]}]}
		run_case "$model, seed $((++seed)), $f" compare $seed $model "$f" $((left < batch ? left : batch))
	done
done
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: shared bytes of the stack count as zeros" \
		broken preload/memory/spin_state.c 'return mix(mix(h, w), shared);' 'return mix(h, w);' 2 0
	run_case "broken: what others write to the stack is not noticed" \
		broken preload/memory/spin.c '== s->stack.hash)' '!= 0)' 5 5
fi
finish
