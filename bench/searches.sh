# Whole searches (bench/searches.tsv), from the command's start to its end, and the same programs with other tools: sourced by run.sh.
. bench/others.sh
begin searches 35
[ -x $dir/tree_memory ] || compile tree_memory bench/tree_memory.c

# simul_search NAME: sets seconds, executions (their number), share (of 100 events, those that were executed and not restored, docs/rewinding.md) and state
# ("" or the reason why the search is not complete)
simul_search() {
	local start=${EPOCHREALTIME/./}
	search --isolation rewind --time "${limit}s" -- "$dir/$1"
	seconds=$(calc "(${EPOCHREALTIME/./} - $start) / 1e6")
	executions=$(json $dir/r.json executions)
	share=$(calc "100 - 100 * $(json $dir/r.json restored_events) / $(json $dir/r.json events)" | xargs printf '%.0f')
	state=""
	[ "$(json $dir/r.json verdict)" = complete ] || state="not done in $limit s"
}

rm -f $dir/w.*
while IFS=$'\t' read -r name source defines memory; do
	[[ $name != \#* && -n $name ]] || continue
	file=${name//[^a-z0-9]/_}
	# shellcheck disable=SC2086
	compile "$file" "tests/golden/$source" -I tests/golden $defines
	rm -f $dir/w.*
	others=$(others_here)
	state="" left=$others
	for ((i = 0; i < 3; i++)); do
		turn $i || break
		simul_search "$file"
		echo "$(calc "$executions / $seconds") $seconds" >>$dir/w.simul
		for tool in $left; do
			# A tool that failed once is not run again.
			other_search "$tool" "tests/golden/$source" "$defines" || left=${left/$tool/}
			[ -n "$other_failed" ] || echo "$(calc "$other_executions / $other_seconds") $other_seconds $(calc \
				"($executions / $seconds) / ($other_executions / $other_seconds)")" >>"$dir/w.$tool"
			echo "$other_executions $other_failed" >"$dir/w.$tool.last"
		done
		[ -z "$state" ] || break
	done
	note="$executions executions in $(printf '%.2f' "$(column 2 $dir/w.simul)") s, $share of 100 events executed${state:+, $state}"
	if [ "$memory" = 1 ]; then
		peak=$("$dir/tree_memory" $dir/kb "$simul" run -q --strategy optimal --isolation rewind --time "${limit}s" --output $dir/out -- "$dir/$file" >$dir/log 2>&1 \
			</dev/null && cat $dir/kb) || fail "fails under tree_memory: $name"
		note+=", peak memory $(calc "$peak / 1024" | xargs printf '%.0f') MB"
	fi
	row "$name" "$(column 1 $dir/w.simul)" /s - - "$note"
	[ "$memory" = 1 ] && row "$name: peak memory" "$(calc "$peak / 1024")" MB - - "sum of the PSS of all processes, sampled" >/dev/null
	for tool in $others; do
		read -r other_executions other_failed <"$dir/w.$tool.last"
		if [ -s "$dir/w.$tool" ]; then
			note="$other_executions executions in $(printf '%.2f' "$(column 2 "$dir/w.$tool")") s"
			[ "$other_executions" = "$executions" ] || note+=", ours $executions"
			row "  $name by $tool" "$(column 1 "$dir/w.$tool")" /s "$(column 3 "$dir/w.$tool")" "ours / $tool's" "$note"
		else
			row "  $name by $tool" "$other_failed" -
		fi
	done
done <"${SEARCHES:-bench/searches.tsv}"
