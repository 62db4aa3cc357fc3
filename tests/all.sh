#!/bin/bash
# Runs the test suites and adds up their results.
#
#   tests/all.sh full     all suites, but only a part of several thousand similar cases and random programs (make test)
#   tests/all.sh long     also the rest of these cases, and ten times as many random programs (make test-long). It takes about an hour;
#                         RANDOM_PERCENT=100 runs all random programs, which takes many
#   tests/all.sh quick    suites that take less than a minute (make check)
#   tests/all.sh names    prints the names of all suites
#
# SUITE_MODE passes the mode to the suites. SEED selects the random programs, and in `full` also which of many similar cases run. It is
# fixed in `full`, and the date in `long`.
# A suite is an executable tests/<name>.sh whose last line is "N passed, M failed". A suite that ends without that
# line, or reports no failure but exits with another status, counts as one failure.
cd "$(dirname "$0")/.." || exit 1

# Two suites run at a time, in this order. Long ones come first, so that both processors are busy until the end. Suites that mostly wait (for
# debuggers, time limits, killed processes) stand between those that compute.
quick="unit litmus layers layers_test patch"
full="unit resume cli gdb defects html enforce stress nights machines launchers run_programs litmus minimize install golden packages files explain mistakes auto container"
full+=" corpus late lifetimes forks demos layers layers_test patch trust tsan rc11 weak sampling patch_step docs campaign rewind points thread_pointer snapshots jobs header bounded hostile"
full+=" systemc fairthreads pth modern shared mappings fences sections strangers signals interrupts keys calls locks learned repeats windows libc printable completion bench"

case ${1-} in
quick) suites=$quick limit=1200 ;;
full) suites=$full limit=1200; export RANDOM_PERCENT=${RANDOM_PERCENT:-1} ;;
long) suites=$full limit=14400; export SEED=${SEED:-$(date +%Y%m%d)} RANDOM_PERCENT=${RANDOM_PERCENT:-10} UNIT_SECONDS=${UNIT_SECONDS:-7200} ;;
names) tr ' ' '\n' <<<"$full"; exit ;;
*) echo "usage: tests/all.sh full|long|quick|names" >&2; exit 2 ;;
esac

# make test runs about every fourth case of a suite, selected by the hash of its name, and
# - about every eighth of suites with very many similar cases, or with cases that take long
# - every second of those that compare numbers of traces with known ones
# - every case of suites with few cases, or whose cases need others
eighth=" resume interrupts locks fairthreads minimize auto defects cli enforce systemc rewind fences tsan rc11 sections layers_test windows snapshots "
second=" golden litmus weak bounded points nights launchers packages "
whole=" libc unit html install demos layers patch patch_step docs corpus printable completion late lifetimes forks bench mappings signals keys campaign calls "
# Suites that measure ratios run alone, after the others.
alone=" bench "

. tests/within.sh
end_all_on_interrupt
export SUITE_MODE=$1
# Two suites run at a time, and each runs as many cases at a time as there are processors. Some cases wait while others compute.
export JOBS=${JOBS:-$(nproc 2>/dev/null || echo 2)}
mkdir -p build/check
totals=build/check/totals
: >$totals
begun=$SECONDS

# Prints the failed cases of a suite with their output, and one line with its numbers. The log has everything.
report() { # SUITE STATUS SECONDS
	local s=$1 status=$2 log=build/check/$1.log last p f cpu
	last=$(tail -n 1 "$log")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
		[ "$status" != 0 ] && [ "$f" = 0 ] && f=1
	else
		p=0 f=1
		echo "FAIL $s: the suite did not finish (exit status $status)"
		tail -n 20 "$log" | sed 's/^/    /'
	fi
	awk '/^FAIL /{show=1} /^(ok|skip) /{show=0} /^([0-9]+ passed, |[a-z_]+ took [0-9])/{show=0} show' "$log"
	cpu=$(awk '{s += $1} END {printf "%.0f", s}' "build/check/$s/times" 2>/dev/null)
	[ -n "${FILTER-}" ] && [ $((p + f)) = 0 ] && return
	printf '%-14s %4d passed, %d failed  (%d s%s)\n' "$s" "$p" "$f" "$3" "${cpu:+, $cpu s of the processors}"
	echo "$p $f" >>$totals
}

run_suite() {
	local s=$1 every=1 start=$SECONDS
	if [ "$SUITE_MODE" = full ] && [[ $whole != *" $s "* ]]; then
		every=4
		[[ $eighth != *" $s "* ]] || every=8
		[[ $second != *" $s "* ]] || every=2
	fi
	CASE_EVERY=$every within $limit "tests/$s.sh" >"build/check/$s.log" 2>&1 </dev/null
	report "$s" $? $((SECONDS - start)) >"build/check/$s.report"
	cat "build/check/$s.report"
}

[ -z "${SEED-}" ] || echo "SEED=$SEED"
for s in $suites; do
	[[ $alone != *" $s "* ]] || continue
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
		wait -n
	done
	run_suite "$s" &
done
wait
for s in $suites; do
	[[ $alone == *" $s "* ]] || continue
	run_suite "$s" &
	wait # a trap runs at once only while bash waits
done

read -r passed failed < <(awk '{p += $1; f += $2} END {print p + 0, f + 0}' $totals)
[ -n "${FILTER-}" ] && [ $((passed + failed)) = 0 ] && echo "no suite has a case whose name contains '$FILTER'"
echo "$((SECONDS - begun)) s"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
