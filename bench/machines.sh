#!/bin/bash
# What it costs to share a search through PostgreSQL (simul run --search). Needs PostgreSQL, python3, and root for the second part.
#
#   bench/machines.sh [SECONDS]   SECONDS (40): time of each run of the second part
#
# 1. Two machines on this one against --jobs 2: a whole search of about 30 s.
# 2. Eight slow machines far away: each has a quarter of a processor (a control group), and its way to the database takes 20 ms (bench/delay.py).
#    Their executions a second, against eight times those of one such machine that has the database beside it.
cd "$(dirname "$0")/.." || exit 1
top=$PWD SIMUL=${SIMUL:-$PWD/build/simul} seconds=${1:-40} suite_name=machines
run_case() { echo "bench: $1 failed"; }
finish() { exit 1; }
. tests/postgres.sh
make --no-print-directory -s tools || exit 1
dir=$(mktemp -d /tmp/simul-bench-XXXXXX) || exit 1
pids=() groups=()
cleanup() {
	[ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null
	wait
	[ ${#groups[@]} = 0 ] || rmdir "${groups[@]}" 2>/dev/null
	end_server
	rm -rf "$dir"
}
trap cleanup EXIT
json() { build/tests/json_get "$@"; }
calc() { awk "BEGIN { printf \"%.3g\", $1 }"; }
gcc -O1 -pthread -DLOOPS=1000000 -o "$dir/slow" bench/slow.c && gcc -O1 -pthread -DLOOPS=20000000 -o "$dir/slower" bench/slow.c || exit 1
echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) processors"

# ---- two machines here ----

alone() { "$SIMUL" run -q --strategy optimal --jobs 2 --json "$dir/jobs.json" --output "$dir" -- "$dir/slow" >/dev/null; }
together() {
	fresh "two$1" || exit 1
	for i in 1 2; do
		"$SIMUL" run -q --strategy optimal --search "$url" --json "$dir/m$i.json" --output "$dir" -- "$dir/slow" >/dev/null &
		pids+=($!)
	done
	wait "${pids[@]}"
	pids=()
}
for i in 1 2 3; do
	alone && together $i || exit 1
	a=$(json "$dir/jobs.json" seconds) b=$(json "$dir/m1.json" seconds)
	echo "--jobs 2: $(calc "$a") s; two machines: $(calc "$b") s; speed $(calc "$a / $b") of --jobs 2 ($(json "$dir/m1.json" executions) executions)"
done

# ---- eight slow machines ----

# quarter COMMAND...: runs it with a quarter of a processor
quarter() {
	local group
	if [ -d /sys/fs/cgroup/cpu ]; then
		group=/sys/fs/cgroup/cpu/simul-bench-$BASHPID
		mkdir "$group" && echo 25000 >"$group/cpu.cfs_quota_us" || exit 1
	else
		group=/sys/fs/cgroup/simul-bench-$BASHPID
		mkdir "$group" && echo "25000 100000" >"$group/cpu.max" || exit 1
	fi
	echo "$group" >>"$dir/groups"
	echo $BASHPID >"$group/cgroup.procs"
	exec "$@"
}
[ "$(id -u)" = 0 ] || { echo "the second part needs root, for control groups"; exit 0; }
# far N DELAY: N machines; prints the executions a second of all
far() {
	local i at
	fresh "far$1" || exit 1
	for ((i = 0; i < $1; i++)); do
		python3 bench/delay.py "$port" "$2" >"$dir/port$i" &
		pids+=($!)
	done
	sleep 2
	for ((i = 0; i < $1; i++)); do
		at=$(cat "$dir/port$i")
		(quarter "$SIMUL" run -q --strategy optimal --search "postgresql://boss@127.0.0.1:$at/far$1" --time "${seconds}s" --json "$dir/f$i.json" --output "$dir" -- \
			"$dir/slower" >/dev/null) &
		machines+=($!)
	done
	wait "${machines[@]}"
	machines=()
	calc "$(sql "far$1" 'SELECT sum(executions) FROM simul_search.slot') / $seconds"
	[ ${#pids[@]} = 0 ] || kill "${pids[@]}"
	pids=()
}
one=$(far 1 0)
eight=$(far 8 0.02)
[ -z "$one" ] || echo "executions a second: one slow machine $one, eight that are 20 ms away $eight; efficiency $(calc "$eight / $one / 8")"
mapfile -t groups <"$dir/groups"
