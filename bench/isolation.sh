# Executions and events a second of the isolation levels and of kernel threads, and the start-up cost: sourced by run.sh.
begin isolation 18
compile rounds bench/rounds.c
rounds="$dir/rounds"
many=${BENCH_EXECUTIONS:-1680}
few=$((many / 21 + 1))
rm -f $dir/i.*
for ((i = 0; ; i++)); do
	turn $i || break
	# One execution under fork isolation against an empty fork of the same process, measured in that process.
	fork=$(per_execution $few $many --isolation fork -- $rounds "$dir/empty") || exit 1
	rewind=$(per_execution $few $many --isolation rewind -- $rounds -) || exit 1
	[ "$(json $dir/r.json rewound)" -gt $((many - few)) ] || fail "executions were not rewound"
	events=$(calc "$(json $dir/r.json events) / $many")
	exec=$(per_execution 2 $((few / 2 + 3)) --isolation exec -- $rounds -) || exit 1
	kernel=$(per_execution $few $((many / 4)) --isolation fork --threads kernel -- $rounds -) || exit 1
	awk -v f="$fork" -v r="$rewind" -v x="$exec" -v k="$kernel" -v e="$(cat $dir/empty)" -v n="$events" \
		'BEGIN { e /= 1000; print 1e6 / f, 1e6 / r, 1e6 / x, 1e6 / k, e, f / r, f / x, f / k, f / e, n * 1e6 / r, f }' >>$dir/i.all
done
col() { column "$1" $dir/i.all; }
note="3 threads x 3 lock rounds, $events events an execution"
row "executions a second, --isolation rewind" "$(col 2)" /s "$(col 6)" fork "$note"
row "executions a second, --isolation fork" "$(col 1)" /s - -
row "executions a second, --isolation exec" "$(col 3)" /s "$(col 7)" fork
row "executions a second, fork, --threads kernel" "$(col 4)" /s "$(col 8)" "fork, fibers"
row "events a second, --isolation rewind" "$(col 10)" /s
row "an execution under --isolation fork" "$(col 11)" us "$(col 9)" "an empty fork + exit + wait" "<= 1.5 wanted"

begin isolation 3
# The one-time costs: the command, the target, patching, warm-up; compared with the program natively.
elapsed_ms() { # COMMAND...
	local start=${EPOCHREALTIME/./}
	"$@" >$dir/log 2>&1 </dev/null || fail "fails: $*"
	calc "(${EPOCHREALTIME/./} - $start) / 1000"
}
for ((i = 0; ; i++)); do
	turn $i || break
	a=$(elapsed_ms $rounds -) && b=$(elapsed_ms "$simul" run --quiet --executions 1 --output $dir/out -- $rounds -) || exit 1
	echo "$b $(calc "$b / $a")" >>$dir/i.start
done
row "start-up: simul run with one execution, all in all" "$(column 1 $dir/i.start)" ms "$(column 2 $dir/i.start)" "the program natively"

begin isolation 3
# A C++ program: its own code and libstdc++, function by function as it is reached.
if g++ -O2 -g -pthread -o "$dir/cxx" bench/cxx.cc 2>$dir/log; then
	for ((i = 0; ; i++)); do
		turn $i || break
		a=$(elapsed_ms "$simul" run --quiet --executions 1 --no-patch --output $dir/out -- "$dir/cxx") &&
			b=$(elapsed_ms "$simul" run --quiet --executions 1 --output $dir/out -- "$dir/cxx") || exit 1
		echo "$b $(calc "$b / $a") $(calc "$b - $a")" >>$dir/i.cxx
	done
	row "start-up of a C++ program with libstdc++ seen" "$(column 1 $dir/i.cxx)" ms "$(column 2 $dir/i.cxx)" "the same with --no-patch" "$(column 3 $dir/i.cxx) ms more"
else
	row "start-up of a C++ program with libstdc++ seen" - ms - - "no C++ compiler"
fi
