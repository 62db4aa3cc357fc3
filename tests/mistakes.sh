#!/bin/bash
# The kinds of mistakes that a report names. Each program of tests/mistakes/ has one, and its head says what the report must say.
#
#   kind: ABC      the kind of the diagnosis in JSON; none: there must not be a diagnosis
#   says: TEXT     the diagnosis contains this text; several lines must come in this order
#   never: TEXT    it does not contain this text: the program resembles another kind
#
# Each report that simul run prints has at most 40 lines.
. "$(dirname "$0")/lib.sh"
suite mistakes

# wanted KEY: the lines of the head with this key
wanted() { sed -n "s/^[/ *]*$1: //p" "$source"; }

build() {
	case $1 in
	*.c) gcc -g -O1 -pthread -o "$dir/prog" "$1" ;;
	*) if grep -q '<gtest/' "$1"; then
		g++ -std=c++17 -g -O1 -pthread -o "$dir/prog" "$1" -lgtest -lgtest_main
	   else
		g++ -std=c++17 -g -O1 -pthread -o "$dir/prog" "$1" "$work/catch_main.o"
	   fi ;;
	esac
}

mistake() {
	local source=$1 text kind word lines
	build "$source" || return 1
	simul_run run --output "$dir/rec" --json "$dir/r.json" -- "$dir/prog" >"$dir/out" 2>&1
	rec=$(json "$dir/r.json" bugs.0.recording) && [ -s "$rec" ] || { cat "$dir/out"; return 1; }
	lines=$(sed -n '1,/^To reproduce/p' "$dir/out" | wc -l)
	grep -q '^To reproduce' "$dir/out" && [ "$lines" -le 40 ] || { echo "the report has $lines lines, not at most 40"; cat "$dir/out"; return 1; }
	"$SIMUL" show --json "$rec" >"$dir/show.json" || return 1
	text=$(json "$dir/show.json" diagnosis.text 2>/dev/null)
	kind=$(json "$dir/show.json" diagnosis.kind 2>/dev/null)
	expect_eq "the kind of: $text" "$(wanted kind)" "${kind:-none}" || { cat "$dir/out"; return 1; }
	while IFS= read -r word; do
		[[ $text == *"$word"* ]] || { echo "the diagnosis does not say: $word"; echo "$text"; return 1; }
	done < <(wanted says)
	while IFS= read -r word; do
		[[ $text != *"$word"* ]] || { echo "the diagnosis says: $word"; echo "$text"; return 1; }
	done < <(wanted never)
}

printf '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n' >"$work/catch_main.cc"
[ -n "${LIST-}" ] || g++ -std=c++17 -c -o "$work/catch_main.o" "$work/catch_main.cc" || run_case "the main of Catch2 compiles" false
for source in tests/mistakes/*.c tests/mistakes/*.cc; do
	run_case "$(basename "${source%.*}")" mistake "$source"
done
finish
