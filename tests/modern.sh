#!/bin/bash
# Tests as people write them today: C++20 programs, and GoogleTest cases with pools, queues and caches. By default simul finds each bug,
# explores each correct one completely, and reports a bug on one screen with the names of the user's own members.
#
# The second line of a program in cpp20/ says what is right; a third one that begins with `missed:` or `unfinished:` says where simul falls short. In
# gtest/ the line `bugs:` names the tests with a bug, and a line `report NAME:` the words that the report of a bug must have.
. "$(dirname "$0")/lib.sh"
suite modern
programs=tests/modern
seconds=100 # a limit for slow machines; what each takes on an idle one stands in docs/corpus.md

built() { # built OUT SOURCE OPTIONS...
	[ -x "$1" ] || g++ -std=c++20 -O1 -g -pthread -w -o "$1" "$2" "${@:3}"
}

# search JSON PROGRAM...: what a user types, with a time budget
search() {
	local json=$1
	shift
	show_cmd "$SIMUL run --time ${seconds}s -- $*"
	COLUMNS=100 simul_run run --time ${seconds}s --output "$dir/out" --json "$json" -- "$@" >"$dir/report" 2>&1 </dev/null
}

# verdict EXPECTED PROGRAM...
verdict() {
	local expected=$1
	shift
	search "$dir/r.json" "$@"
	expect_eq verdict "$expected" "$(json "$dir/r.json" verdict)" && { [ "$expected" != bug ] || expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"; }
}

no_bug() {
	search "$dir/r.json" "$@"
	expect_eq "exit status" 0 $?
}

program() {
	local prog=$dir/prog source=$1 expected
	expected=$(sed -n '2s/.*verdict: //p' "$source")
	built "$prog" "$source" || return 1
	case $(sed -n 3p "$source") in
	'// missed:'*) no_bug "$prog" ;;
	'// unfinished:'*) seconds=3 no_bug "$prog" ;;
	*) verdict "$expected" "$prog" ;;
	esac
}

# gtest PROGRAM TEST EXPECTED WORDS...: one screen is 40 lines, without what the program wrote
gtest() {
	local lines word
	verdict "$3" "$1" --gtest_filter="$2" || { cat "$dir/report"; return 1; }
	[ "$3" = bug ] || return 0
	lines=$(awk '/^Output/ {exit} {n++} END {print n}' "$dir/report")
	[ "$lines" -le 46 ] || { echo "the report has $lines lines"; cat "$dir/report"; return 1; }
	for word in "${@:4}"; do
		grep -q -F -e "$word" "$dir/report" || { echo "the report does not name $word"; cat "$dir/report"; return 1; }
	done
	! grep -q "atomic_base.h\|T0's stack" "$dir/report" || { echo "the report names a place that is not the user's"; cat "$dir/report"; return 1; }
}

n=0
for source in "$programs"/cpp20/*.cpp; do
	name=$(basename "${source%.cpp}")
	n=$((n + 1))
	of_many 4 "$name" && run_case "$name" program "$source"
done
run_case "there are programs" test $n -ge 32

# cases FILE: the tests of one file
cases() {
	local file=$1 prog=$work/$(basename "${1%.cc}") bugs line suite_of test expected words
	built "$prog" "$file" -lgtest -lgtest_main || { run_case "$(basename "$file") is built" false; return; }
	bugs=" $(sed -n 's/^\/\/ bugs: //p' "$file") "
	while IFS= read -r line; do
		case $line in
		[!\ ]*) suite_of=${line%%.*} ;;
		'  '*)
			test=${line#  }
			expected=complete
			[[ $bugs == *" $test "* ]] && expected=bug
			read -ra words < <(sed -n "s/^\/\/ report $test: //p" "$file")
			run_case "$suite_of.$test" gtest "$prog" "$suite_of.$test" $expected "${words[@]}"
			;;
		esac
	done < <("$prog" --gtest_list_tests | grep -v '^Running main')
}

for file in "$programs"/gtest/*.cc; do
	all_cases || [ "$(basename "$file")" = counter_test.cc ] || continue
	cases "$file"
done
finish
