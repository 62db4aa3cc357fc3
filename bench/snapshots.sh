# Executions that compute between their steps, forked from the checkpoint or from snapshots inside the tree (preload/life/snapshot.h): sourced by run.sh.
begin snapshots 6
compile computes tests/snapshots/computes.c
head -c 300000 </dev/zero | od -An -tx4 -v | awk '{ printf "%s %d\n", $0, NR * NR }' | head -c 300000 >$dir/text
some=${BENCH_SNAPSHOT_EXECUTIONS:-100}

# compare NAME PROGRAM...: compares processor time; on an idle machine wall time shows the same
compare() {
	local name=$1 whole parts i
	shift
	rm -f $dir/s.all
	for ((i = 0; ; i++)); do
		turn $i || break
		whole=$(per_execution 10 $((some / 2 + 10)) --jobs 1 --strategy optimal --isolation fork --no-snapshots -- "$@") || exit 1
		parts=$(per_execution 10 $((some + 10)) --jobs 1 --strategy optimal --isolation fork -- "$@") || exit 1
		echo "$(calc "1e6 / $parts") $(calc "$whole / $parts") $whole" >>$dir/s.all
	done
	row "executions a second from snapshots: $name" "$(column 1 $dir/s.all)" /s "$(column 2 $dir/s.all)" "those from the checkpoint" \
		"$(awk -v us="$(column 3 $dir/s.all)" 'BEGIN { printf "%.1f ms each", us / 1000 }')"
}
for rounds in 3000 30000 300000 1000000; do compare "computes $rounds" $dir/computes $rounds 6; done
if command -v pigz >/dev/null; then compare "pigz, 300 KB" pigz -p 2 -b 128 -c $dir/text; fi
if command -v xz >/dev/null; then compare "xz, 300 KB" xz -T 2 --block-size=50000 -c $dir/text; fi
