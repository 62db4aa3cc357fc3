#!/bin/bash
# Runs the test suites and adds up their results.
#
#   tests/all.sh full     all suites, but only a part of several thousand similar cases and random programs (make test)
#   tests/all.sh long     also the rest of these (make test-long)
#   tests/all.sh quick    suites that take less than a minute (make check)
#
# SUITE_MODE passes the mode to the suites. SEED selects the random programs, and in `full` also which of many similar cases run. It is
# fixed in `full`, and the date in `long`.
# A suite is an executable tests/<name>.sh whose last line is "N passed, M failed". A suite that ends without that
# line, or reports no failure but exits with another status, counts as one failure.
cd "$(dirname "$0")/.." || exit 1

quick="unit layers layers_test litmus patch"
full="unit layers layers_test cli litmus golden trust bounded auto run_programs demos packages patch patch_step defects container late signals hostile files tsan fences weak minimize explain rewind snapshots jobs resume strangers printable campaign stress sampling header html gdb bench install completion docs"

case ${1-} in
quick) suites=$quick ;;
full) suites=$full; export RANDOM_PERCENT=${RANDOM_PERCENT:-1} ;;
long) suites=$full; export SEED=${SEED:-$(date +%Y%m%d)} ;;
*) echo "usage: tests/all.sh full|long|quick" >&2; exit 2 ;;
esac

# Suites with similar cases: make test runs about every second case, selected by the hash of its name.
halved=" tsan fences rewind snapshots jobs sampling header "
# Suites that mostly wait, for debuggers, time limits and killed processes: they run in parallel with the others.
waiting=" resume stress html gdb install completion strangers late "
# Suites that measure ratios run alone.
alone=" bench "

. tests/within.sh
export SUITE_MODE=$1
mkdir -p build/check
totals=build/check/totals
: >$totals
begun=$SECONDS

# The failed cases of a suite with what they printed, and a line with its numbers; the log has everything.
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

# One suite after the other.
lane() {
	local s every start
	for s in "$@"; do
		start=$SECONDS every=1
		[ "$SUITE_MODE" = full ] && [[ $halved == *" $s "* ]] && every=2
		CASE_EVERY=$every within 1200 "tests/$s.sh" >"build/check/$s.log" 2>&1 </dev/null
		report "$s" $? $((SECONDS - start)) >"build/check/$s.report"
		cat "build/check/$s.report"
	done
}

first=() beside=() last=()
for s in $suites; do
	if [[ $alone == *" $s "* ]]; then
		last+=("$s")
	elif [[ $waiting == *" $s "* ]]; then
		beside+=("$s")
	else
		first+=("$s")
	fi
done
[ -z "${SEED-}" ] || echo "SEED=$SEED"
lane "${beside[@]}" &
lane "${first[@]}"
wait
lane "${last[@]}"

read -r passed failed < <(awk '{p += $1; f += $2} END {print p + 0, f + 0}' $totals)
[ -n "${FILTER-}" ] && [ $((passed + failed)) = 0 ] && echo "no suite has a case whose name contains '$FILTER'"
echo "$((SECONDS - begun)) s"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
