#!/bin/bash
# tests/fuzz/run.sh SECONDS INPUTS TARGET...: runs fuzz targets that `make fuzz` has built, one after the other, each from its inputs in
# tests/fuzz/corpus.tar.xz and those of earlier runs in build/fuzz/corpus/TARGET. What makes one fail is left in build/fuzz/.
# The last line adds up the inputs.
cd "$(dirname "$0")/../.." || exit 1
. tests/fuzz/lib.sh
seconds=$1 inputs=$2
shift 2
unpack_corpus build/fuzz/inputs || exit 1
total=0 status=0
for target in "$@"; do
	mkdir -p "build/fuzz/corpus/$target"
	log=build/fuzz/$target.log
	# shellcheck disable=SC2046
	fuzz_target "$target" -max_total_time="$seconds" -runs="$inputs" -print_final_stats=1 "build/fuzz/corpus/$target" $(inputs_of build/fuzz/inputs "$target") >"$log" 2>&1
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
