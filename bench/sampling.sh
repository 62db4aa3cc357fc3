#!/bin/bash
# How many executions each sampling strategy needs until it has found the bug of a demo: the median over 20 seeds, and the number of seeds with
# which it was found. The table is in docs/sampling.md.
#
#   bench/sampling.sh [SEEDS [MOST]]   seeds 1 .. SEEDS (20), each with at most MOST executions (3000)
cd "$(dirname "$0")/.." || exit 1
seeds=${1-20} most=${2-3000}
simul=${SIMUL:-$PWD/build/simul} json=${TOOLS:-$PWD/build/tests}/json_get
dir=build/bench/sampling
mkdir -p $dir/out

strategies="random pct/2 pct/3 pct/4 pos surw"
printf '%-16s' ""
printf '%14s' $strategies
echo
# One line: a demo, and the memory model that its bug needs.
while read -r demo model; do
	gcc -g -O1 -pthread -o $dir/$demo demos/$demo/prog.c || exit 1
	printf '%-16s' $demo
	for s in $strategies; do
		for ((seed = 1; seed <= seeds; seed++)); do
			timeout -k 5 120 "$simul" run --quiet --isolation rewind --strategy "${s%/*}" $([[ $s == */* ]] && echo --depth "${s#*/}") --model "$model" --seed $seed \
				--executions "$most" --output $dir/out --json $dir/r.json -- $dir/$demo >$dir/log 2>&1 </dev/null
			"$json" $dir/r.json bugs.0.execution 2>/dev/null || echo $((most + 1))
		done | sort -n >$dir/found
		rm -f $dir/out/*
		median=$(sed -n "$(((seeds + 1) / 2))p" $dir/found) found=$(awk -v m="$most" '$1 <= m' $dir/found | wc -l)
		[ "$median" -le "$most" ] || median=">$most"
		printf '%14s' "$median$([ "$found" = "$seeds" ] || echo " ($found)")"
	done
	echo
done <<'LIST'
lock_order sc
lost_wakeup sc
wrong_waiter sc
aba_stack sc
seqlock sc
work_stealing tso
early_flag pso
LIST
