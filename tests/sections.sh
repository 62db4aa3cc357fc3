#!/bin/bash
# --sections: programs with critical sections have as many classes as an independent enumerator found (tests/sections/sections.tsv, column
# leaf_blocks), and without the option as many traces as before (maz_sc). Deadlocks are found both ways. What is refused.
#
#   tests/sections.sh [NAME]   only the rows whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite sections

bin=$work/bin
mkdir -p "$bin"

# built PROGRAM "SOURCE OPTION..." COMMAND...
built() {
	local source=${2%% *} options
	read -ra options <<<"${2#"$source"}"
	gcc -O1 -g -pthread -Wall -Wextra -Wno-unused-parameter -Itests/golden "${options[@]}" -o "$1" "tests/sections/$source.c" && "${@:3}"
}

# count EXPECTED PROGRAM OPTIONS...: also with another order of threads
count() {
	local expected=$1 prog=$2 shuffle
	shift 2
	for shuffle in 0 7; do
		show_cmd "$SIMUL run --keep-going --strategy optimal --shuffle $shuffle $* -- $prog"
		simul_run run --keep-going --quiet --strategy optimal --jobs 1 --shuffle $shuffle --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog"
		expect_eq "distinct traces" "$expected" "$(json "$dir/r.json" distinct_traces)" &&
			expect_eq executions "$expected" "$(json "$dir/r.json" executions)" || return 1
	done
}

# both TRACES CLASSES VERDICT PROGRAM: the verdict is the same both ways
both() {
	count "$1" "$4" && expect_eq verdict "$3" "$(json "$dir/r.json" verdict)" &&
		expect_eq equivalence traces "$(json "$dir/r.json" equivalence)" &&
		count "$2" "$4" --sections && expect_eq verdict "$3" "$(json "$dir/r.json" verdict)" &&
		expect_eq equivalence sections "$(json "$dir/r.json" equivalence)" && expect_eq classes "$2" "$(json "$dir/r.json" classes)"
}

# says PROGRAM TEXT: the verdict names what is not counted
says() {
	simul_run run --sections --output "$dir/out" -- "$1" >"$dir/out.txt" 2>&1
	grep -q -e "$2" "$dir/out.txt" || { cat "$dir/out.txt"; return 1; }
}

# refused TEXT OPTIONS...
refused() {
	local text=$1 status
	shift
	show_cmd "$SIMUL run $* -- /bin/true"
	simul_run run "$@" -- /bin/true 2>"$dir/refused"
	status=$?
	expect_eq "exit status" 2 $status && grep -q -e "$text" "$dir/refused"
}

rows=0
while IFS=$'\t' read -r name traces classes verdict source; do
	[ "$name" != name ] || continue
	rows=$((rows + 1))
	[[ $name == *"${1-}"* ]] && run_case "$name" built "$bin/$name" "$source" both "$traces" "$classes" "$verdict" "$bin/$name"
done <tests/sections/sections.tsv
run_case "the table has rows" test "$rows" -ge 12
run_case "the verdict" built "$bin/verdict" "readmap -DREADERS=3 -DWRITERS=1" says "$bin/verdict" \
	"complete: every one of 8 classes explored (order of sections that share no data not counted), no bug"
run_case "not with bounds" refused "does not support --preemptions" --sections --preemptions 1
run_case "not with trust" refused "another --strategy" --sections --strategy trust
run_case "not with store buffers" refused "another --model" --sections --model tso
run_case "not with races as bugs" refused "does not support --fail-on-race" --sections --fail-on-race
run_case "not with a saved search" refused "does not support --resume" --sections --resume "$work/state"
finish
