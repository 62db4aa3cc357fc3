#!/bin/bash
# Searches under the three memory models: the programs of tests/weak/table1.tsv, with seconds and executions beside the seconds that the table's
# authors report for their tool on their machine. A star: a bug is found, which ends the search. Some programs are smaller than in the paper.
#
#   bench/weak.sh [NAME]   only the programs whose name contains NAME
#
# BENCH_ROWS names a file to which the same results are written as lines for run.sh.
cd "$(dirname "$0")/.." || exit 1
simul=${SIMUL:-$PWD/build/simul}
tools=${TOOLS:-$PWD/build/tests}
. tests/weak/table.sh
dir=build/bench/weak
rm -rf $dir
mkdir -p $dir
[ -x "$tools/json_get" ] || make --no-print-directory -s tools || exit 1
json() { "$tools/json_get" $dir/r.json "$1"; }

# cell MODEL PROGRAM PAPER EXPECTED: sets the text of the cell; "?" if the verdict differs from the table's
cell() {
	local model=$1 program=$2 paper=$3 want=$4 star="" verdict
	rm -f $dir/r.json
	# shellcheck disable=SC2046
	timeout -k 5 120 "$simul" run --strategy optimal --quiet --no-minimize --model "$model" --output $dir/out --json $dir/r.json $(weak_options "$program") -- $dir/$program \
		>$dir/log 2>&1 </dev/null
	verdict=$(json verdict 2>/dev/null) || verdict=none
	[ "$want" = bug ] && star='*'
	if [ "$verdict" = "$want" ]; then
		text=$(printf '%s%.2f s in %d' "$star" "$(json seconds)" "$(json executions)")
	else
		text="? $verdict"
		wrong=$((wrong + 1))
	fi
	[ -z "${BENCH_ROWS-}" ] || printf 'weak\t%s, fences %s, %s\t%s\ts\t-\t-\t%s; the published table has %s s\n' "$program" "$fence" "$model" \
		"$(json seconds 2>/dev/null || echo "no result")" "$text" "$star$paper" >>"$BENCH_ROWS"
	text=$(printf '%-20s %8s' "$text" "$star$paper")
}

wrong=0
printf '%-15s %-4s' program fence
for model in SC TSO PSO; do
	printf '  %-20s %8s' "$model: executions" paper
done
printf '  size\n'
while IFS=$'\t' read -r program fence _ sc tso pso paper_sc paper_tso paper_pso defines size; do
	[[ $program == *"${1-}"* ]] || continue
	weak_build "$program" "$fence" "$defines" $dir/$program gcc -O1 || exit 1
	printf '%-15s %-4s' "$program" "$fence"
	for model in sc tso pso; do
		paper=paper_$model
		cell $model "$program" "${!paper}" "${!model}"
		printf '  %s' "$text"
	done
	printf '  %s\n' "$size"
done < <(weak_rows)
[ $wrong = 0 ] || { echo "bench: $wrong verdicts are not those of the table" >&2; exit 1; }
