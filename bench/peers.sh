# Whole searches (bench/peers.tsv) by simul and by other tools (bench/others.sh), in processor time: sourced by run.sh.
#
# What a tool does before its first execution does not count: it compiles, simul patches and looks for shared memory. So each turn of a
# row also measures the smallest size of the same program, and takes its time and its executions off. Load changes processor time less than elapsed time, but
# it does change it: the tools run in turns, and a ratio is the median of the ratios of the turns.
. bench/others.sh
section=peers
smallest="-DN=2 -DR=1"
peers_limit=${PEERS_LIMIT:-300}
peers_turns=$((repeat < 3 ? repeat : 3))

# peer_search TOOL NAME SOURCE DEFINES: one search by simul or another tool. Sets peer_executions, peer_cpu (seconds), and peer_failed ("" or the reason for
# a failure); then it returns a failure.
peer_search() {
	local tool=$1 name=$2 source=$3 defines=$4 limit=$peers_limit
	peer_failed=""
	if [ "$tool" = simul ]; then
		cpu_time search --isolation rewind --jobs 1 --time "${limit}s" -- "$dir/$name"
		peer_executions=$(json $dir/r.json executions) peer_cpu=$cpu_seconds
		[ "$(json $dir/r.json verdict)" = complete ] || peer_failed="not done in $limit s"
	else
		other_search "$tool" "$source" "$defines"
		peer_executions=$other_executions peer_cpu=$other_cpu peer_failed=$other_failed
	fi
	[ -z "$peer_failed" ]
}

# peer_turn TOOL NAME SOURCE DEFINES: both searches of a turn. Adds a line to $dir/p.TOOL: executions a second without the start, seconds of the whole command, of
# the smallest size. Returns a failure if there is no such figure; peer_failed is the reason.
peer_turn() {
	local tool=$1 name=$2 few start
	peer_search "$tool" "${name}_smallest" "$3" "$smallest" || return 1
	few=$peer_executions start=$peer_cpu
	peer_search "$tool" "$name" "$3" "$4" || return 1
	[ "$(calc "($peer_cpu > $start && $peer_executions > $few)")" = 1 ] || { peer_failed="too small to measure"; return 1; }
	echo "$(calc "($peer_executions - $few) / ($peer_cpu - $start)") $peer_cpu $start $peer_executions" >>"$dir/p.$tool"
}

# peer_row TOOL LABEL: the row of what the turns measured, from $dir/p.TOOL and, for the ratio, from simul's
peer_row() {
	local tool=$1 label=$2 note executions ours ratio=- of=-
	executions=$(tail -n 1 "$dir/p.$tool" | cut -d' ' -f4)
	note="$executions executions in $(printf '%.2f' "$(column 2 "$dir/p.$tool")") s, start $(printf '%.2f' "$(column 3 "$dir/p.$tool")") s"
	if [ "$tool" != simul ] && [ ! -e $dir/p.simul.failed ]; then
		ours=$(tail -n 1 $dir/p.simul | cut -d' ' -f4)
		[ "$executions" = "$ours" ] || note+=", ours $ours"
		ratio=$(paste -d' ' $dir/p.simul "$dir/p.$tool" | awk 'NF == 8 { print $1 / $5 }' | median)
		of="simul over $tool"
	fi
	row "$label" "$(column 1 "$dir/p.$tool")" "/s" "$ratio" "$of" "$note"
}

while IFS=$'\t' read -r label source defines; do
	[[ $label != \#* && -n $label ]] || continue
	file=p_${label//[^a-z0-9]/_}
	# shellcheck disable=SC2086
	compile "$file" "tests/golden/$source" -I tests/golden $defines
	# shellcheck disable=SC2086
	compile "${file}_smallest" "tests/golden/$source" -I tests/golden $smallest
	rm -f $dir/p.simul $dir/p.genmc $dir/p.nidhugg $dir/p.*.failed
	tools="simul $(others_here)"
	for ((i = 0; i < peers_turns; i++)); do
		for tool in $tools; do
			# A tool that failed once is not run again.
			[ ! -e "$dir/p.$tool.failed" ] || continue
			peer_turn "$tool" "$file" "tests/golden/$source" "$defines" || echo "$peer_failed" >"$dir/p.$tool.failed"
		done
	done
	for tool in $tools; do
		name=$label
		[ "$tool" = simul ] || name="  $label by $tool"
		if [ -e "$dir/p.$tool.failed" ]; then
			row "$name" "$(cat "$dir/p.$tool.failed")" -
		else
			peer_row "$tool" "$name"
		fi
	done
done <"${PEERS:-bench/peers.tsv}"
