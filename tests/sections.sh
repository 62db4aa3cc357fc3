#!/bin/bash
# --sections: programs have as many classes as an independent enumerator found (tests/sections/sections.tsv, column leaf_blocks), and
# without the option as many traces as before (maz_sc, maz_tso). Column now differs from leaf_blocks where simul opens more sections than the
# enumerator does; it lies between leaf_blocks and maz_sc. The programs of the golden table that are not in this one have as many classes as
# traces. Sections that share what no access shows are no steps (opaque.c): their bugs are found both ways. Deadlocks are found both ways. Where no section may be a step,
# the search is plain; it begins again with steps where one is met. Several workers find the same as one. The share of blocked executions is printed, and is at most 5 %. What is refused.
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
		[[ " $* " != *" --sections "* ]] || echo "${prog##*/} $expected $(json "$dir/r.json" blocked)" >>"$work/executions"
	done
}

# counts TRACES TSO BLOCKS CLASSES VERDICT PROGRAM: the verdict is the same with and without sections
counts() {
	[ "$3" -le "$4" ] && [ "$4" -le "$1" ] || { echo "$4 classes are not between $3 and $1"; return 1; }
	count "$2" "$6" --model tso && count "$1" "$6" && expect_eq verdict "$5" "$(json "$dir/r.json" verdict)" &&
		expect_eq equivalence traces "$(json "$dir/r.json" equivalence)" && classes "$4" "$5" "$6"
}

# classes CLASSES VERDICT PROGRAM
classes() {
	count "$1" "$3" --sections && expect_eq verdict "$2" "$(json "$dir/r.json" verdict)" &&
		expect_eq equivalence sections "$(json "$dir/r.json" equivalence)" && expect_eq classes "$1" "$(json "$dir/r.json" classes)"
}

# few_blocked: with --sections at most one of twenty executions was blocked; all programs that had one are printed.
few_blocked() {
	awk '$3 { print $1 ": " $3 " blocked, " $2 " not" }
		{ all += $2 + $3; blocked += $3 }
		END { print "all: " blocked + 0 " of " all + 0 " blocked"; exit !all || blocked * 20 > all }' "$work/executions"
}

# says PROGRAM TEXT: the verdict names what is not counted
says() {
	simul_run run --sections --output "$dir/out" -- "$1" >"$dir/out.txt" 2>&1
	grep -q -e "$2" "$dir/out.txt" || { cat "$dir/out.txt"; return 1; }
}

# plain PROGRAM TRACES TEXT: with two workers that share at once, the summary says TEXT
plain() {
	SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --sections --jobs 2 --output "$dir/out" --json "$dir/r.json" -- "$1" >"$dir/out.txt" 2>&1
	cat "$dir/out.txt"
	expect_eq traces "$2" "$(json "$dir/r.json" distinct_traces)" && grep -q -e "$3" "$dir/out.txt"
}

# workers PROGRAM CLASSES: one, two and four workers that share at once find the same, in two orders of threads
workers() {
	local jobs shuffle
	for jobs in 1 2 4; do
		for shuffle in 0 7; do
			SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --sections --keep-going --quiet --jobs $jobs --shuffle $shuffle --output "$dir/out" \
				--json "$dir/r.json" -- "$1"
			expect_eq classes "$2" "$(json "$dir/r.json" classes)" && expect_eq executions "$2" "$(json "$dir/r.json" executions)" &&
				expect_eq workers $jobs "$(json "$dir/r.json" jobs)" || return 1
		done
	done
}

# env_of NAME=VALUE COMMAND...
env_of() {
	local -x "$1"
	"${@:2}"
}

# races PROGRAM N: as many data races with --sections as without
races() {
	local options
	for options in "" "--sections" "--sections --jobs 2"; do
		SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --quiet --strategy optimal $options --output "$dir/out" --json "$dir/r.json" -- "$1" 2>"$dir/said"
		expect_eq "races, $options" "$2" "$(json "$dir/r.json" races | grep -c object)" || return 1
	done
}

# saved PROGRAM CLASSES: the search goes on where it ended, forty executions at a time, and not without the option
saved() {
	local run=("$SIMUL" run --quiet --jobs 2 --strategy optimal --resume "$dir/state" --output "$dir/out" --json "$dir/r.json") n=0
	while within "$CASE_SECONDS" "${run[@]}" --sections --executions 40 -- "$1" >"$dir/out.txt" 2>&1 || { cat "$dir/out.txt"; return 1; }
		[ "$(json "$dir/r.json" verdict)" = incomplete ]; do
		n=$((n + 1))
		[ $n -lt 10 ] || { echo "it does not end"; return 1; }
	done
	expect_eq parts 4 $n && expect_eq classes "$2" "$(json "$dir/r.json" classes)" && expect_eq executions "$2" "$(json "$dir/r.json" executions)" || return 1
	within "$CASE_SECONDS" "${run[@]}" -- "$1" >"$dir/out.txt" 2>&1
	expect_eq "exit status" 2 $? && grep -- "--sections" "$dir/out.txt"
}

