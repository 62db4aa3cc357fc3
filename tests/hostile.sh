#!/bin/bash
# Programs that write wildly, fork, exec, flood their output or attack their own process (tests/hostile/): they cannot fake a result,
# keep the search from ending, or take simul down.
. "$(dirname "$0")/lib.sh"
suite hostile

TIME=3       # --time, in seconds
SLACK=6      # seconds by which a search may exceed it: replays that confirm a bug have a minimum of time; more on a loaded machine
[ "$(cut -d. -f1 /proc/loadavg)" -le "$(nproc)" ] || SLACK=12

progs=$work/progs
mkdir -p "$progs"
for p in hostile kernel wild own_fault busy flood; do
	gcc -g -O1 -pthread -D_GNU_SOURCE -o "$progs/$p" "tests/hostile/$p.c" || exit 1
done

# attack WANTED OPTIONS PROGRAM ARGS...: WANTED is "found" if the attack cannot remove the bug, else "any". internal=70 also allows an internal
# error.
attack() {
	local wanted=$1 options=$2 status start end verdict
	shift 2
	mkdir -p "$dir/cwd"
	start=$(date +%s%N)
	# The search has its own process group and session, so the program can only signal itself. After setuid and the like it must still reach its files.
	# shellcheck disable=SC2086
	( cd "$dir/cwd" && setsid timeout -s KILL $((TIME + SLACK + 20)) "$SIMUL" run --time ${TIME}s --no-minimize --json ../r.json $options -- "$@" ) >"$dir/run.out" 2>&1 </dev/null
	status=$?
	end=$(date +%s%N)
	tail -n 3 "$dir/run.out"
	[ $status -le 2 ] || [ $status = "${internal-}" ] || { echo "simul ended with status $status"; return 1; }
	[ $(((end - start) / 1000000)) -le $(((TIME + SLACK) * 1000)) ] || { echo "it took $(((end - start) / 1000000)) ms"; return 1; }
	verdict=$(json "$dir/r.json" verdict)
	case $verdict in
	bug) expect_eq "exit status" 1 $status || return 1 ;;
	incomplete | bounded) [ $status != 1 ] || { echo "status 1 with verdict $verdict"; return 1; } ;;
	complete) [ "$wanted" = any ] || { echo "complete, although the bug is there"; return 1; } ;;
	*) echo "verdict '$verdict'"; return 1 ;;
	esac
	! ls "$dir" | grep -vxE 'cwd|run.out|r.json|case.log' || { echo "it wrote outside its directory"; return 1; }
	! ls "$dir/cwd" | grep -vE '\.simul$' || { echo "it left files behind"; return 1; }
}

# ---- what a program does to its process and to simul ----

# hostility PROGRAM NAME: the search may be "complete" only if the attack ends the program successfully.
hostility() {
	local wanted=found
	[[ $2 != end0* ]] || wanted=any
	for i in $isolations; do
		run_case "$2, $i" attack $wanted "--isolation $i" "$progs/$1" "$2"
	done
}

mapfile -t names < <(grep -oP '\bis\("\K\w+' tests/hostile/hostile.c)
mapfile -t kernel_names < <(grep -oP '\bis\("\K\w+' tests/hostile/kernel.c)
isolations="auto fork exec"
if [ "${SUITE_MODE-}" = full ]; then # attacks that once succeeded, and one of each kind
	isolations=auto
	names=(closeall truncall writeall munmapshared killparent stopparent_sys stopparent_child ptraceparent strict seccompall
		execsys execatsys execinline end0sys end0inline spinign segvraw mlock rl_nofile)
	kernel_names=(rl_cpu_parent rl_cpu_parent_child sched_parent clone3_vfork child_stops child_writes_shared queue_flood jump_from_wait no_tsc
		own_memory_file own_memory_call parent_memory_file)
fi
for name in "${names[@]}"; do
	hostility hostile "$name"
done
for name in "${kernel_names[@]}"; do
	hostility kernel "$name"
done
[ "${SUITE_MODE-}" = full ] || for name in "${names[@]}"; do
	case $name in
	end0* | exec* | exitthread | vforksys) continue ;; # they end before there are threads
	rl_as | mapeat) wanted=any ;; # there may be no memory for threads, also without simul
	*) wanted=found ;;
	esac
	run_case "$name before the first thread" attack $wanted "" "$progs/hostile" "$name" before
done

# ---- endless output ----

# mebibytes PID: how much memory this simul's captured output takes
mebibytes() { stat -L -c %b $(find "/proc/$1/fd" -lname '/memfd:std*' 2>/dev/null) 2>/dev/null | awk '{s += $1} END {print int(s / 2048)}'; }

# The program writes some gigabytes before --time ends. simul keeps only a part of them at any moment, and says so.
flooded() {
	local most=0 now simul
	"$SIMUL" run --time 3s --isolation "$1" --output "$dir" -- "$progs/flood" 0 >"$dir/run.out" 2>&1 </dev/null &
	simul=$!
	while kill -0 $simul 2>/dev/null; do
		now=$(mebibytes $simul)
		[ "$now" -le $most ] || most=$now
		sleep 0.05
	done
	wait $simul
	expect_eq "exit status" 0 $? && grep -q 'wrote more than 32 MiB' "$dir/run.out" || { cat "$dir/run.out"; return 1; }
	[ $most -gt 0 ] && [ $most -le 640 ] || { echo "the output took $most MiB"; return 1; }
}
for i in fork exec rewind; do
	run_case "output without an end, $i" flooded $i
