#!/bin/bash
# Runs the test suites and adds up what they say.
#
#   tests/all.sh full     everything; of some thousand similar cases and random programs a part (make test)
#   tests/all.sh long     all of those, too (make test-long)
#   tests/all.sh quick    what takes less than a minute (make check)
#
# SUITE_MODE tells a suite that has much to do which of the two it is.
# A suite is an executable tests/<name>.sh whose last line is "N passed, M failed". One that ends without that
# line, or says that nothing failed but exits with another status, counts as one failure.
cd "$(dirname "$0")/.." || exit 1

quick="unit layers layers_test litmus patch"
full="unit layers layers_test cli litmus golden trust bounded auto run_programs demos packages patch patch_step defects container late hostile files tsan fences weak minimize explain rewind snapshots jobs resume strangers stress sampling header enforce html gdb bench install completion docs"

case ${1-} in
quick) suites=$quick ;;
full) suites=$full; export RANDOM_PERCENT=${RANDOM_PERCENT:-2} ;;
long) suites=$full ;;
*) echo "usage: tests/all.sh full|long|quick" >&2; exit 2 ;;
esac

# Suites of which make test runs every second case: theirs are alike.
halved=" tsan fences rewind snapshots jobs sampling header "

. tests/within.sh
export SUITE_MODE=$1
mkdir -p build/check
passed=0 failed=0
for s in $suites; do
	log=build/check/$s.log
	start=$SECONDS
	every=1
	[ "$1" = full ] && [[ $halved == *" $s "* ]] && every=2
	CASE_EVERY=$every within 1200 "tests/$s.sh" >"$log" 2>&1 </dev/null
	status=$?
	last=$(tail -n 1 "$log")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
		[ $status != 0 ] && [ "$f" = 0 ] && f=1
	else
		p=0 f=1
		echo "FAIL $s: the suite did not finish (exit status $status)"
		tail -n 20 "$log" | sed 's/^/    /'
	fi
	# Failed cases with what they printed; the log has everything.
	awk '/^FAIL /{show=1} /^(ok|skip) /{show=0} /^[0-9]+ passed, /{show=0} show' "$log"
	cpu=$(awk '{s += $1} END {printf "%.0f", s}' build/check/$s/times 2>/dev/null)
	[ -n "${FILTER-}" ] && [ $((p + f)) = 0 ] && continue
	printf '%-14s %4d passed, %d failed  (%d s%s)\n' "$s" "$p" "$f" $((SECONDS - start)) "${cpu:+, $cpu s of the processors}"
	passed=$((passed + p)) failed=$((failed + f))
done
[ -n "${FILTER-}" ] && [ $((passed + failed)) = 0 ] && echo "no suite has a case whose name contains '$FILTER'"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
