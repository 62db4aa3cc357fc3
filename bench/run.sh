#!/bin/bash
# make bench: what control costs, as ratios of numbers from one run (absolute times depend on the machine and its load).
# Prints one line a measurement: the median of REPEAT runs, and the target where there is one.
cd "$(dirname "$0")/.." || exit 1
simul=${SIMUL:-$PWD/build/simul}
repeat=${REPEAT:-7}
make --no-print-directory -s tools || exit 1
dir=build/bench
rm -rf $dir
mkdir -p $dir
for p in rounds points; do
	gcc -O2 -g -pthread -D_GNU_SOURCE -o $dir/$p bench/$p.c || exit 1
done

fail() { echo "bench: $*" >&2; exit 1; }
json() { build/tests/json_get "$@" || fail "no result"; }
median() { sort -g | awk '{v[NR]=$1} END {if (!NR) exit 1; print (NR % 2) ? v[(NR+1)/2] : (v[NR/2] + v[NR/2+1]) / 2}'; }

# seconds EXECUTIONS OPTIONS -- PROGRAM...: wall time of a search of so many executions
seconds() {
	local n=$1 status
	shift
	"$simul" run --quiet --executions "$n" --output $dir/out --json $dir/r.json "$@" >$dir/log 2>&1 </dev/null
	status=$?
	[ $status = 0 ] || { cat $dir/log >&2; fail "exit status $status: simul run --executions $n $*"; }
	[ "$(json $dir/r.json executions)" = "$n" ] || fail "not $n executions: simul run $*"
	json $dir/r.json seconds
}

# per_execution FEW MANY ...: microseconds an execution; starting and stopping cancel out
per_execution() {
	local few=$1 many=$2 a b
	shift 2
	a=$(seconds "$few" "$@") || exit 1
	b=$(seconds "$many" "$@") || exit 1
	awk -v a="$a" -v b="$b" -v n=$((many - few)) 'BEGIN { print (b - a) / n * 1e6 }'
}

row() { printf '%-58s %12s %12s   %s\n' "$@"; }
row "what" "measured" "" "target"

# 1. An execution under fork isolation against an empty fork of the same process, measured in that process.
for ((i = 0; i < repeat; i++)); do
	us=$(per_execution 80 1680 --isolation fork -- $dir/rounds $PWD/$dir/empty) || exit 1
	empty=$(awk '{print $1 / 1000}' $dir/empty) || exit 1
	awk -v u="$us" -v e="$empty" 'BEGIN { print u / e, u, e }' >>$dir/forks
done
ratio=$(cut -d' ' -f1 $dir/forks | median)
us=$(cut -d' ' -f2 $dir/forks | median)
row "empty fork + exit + wait of the program" "$(cut -d' ' -f3 $dir/forks | median | xargs printf '%.0f us')" "" ""
row "an execution of 3 threads x 3 lock rounds, fork isolation" "$(printf '%.0f us' "$us")" "" ""
row "  ... / empty fork" "$(printf '%.2f' "$ratio")" "" "<= 1.5"

# 2. A scheduling point at which the same thread goes on.
$dir/points $PWD/$dir/native 100000 || fail "points fails natively"
for how in "optimal 2 where the search repeats a prefix" "optimal 1 at first sight" "random 2 random"; do
	read -r strategy executions words <<<"$how"
	: >$dir/points.ns
	for ((i = 0; i < repeat; i++)); do
		seconds $executions --strategy $strategy --max-steps 100000 -- $dir/points $PWD/$dir/p 4000 >/dev/null || exit 1
		cat $dir/p >>$dir/points.ns
	done
	row "a scheduling point without a switch, $words" "$(median <$dir/points.ns | xargs printf '%.0f ns')" \
		"$(awk -v a="$(median <$dir/points.ns)" -v b="$(cat $dir/native)" 'BEGIN { printf "x %.1f", a / b }')" "< 100 ns (x: of a native lock or unlock)"
done

# 3. Isolation levels and thread backends.
exec_us=$(per_execution 5 45 --isolation exec -- $dir/rounds -) || exit 1
for ((i = 0; i < repeat; i++)); do
	fork_us=$(per_execution 80 1680 --isolation fork -- $dir/rounds -) || exit 1
	rewind_us=$(per_execution 80 1680 --isolation rewind -- $dir/rounds -) || exit 1
	[ "$(json $dir/r.json rewound)" -gt 1600 ] || fail "executions were not rewound"
	awk -v f="$fork_us" -v r="$rewind_us" 'BEGIN { print f / r, r }' >>$dir/rewinds
done
kernel_us=$(per_execution 80 480 --threads kernel -- $dir/rounds -) || exit 1
row "executions a second, fork isolation" "$(awk -v u="$us" 'BEGIN { printf "%.0f", 1e6 / u }')" "" ""
row "executions a second, rewind isolation" "$(cut -d' ' -f2 $dir/rewinds | median | awk '{ printf "%.0f", 1e6 / $1 }')" \
	"$(cut -d' ' -f1 $dir/rewinds | median | xargs printf 'x %.1f')" "(x: of fork, pairs of runs)"
row "executions a second, exec isolation" "$(awk -v u="$exec_us" 'BEGIN { printf "%.0f", 1e6 / u }')" \
	"$(awk -v a="$us" -v b="$exec_us" 'BEGIN { printf "x %.3f", a / b }')" ""
row "executions a second, kernel threads" "$(awk -v u="$kernel_us" 'BEGIN { printf "%.0f", 1e6 / u }')" \
	"$(awk -v a="$us" -v b="$kernel_us" 'BEGIN { printf "x %.3f", a / b }')" ""

# 4. Patched code.
. bench/patch.sh

# 5. Accesses under the real sensors.
. bench/sensor.sh

# 6. Searches with store buffers, beside a published table.
echo
bench/weak.sh
