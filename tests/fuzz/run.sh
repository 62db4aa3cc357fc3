#!/bin/bash
# tests/fuzz/run.sh SECONDS INPUTS TARGET...: runs fuzz targets that `make fuzz` has built, one after the other, each from the inputs in
# tests/fuzz/corpus/TARGET and those of earlier runs in build/fuzz/corpus/TARGET. What makes one fail is left in build/fuzz/.
# The last line adds up the inputs. -entropic=0: libFuzzer would spend more than half of the time on weighing what it keeps.
cd "$(dirname "$0")/../.." || exit 1
seconds=$1 inputs=$2
shift 2
export ASAN_OPTIONS=symbolize=0:abort_on_error=1:detect_leaks=1:malloc_context_size=5:quarantine_size_mb=32:intercept_strstr=0 UBSAN_OPTIONS=symbolize=0:halt_on_error=1:abort_on_error=1
total=0 status=0
for target in "$@"; do
	mkdir -p "build/fuzz/corpus/$target"
	log=build/fuzz/$target.log
	"build/fuzz/fuzz_$target" -max_total_time="$seconds" -runs="$inputs" -print_funcs=0 -print_final_stats=1 -entropic=0 -timeout=30 -rss_limit_mb=4096 \
		-artifact_prefix="build/fuzz/$target-" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1 </dev/null
	result=$?
	n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
	total=$((total + ${n:-0}))
	if [ $result = 0 ]; then
		echo "ok $target: ${n:-0} inputs, $(find "build/fuzz/corpus/$target" -type f | wc -l) kept"
	else
		status=1
		echo "FAIL $target (exit status $result, $log)"
		tail -n 40 "$log"
	fi
done
echo "$total inputs in all"
exit $status