# opaque WHAT CLASSES VERDICT: the program shares WHAT, and has this many traces and classes
opaque() {
	local prog=$bin/opaque_$1 lib=()
	if [ "$1" = LIBRARY ]; then
		mkdir -p "$bin/lib"
		gcc -shared -fPIC -O1 -g -Wl,-soname,libtbb.so.12 -o "$bin/lib/libtbb.so.12" tests/sections/opaque_library.c || return 1
		lib=("$bin/lib/libtbb.so.12")
	fi
	gcc -O1 -g -pthread -Wall -Wno-unused -D"$1" -o "$prog" tests/sections/opaque.c "${lib[@]}" || return 1
	local -x LD_LIBRARY_PATH=$bin/lib
	count 2 "$prog" && expect_eq verdict "$3" "$(json "$dir/r.json" verdict)" &&
		count "$2" "$prog" --sections && expect_eq verdict "$3" "$(json "$dir/r.json" verdict)"
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
while IFS=$'\t' read -r name traces tso blocks now verdict source; do
	[ "$name" != name ] || continue
	rows=$((rows + 1))
	[[ $name == *"${1-}"* ]] && run_case "$name" built "$bin/$name" "$source" counts "$traces" "$tso" "$blocks" "$now" "$verdict" "$bin/$name"
done <tests/sections/sections.tsv
run_case "the table has rows" test "$rows" -gt 0

# Their traces are counted by the suite golden.
while IFS=$'\t' read -r name source defines traces _; do
	[[ $name == name || $name != *"${1-}"* ]] && continue
	cut -f1 tests/sections/sections.tsv | grep -qxF -e "$name" && continue
	verdict=complete
	[[ $name == *deadlock* ]] && verdict=bug
	[ "$defines" != - ] || defines=
	run_case "golden $name" built "$bin/${name//\//_}" "../golden/${source%.c} $defines" classes "$traces" $verdict "$bin/${name//\//_}"
done <tests/golden/golden.tsv
for what in MEMSTREAM TMPFILE RAND WRITE READ SEEK HANDLER DUPLICATE LIBRARY; do
	[[ opaque_$what == *"${1-}"* ]] && run_case "opaque $what" opaque $what 2 bug
done
run_case "opaque PRINT" opaque PRINT 1 complete
run_case "the verdict" built "$bin/verdict" "readmap -DREADERS=3 -DWRITERS=1" says "$bin/verdict" \
	"complete: every one of 8 classes explored (order of sections that share no data not counted), no bug"
run_case "plain without a lock" built "$bin/plain" "../golden/lastzero -DN=9" plain "$bin/plain" 1536 "none is a step (--sections)"
run_case "steps that come late" built "$bin/late" late_step plain "$bin/late" 81 "sections: steps, ordered only by shared data"
run_case "several workers" built "$bin/workers" "readmap -DREADERS=4 -DWRITERS=2" workers "$bin/workers" 162
run_case "several workers, bugs" built "$bin/workers_abba" abba workers "$bin/workers_abba" 3
run_case "several workers, steps that come late" built "$bin/workers_late" late_step workers "$bin/workers_late" 81
run_case "several workers, no step" built "$bin/workers_plain" "../golden/rinc -DN=3 -DR=2" workers "$bin/workers_plain" 7134
run_case "races" built "$bin/races" race_notes races "$bin/races" 1
run_case "races, none" built "$bin/races_none" "race_notes -DPUBLISHED" races "$bin/races_none" 0
programs=20
all_cases && programs=120
random_programs tests/sections/races.py $programs 20 "--jobs 1" "--shuffle 7" "--jobs 2"
if all_cases; then
	run_case "broken: races in an order without steps" broken_random tests/sections/races.py preload/memory/full_order.c \
		'struct event open = section_opened(e);' 'struct event open = *e;' 1 60
	run_case "broken: races whose order is not looked at" broken_random tests/sections/races.py preload/memory/data_races.c \
		'if (full_order_has(first, second))' 'if (false)' 1 60
	run_case "broken: epochs of both orders differ" broken_random tests/sections/races.py preload/memory/full_order.c \
		'	level(e->thread);' '' 1 120
fi
run_case "not with bounds" refused "does not support --preemptions" --sections --preemptions 1
run_case "not with trust" refused "another --strategy" --sections --strategy trust
run_case "not with store buffers" refused "another --model" --sections --model tso
run_case "not with races as bugs" refused "does not support --fail-on-race" --sections --fail-on-race
run_case "saved" built "$bin/saved" "readmap -DREADERS=4 -DWRITERS=2" saved "$bin/saved" 162
run_case "saved by two workers" built "$bin/saved_by_two" "readmap -DREADERS=4 -DWRITERS=2" \
	env_of SIMUL_TEST_SHARE_AT_ONCE=1 saved "$bin/saved_by_two" 162
[ -n "${1-}${FILTER-}" ] || { wait; run_case "few blocked executions" few_blocked; few_blocked; }
finish
