#!/bin/bash
# Store buffers: the result under each memory model, and no extra cost for programs that do not depend on it.
#   tests/weak/table1.tsv   benchmarks from the literature in variants with more or fewer fences: where a bug is found
#   tests/weak/locks/       programs in which synchronisation orders everything: as many executions under each model; the same for those of
#                           tests/litmus and tests/run that have no race
#
#   tests/weak.sh [NAME]    only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
. tests/weak/table.sh
suite weak
CASE_SECONDS=40 # for one search
only=${1-}
table_rows=28 # the suite fails if one is missing
too_many=30000 # executions: the limit of one search, so that the suite ends

# explore MODEL PROGRAM OPTIONS...: the result is in $dir/MODEL.json; prints the bugs
explore() {
	local model=$1 prog=$2 status
	shift 2
	show_cmd "$SIMUL run --model $model $* -- $prog"
	simul_run run --strategy optimal --model "$model" --quiet --executions $too_many --output "$dir/out" --json "$dir/$model.json" "$@" -- "$prog" \
		>"$dir/$model.out" 2>&1
	status=$?
	cat "$dir/$model.out"
	[ $status -le 1 ] || { echo "exit status $status"; return 1; }
	expect_eq model "$model" "$(json "$dir/$model.json" model)"
}

# verdict MODEL EXPECTED PROGRAM OPTIONS...
verdict() {
	local model=$1 want=$2 prog=$3 n
	shift 3
	explore "$model" "$prog" "$@" && expect_eq "$model" "$want" "$(json "$dir/$model.json" verdict)" || return 1
	[ "$want" = bug ] || return 0
	for ((n = $(json "$dir/$model.json" bugs.#) - 1; n >= 0; n--)); do
		expect_eq "$model: bug $n confirmed" true "$(json "$dir/$model.json" bugs.$n.confirmed)" || return 1
		# An assertion fails, or threads wait for each other: after a lost wake-up, or in a spin loop that they entered after reading too early.
		[[ $(json "$dir/$model.json" bugs.$n.kind) =~ ^(assert|deadlock|livelock)$ ]] ||
			{ echo "$model: a bug of kind $(json "$dir/$model.json" bugs.$n.kind)"; return 1; }
	done
}

# row PROGRAM FENCE DEFINES SC TSO PSO COMPILER FLAGS...: checks all three cells, even if one is wrong
row() {
	local program=$1 fence=$2 defines=$3 sc=$4 tso=$5 pso=$6 wrong=0 model
	shift 6
	weak_build "$program" "$fence" "$defines" "$dir/$program" "$@" || return 1
	for model in sc tso pso; do
		# shellcheck disable=SC2046
		verdict $model "${!model}" "$dir/$program" $(weak_options "$program") || wrong=1
	done
	return $wrong
}

# same PROGRAM [MIN] OPTIONS...: the number of executions is the same under each model, and at least MIN
same() {
	local prog=$1 min=$2 model wrong=0
	shift 2
	for model in sc tso pso; do
		explore $model "$prog" --keep-going "$@" || return 1
	done
	[ "$(json "$dir/sc.json" executions)" -ge "$min" ] || { echo "too few executions"; return 1; }
	for model in tso pso; do
		expect_eq "$model: executions" "$(json "$dir/sc.json" executions)" "$(json "$dir/$model.json" executions)" &&
			expect_eq "$model: blocked" "$(json "$dir/sc.json" blocked)" "$(json "$dir/$model.json" blocked)" &&
			expect_eq "$model: events" "$(json "$dir/sc.json" events)" "$(json "$dir/$model.json" events)" &&
			expect_eq "$model: verdict" "$(json "$dir/sc.json" verdict)" "$(json "$dir/$model.json" verdict)" || wrong=1
	done
	return $wrong
}

# compile SOURCE OUT FLAGS...
compile() {
	local source=$1 out=$2 cc=gcc
	shift 2
	[[ $source == *.cc ]] && cc="g++ -std=c++17"
	$cc -D_GNU_SOURCE -Iinclude -g -O1 -pthread "$@" -o "$out" "$source" -ldl -lrt
}

lock_program() { # SOURCE FLAGS...
	compile "$1" "$dir/prog" "${@:2}" || return 1
	same "$dir/prog" 2 --fail-on-race && expect_eq verdict complete "$(json "$dir/sc.json" verdict)"
}

# A program of another suite, not known to be free of races: it is compared only if its search ends without a race.
other_program() { # SOURCE
	compile "$1" "$dir/prog" || return 1
	explore sc "$dir/prog" --keep-going --time 5s || return 1
	[ "$(json "$dir/sc.json" verdict)" != incomplete ] && [ "$(json "$dir/sc.json" races.#)" = 0 ] || return 0
	same "$dir/prog" 1 || return 1
	echo "$1" >>"$work/compared"
}

rows=0
while IFS=$'\t' read -r program fence _ sc tso pso _ _ _ defines _; do
	rows=$((rows + 1))
	name="$program fence $fence"
	[[ $name == *"$only"* ]] || continue
	cell=("$program" "$fence" "$defines" "$sc" "$tso" "$pso")
	of_many 3 "$name" && run_case "$name" row "${cell[@]}" gcc -O1
	of_many 8 "$name tsan" && run_case "$name tsan" row "${cell[@]}" gcc -O1 -fsanitize=thread -Wno-tsan
	# Compilers use different instructions for fences: clang mfence, gcc a locked instruction.
	[ "$fence" = - ] || ! of_many 8 "$name clang" || run_case "$name clang" row "${cell[@]}" clang -O0
done < <(weak_rows)
run_case "the table has all $table_rows rows" expect_eq rows $table_rows $rows

for source in tests/weak/locks/*.c tests/weak/locks/*.cc; do
	name="lock $(basename "${source%.*}")"
	[[ $name == *"$only"* ]] || continue
	run_case "$name" lock_program "$source"
	of_many 3 "$name tsan" && run_case "$name tsan" lock_program "$source" -fsanitize=thread
done

: >"$work/compared"
for source in tests/litmus/*/*.c tests/run/{sync,cxx,barrier}_*.c*; do
	name="same price $(basename "${source%.*}")"
	[[ $source == *.expect || $name != *"$only"* ]] && continue
	of_many 6 "$name" || continue
	grep -qE 'atomic|volatile|__sync_' "$source" || run_case "$name" other_program "$source"
done
wait
enough() { [ "$(wc -l <"$work/compared")" -ge "$([ "${SUITE_MODE-}" = full ] && echo 2 || echo 25)" ] || { echo "only $(wc -l <"$work/compared") programs were compared"; return 1; }; }
[ -n "$only" ] || run_case "enough programs were compared" enough
finish
