#!/bin/bash
# Tests as people write them today: C++20 programs, and GoogleTest cases with pools, queues and caches. By default simul finds each bug,
# explores each correct one completely, and reports a bug on one screen with the names of the user's own members.
#
# The second line of a program in any folder but gtest/ says what is right; a third one that begins with `missed:` or
# `unfinished:` says where simul falls short. In gtest/ the line `bugs:` names the tests with a bug, and a line `report NAME:` the words that the
# report of a bug must have.
#
# rust/, glib/, tbb/, ck/, urcu/ and absl/ are tested where rustc, libglib2.0-dev, libtbb-dev, libck-dev, liburcu-dev and libabsl-dev are installed. They are no dependencies of `make test`. How long
# correct Rust programs take depends on std: those of Debian 12's rustc must be complete, with others there must be no bug.
# A program with the line `needs: rustc 1.70` is left out with older ones. rust/models/ has what two programs share.
. "$(dirname "$0")/lib.sh"
suite modern
programs=tests/modern
seconds=250 # a limit for slow machines; what each takes on an idle one stands in docs/corpus.md

rustc=$(PATH=/usr/bin:$PATH command -v rustc) # Debian's, if it is there
case $("${rustc:-true}" --version 2>/dev/null) in
"rustc 1.63."*) rust_is_debians=1 ;;
*) rust_is_debians=0 ;;
esac

built() { # built OUT SOURCE OPTIONS...
	local glib urcu absl
	[ ! -x "$1" ] || return 0
	case $2 in
	*.rs) "$rustc" --edition 2021 -C opt-level=1 -g -A warnings -o "$1" "$2" ;;
	*/glib/*)
		read -ra glib < <(pkg-config --cflags --libs glib-2.0)
		gcc -O1 -g -pthread -o "$1" "$2" "${glib[@]}"
		;;
	*/gomp/*) gcc -O1 -g -fopenmp -o "$1" "$2" ;;
	*/ck/*) gcc -O1 -g -pthread -o "$1" "$2" -lck ;;
	*/urcu/*)
		urcu=-lurcu
		! grep -q 'urcu-qsbr.h' "$2" || urcu=-lurcu-qsbr
		! grep -q 'urcu-bp.h' "$2" || urcu=-lurcu-bp
		gcc -O1 -g -pthread -o "$1" "$2" $urcu -lurcu-common
		;;
	*/absl/*) # its libraries are static, as in programs that are built with it
		read -ra absl < <(pkg-config --libs absl_synchronization)
		g++ -std=c++20 -O1 -g -pthread -w -o "$1" "$2" -Wl,-Bstatic "${absl[@]}" -Wl,-Bdynamic
		;;
	*/tbb/*) g++ -std=c++20 -O1 -g -pthread -w -o "$1" "$2" -ltbb ;;
	*) g++ -std=c++20 -O1 -g -pthread -w -o "$1" "$2" "${@:3}" ;;
	esac
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
	case $source,$(grep -c '^// needs: rustc 1.70' "$source"),$rust_is_debians in
	*.rs,1,1) return 0 ;;
	esac
	built "$prog" "$source" || return 1
	case $expected,$source,$rust_is_debians in
	complete,*.rs,0) seconds=3 no_bug "$prog"; return ;;
	esac
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

# programs_of FOLDER NUMBER EVERY: the folder has at least this number of programs; `make test` runs about one of EVERY
programs_of() {
	local source name n=0
	for source in "$programs/$1"/*.*; do
		name=$(basename "${source%.*}")
		[ "$1" = cpp20 ] || name="$1: $name"
		n=$((n + 1))
		of_many "$3" "$name" && run_case "$name" program "$source"
	done
	run_case "there are programs in $1" test $n -ge "$2"
}

programs_of cpp20 54 10
programs_of gomp 13 8
if [ -n "$rustc" ]; then programs_of rust 70 18; else echo "Rust programs: not tested, since there is no rustc"; fi
if pkg-config --exists glib-2.0; then programs_of glib 15 14; else echo "GLib programs: not tested, since there is no libglib2.0-dev"; fi
if [ -e /usr/include/tbb/parallel_for.h ]; then programs_of tbb 16 12; else echo "TBB programs: not tested, since there is no libtbb-dev"; fi
if [ -e /usr/include/ck_spinlock.h ]; then programs_of ck 15 6; else echo "Concurrency Kit programs: not tested, since there is no libck-dev"; fi
if pkg-config --exists liburcu; then programs_of urcu 10 5; else echo "Userspace RCU programs: not tested, since there is no liburcu-dev"; fi
if pkg-config --exists absl_synchronization; then programs_of absl 12 6; else echo "Abseil programs: not tested, since there is no libabsl-dev"; fi

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