done

# simul keeps the end of 512 MiB of output.
end_kept() {
	simul_run run --executions 1 --show-output --quiet --memory 64M -- "$progs/flood" 512 2>/dev/null >"$dir/out"
	[ "$(grep -a -c END "$dir/out")" = 1 ] && [ "$(stat -c %s "$dir/out")" -le $((4 << 20)) ] || { ls -l "$dir/out"; return 1; }
}
run_case "the end of a long output" end_kept

# ---- wild writes ----

mappings=7 kinds=8 seeds=1
if [ "${SUITE_MODE-}" != full ]; then
	for ((m = 0; m < mappings; m++)); do
		for ((k = 0; k < kinds; k++)); do
			for i in auto fork exec; do
				run_case "write $k over mapping $m, $i" attack found "--isolation $i" "$progs/wild" $m $k $((seeds++))
				run_case "late write $k over mapping $m, $i" attack found "--isolation $i" "$progs/wild" $m $k $((seeds++)) late
			done
		done
	done
else
	for ((m = 0; m < mappings; m++)); do
		run_case "late write over mapping $m" attack found "--isolation exec" "$progs/wild" $m $((m + 1)) 1 late
		run_case "write over mapping $m" attack found "" "$progs/wild" $m $((7 - m)) 1
	done
fi

# Writes by code whose accesses are not seen. They may make one of simul's checks fail, but none of them hides the bug.
if [ "${SUITE_MODE-}" != full ]; then
	for ((m = 0; m < mappings; m++)); do
		for ((k = 0; k <= kinds; k++)); do
			for i in auto fork exec; do
				internal=70 run_case "unseen write $k over mapping $m, $i" attack found "--no-patch --isolation $i" "$progs/wild" $m $k $((seeds++))
				internal=70 run_case "unseen late write $k over mapping $m, $i" attack found "--no-patch --isolation $i" "$progs/wild" $m $k $((seeds++)) late
			done
		done
	done
else
	for seed in 56 57 58 59; do
		internal=70 run_case "unseen write over the search, $seed" attack found "--no-patch --isolation fork" "$progs/wild" 5 6 $seed
	done
	for seed in 54 105; do
		internal=70 run_case "unseen write over the model of threads, $seed" attack found "--no-patch --isolation fork" "$progs/wild" 1 6 $seed
	done
fi

# A single used word becomes 0 or 1, or grows by one, so that most of the data stays valid.
words=1
[ "${SUITE_MODE-}" = full ] || words=20
for ((s = 0; s < words; s++)); do
	for m in 0 3 4 6 7 8 9 12 13; do
		k=$((9 + (s + m) % 3)) late=
		[ $(((s + m) % 2)) = 0 ] || late=late
		internal=70 run_case "unseen write of a word ($k) over mapping $m, $s $late" attack found "--no-patch" "$progs/wild" $m $k $((5000 + s)) $late
	done
done

# A write that simul sees is reported with its place.
named() {
	simul_run run --no-minimize --isolation exec --output "$dir" --json "$dir/r.json" -- "$progs/wild" 5 4 1 late >"$dir/run.out" 2>&1
	expect_eq "exit status" 1 $? && expect_eq kind crash "$(json "$dir/r.json" bugs.0.kind)" || return 1
	grep -q "the program wrote into simul's memory" "$dir/run.out" && grep -q 'wild\.c:[0-9]' "$dir/run.out"
}
run_case "a write into simul's variables is named" named

# A fault in simul's own code while it chooses a step is no bug of the program. The message has its place.
own_fault() {
	local strategy
	strategy=$(nm build/libsimul.so | awk '/ run_strategy$/ { print $1 }')
	simul_run run --no-patch --isolation $1 --output "$dir" --json "$dir/r.json" -- "$progs/own_fault" "$strategy" >"$dir/run.out" 2>&1
	expect_eq "exit status" 2 $? && grep -q "simul's own code faulted at libsimul.so+0x[1-9a-f]" "$dir/run.out"
}
for i in auto fork exec; do
	run_case "a fault in simul's own code, $i" own_fault $i
done

# ---- processes that are killed while they update the search ----

# Kills a process that runs executions, several times. The search continues to its end with the exact number of traces.
killed() { # ISOLATION ADDS TRACES
	local simul tree i
	simul_run run --strategy optimal --isolation "$1" --json "$dir/r.json" --output "$dir" -- "$progs/busy" "$2" >"$dir/run.out" 2>&1 </dev/null &
	simul=$!
	for ((i = 0; i < 8; i++)); do
		sleep 0.1$((RANDOM % 10))
		tree=$(pgrep -P "$(pgrep -P "$simul" | head -n 1)" 2>/dev/null | head -n 1)
		[ -z "$tree" ] || kill -KILL "$(pgrep -P "$tree" | head -n 1 || echo "$tree")" 2>/dev/null
	done
	wait "$simul"
	expect_eq "exit status" 0 $? || { tail -n 5 "$dir/run.out"; return 1; }
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces "$3" "$(json "$dir/r.json" distinct_traces)"
}
kills=1
[ "${SUITE_MODE-}" = full ] || kills=10
for ((i = 0; i < kills; i++)); do
	run_case "killed while rewinding, $i" killed rewind 4 34650
	run_case "killed while forking, $i" killed fork 3 1680 # forking takes about ten times as long
done
finish
