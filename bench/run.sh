#!/bin/bash
# make bench: the cost of control, as ratios of numbers from one run (absolute times depend on the machine and its load).
#
#   bench/run.sh [--json FILE] [SECTION...]    sections: isolation snapshots points memory scaling searches
#                                              bounded patch sensor enforce cooperative weak (all)
#                                              peers (only if named: it takes several minutes)
#
# Every figure is a median of runs that alternate with the runs of its reference; a ratio is the median of the ratios of such pairs.
# docs/benchmarks.md explains the table. Variables:
#   BENCH_SECONDS  approximate total time in seconds (200)     REPEAT      maximum number of runs for a median (7)
#   BENCH_JSON     as --json                                   BENCH_LIMIT seconds for one search of `searches` (30), `cooperative` (5)
#   BOUNDED_LIMIT  seconds for one search of `bounded` (10)     BOUNDED     table to use instead of bench/bounded.tsv
#   COOPERATIVE    table to use instead of bench/cooperative.tsv
#   SEARCHES       the table of those searches (bench/searches.tsv)
#   GENMC, NIDHUGG executables of genmc and nidhuggc, to run the same searches with them (bench/others.sh)
#   PEERS_LIMIT    seconds for one search of `peers` (300)     PEERS       table to use instead of bench/peers.tsv
cd "$(dirname "$0")/.." || exit 1
simul=${SIMUL:-$PWD/build/simul}
budget=${BENCH_SECONDS:-200} repeat=${REPEAT:-7} out=${BENCH_JSON-}
limit=${BENCH_LIMIT:-30} cooperative_limit=${BENCH_LIMIT:-5}
pace_ms=${BENCH_PACE_MS:-100}
all="isolation snapshots points memory scaling searches bounded patch sensor enforce cooperative weak"
sections=()
usage() { sed -n '2,/^cd /{/^#/s/^# \?//p}' "$0"; }
while [ $# -gt 0 ]; do
	case $1 in
	--json) [ $# -gt 1 ] || { usage >&2; exit 2; }; out=$2; shift ;;
	-h | --help) usage; exit 0 ;;
	*) [[ " $all peers " == *" $1 "* ]] || { echo "bench: no section $1: there are $all peers" >&2; exit 2; }; sections+=("$1") ;;
	esac
	shift
done
[[ $budget =~ ^[1-9][0-9]*$ && $repeat =~ ^[1-9][0-9]*$ && $limit =~ ^[1-9][0-9]*$ && $pace_ms =~ ^[1-9][0-9]*$ ]] ||
	{ echo "bench: BENCH_SECONDS, REPEAT, BENCH_LIMIT and BENCH_PACE_MS are whole numbers above 0" >&2; exit 2; }
[ ${#sections[@]} -gt 0 ] || read -ra sections <<<"$all"

. bench/lib.sh
started=$(now_ms) load_before=$(cut -d' ' -f1 /proc/loadavg)
dir=${BENCH_DIR:-$PWD/build/bench} # absolute: programs write there
[ -x build/tests/json_get ] || make --no-print-directory -s tools || exit 1
mkdir -p "$dir" && : >"$dir/rows" || exit 1
printf '%s processors, load %s; x: ratio within this run\n' "$(nproc)" "$load_before"
for part in "${sections[@]}"; do
	if [ "$part" != weak ]; then
		# shellcheck disable=SC1090
		. "bench/$part.sh"
	elif [ $(($(now_ms) - started)) -lt $((budget * 900)) ]; then
		echo
		BENCH_ROWS=$dir/rows bench/weak.sh || exit 1
	else
		section=weak
		row "searches with store buffers (bench/weak.sh)" "left out" - - - "the time was up"
	fi
done
printf '%.0f s; load %s\n' "$(calc "($(now_ms) - $started) / 1000")" "$(cut -d' ' -f1 /proc/loadavg)"
[ -z "$out" ] || write_json "$out"
