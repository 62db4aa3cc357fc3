# Executions start from the same files, and simul restores these when it ends.

# prepare_files: changes to the folder "w" of the case, which contains only "history".
prepare_files() {
	mkdir "$dir/w" && cd "$dir/w" && printf 'before\n' >history
}

files_are() {
	expect_eq files "$1" "$(LC_ALL=C ls -R . | tr '\n' ' ')"
}
as_before() { files_are '.: history ' && expect_eq history before "$(cat history)"; }

files_complete() {
	prepare_files || return 1
	works 0 "$SIMUL" run --output "$dir" --json "$dir/r.json" "$@" -- "$bin/files" || return 1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions 6 "$(json "$dir/r.json" executions)" &&
		as_before
}

# Confirming replays start from the original files and restore them; the search ends with the original files.
files_bug() {
	prepare_files || return 1
	works 1 "$SIMUL" run --output "$dir" --json "$dir/r.json" "$@" -- "$bin/files" bug || return 1
	expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" && as_before || return 1
	# A replay restores everything, so that it can be repeated.
	works 1 "$SIMUL" replay --times 3 "$dir"/files-1.simul && says "3 of 3 times" &&
		as_before || return 1
	works 1 "$SIMUL" replay "$dir"/files-1.simul && says "1 of 1 time" && as_before
}

files_keep_going() {
	prepare_files || return 1
	works 1 "$SIMUL" run --keep-going --keep-files "$dir/kept" --output "$dir" --json "$dir/r.json" "$@" -- "$bin/files" bug || return 1
	expect_eq "distinct traces" 6 "$(json "$dir/r.json" distinct_traces)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		as_before && expect_eq "characters of order" 3 "$(wc -c <"$dir/kept/files-1$PWD/order")"
}

# A shell script that creates files and then execs the test.
files_wrapper() {
	prepare_files || return 1
	printf '#!/bin/sh\nset -C\necho x >wrapped || exit 9\nexec "%s"\n' "$bin/files" >"$dir/wrapper"
	chmod +x "$dir/wrapper"
	works 0 "$SIMUL" run --output "$dir" --json "$dir/r.json" "$@" -- "$dir/wrapper" || return 1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq "distinct traces" 6 "$(json "$dir/r.json" distinct_traces)" &&
		as_before
}

# If simul is killed by SIGKILL, the files of the running execution stay, but none of simul's.
files_killed() {
	local pid before after f
	prepare_files || return 1
	before=$(left_in_tmp)
	"$SIMUL" run --output "$dir" "$@" -- "$bin/files" loop >/dev/null 2>&1 </dev/null &
	pid=$!
	sleep 0.7
	kill -KILL $pid
	wait $pid 2>/dev/null
	no_processes "$bin/files loop" || return 1
	after=$(left_in_tmp)
	expect_eq "files with simul's name" "$before" "$after" || return 1
	for f in * dir/*; do
		case $f in
		dir | history | made | order | dir/inside | 'dir/*') ;;
		*) echo "left behind: $f"; return 1 ;;
		esac
	done
	expect_eq "first line of history" before "$(head -n 1 history)"
}

# simul reports a file that is too large to be kept.
files_large() {
	prepare_files || return 1
	truncate -s 20M history
	works 0 "$SIMUL" run --output "$dir" "$@" -- "$bin/files" || return 1
	says "a file cannot be put back before the next execution (it is too large" && says "/w/history"
}

files_pbzip2() {
	local prog
	prog=$(command -v pbzip2) || { echo "pbzip2 is not installed (make deps-test installs it)"; exit 77; }
	mkdir "$dir/w" && cd "$dir/w" || return 1
	seq 1 60000 >a.txt
	works 0 "$SIMUL" run --executions 20 --output "$dir" --json "$dir/r.json" -- "$prog" "$@" -p3 -b1 -q a.txt || return 1
	expect_eq executions 20 "$(json "$dir/r.json" executions)" && files_are '.: a.txt ' && cmp <(seq 1 60000) a.txt
}

# Programs of tests/run/ that check the files at their start, with a process for each execution.
files_program() {
	gcc -D_GNU_SOURCE -g -pthread -o "$dir/prog" "tests/run/$1.c" || return 1
	prepare_files || return 1
	works 0 "$SIMUL" run --isolation exec --output "$dir" --json "$dir/r.json" --threads "$2" -- "$dir/prog" || return 1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" &&
		expect_eq history before "$(cat history)" && [ "$(json "$dir/r.json" executions)" -gt 1 ]
}

for isolation in fork exec; do
	for backend in fiber kernel; do
		run_case "files: complete $isolation $backend" files_complete --isolation $isolation --threads $backend
		[ $isolation = fork ] || for program in files_make files_change; do
			run_case "files: $program exec $backend" files_program $program $backend
		done
		run_case "files: bug $isolation $backend" files_bug --isolation $isolation --threads $backend
		run_case "files: keep going $isolation $backend" files_keep_going --isolation $isolation --threads $backend
	done
	run_case "files: wrapper $isolation" files_wrapper --isolation $isolation
	run_case "files: killed $isolation" files_killed --isolation $isolation
	run_case "files: large $isolation" files_large --isolation $isolation
done
pbzips=("files: pbzip2 -k" "files: pbzip2 -k -f" "files: pbzip2, which removes its input")
one_of "${pbzips[0]}" "${pbzips[@]}" && run_case "${pbzips[0]}" files_pbzip2 -k
one_of "${pbzips[1]}" "${pbzips[@]}" && run_case "${pbzips[1]}" files_pbzip2 -k -f
one_of "${pbzips[2]}" "${pbzips[@]}" && run_case "${pbzips[2]}" files_pbzip2
