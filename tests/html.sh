#!/bin/bash
# The page of `simul show --html`, in a headless Chromium with real keys and clicks (tests/html/page.py): recordings of demos, one with more
# than 10,000 steps, one whose names and output contain markup, some whose source or program has changed. Also the messages of --html when
# it cannot write.
. "$(dirname "$0")/lib.sh"
suite html
export PYTHONDONTWRITEBYTECODE=1

if ! python3 -c 'import sys; sys.path.insert(0, "tests/html"); import chromium; sys.exit(chromium.find() is None)'; then
	echo "FAIL html: there is no chromium (or no python3) here; the pages were not tested. .ci/deps --test installs them."
	echo "0 passed, 1 failed"
	exit 1
fi

# page NAME SOURCE [RUN OPTION...] [-- ARGUMENT...]: builds a program, records its bug and writes NAME.html
page() {
	local name=$1 source=$2 options=() status
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1") && shift; done
	mkdir -p "$work/$name" && cp "$source" "$work/$name/" && (
		cd "$work/$name" && case $source in
		*.cc) g++ -std=c++17 -g -O1 -pthread -o prog "$(basename "$source")" -lgtest -lgtest_main ;;
		*) gcc -g -O1 -pthread -o prog "$(basename "$source")" ;;
		esac
	) || return 1
	within 60 "$SIMUL" run -q --output "$work/$name" "${options[@]}" -- "$work/$name/prog" >"$work/$name/run.txt" 2>&1
	status=$?
	[ $status = 1 ] || { cat "$work/$name/run.txt"; echo "no bug was found: exit status $status"; return 1; }
	show_page "$name"
}

show_page() { within 60 "$SIMUL" show --html "$work/$1.html" "$work/$1/prog-1.simul"; }

prepare() {
	page wakeup demos/lost_wakeup/prog.c && page dekker demos/dekker/prog.c --model tso &&
		page aba demos/aba_stack/prog.c && page long tests/html/long.c --strategy random --seed 3 &&
		page pso tests/html/many_stores.c --model pso --no-minimize &&
		page hostile tests/html/hostile.c && page teardown tests/html/teardown.c && page gtest tests/mistakes/early_flag.cc && page gone demos/lost_wakeup/prog.c &&
		page rebuilt demos/lost_wakeup/prog.c || return 1
	python3 tests/html/hostile.py "$work/hostile/prog-1.simul" && show_page hostile || return 1
	rm "$work/gone/prog.c" && show_page gone || return 1
	(cd "$work/rebuilt" && gcc -g -O0 -pthread -o prog prog.c) && show_page rebuilt
}
run_case "html: recordings are made, and pages of them" prepare
wait
[ "$(cat "$work/results")" = "ok html: recordings are made, and pages of them" ] || finish

# ---- writing the page ----

rec=$work/wakeup/prog-1.simul

# refuses TEXT ARGUMENT...: exit status 2 and one line that says TEXT
refuses() {
	local text=$1 status
	shift
	within 60 "$SIMUL" show "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	cat "$dir/out" "$dir/err"
	expect_eq "exit status" 2 $status && expect_eq "lines on standard error" 1 "$(wc -l <"$dir/err")" &&
		expect_eq "bytes on standard output" 0 "$(wc -c <"$dir/out")" && grep -qF -- "$text" "$dir/err"
}
same_twice() {
	mkdir "$dir/elsewhere" && cd "$dir/elsewhere" &&
		TZ=Asia/Tokyo LC_ALL=C COLUMNS=60 "$SIMUL" show --html - "$rec" >"$dir/second.html" && cmp "$work/wakeup.html" "$dir/second.html"
}
overwrites() {
	echo old >"$dir/page.html" && ln "$dir/page.html" "$dir/kept" && "$SIMUL" show --html "$dir/page.html" "$rec" || return 1
	# the new page replaces the old file: a process that has the old one open can still read it
	expect_eq "the old file" old "$(cat "$dir/kept")" && cmp "$dir/page.html" "$work/wakeup.html" &&
		expect_eq "files left behind" "" "$(find "$dir" -name '.*')"
}
no_room() { # no partly written file is left behind
	(ulimit -f 8 && trap '' XFSZ && "$SIMUL" show --html "$dir/page.html" "$rec" 2>"$dir/err")
	expect_eq "exit status" 2 $? && grep -q "cannot be written" "$dir/err" && [ ! -e "$dir/page.html" ] &&
		expect_eq "files left" "" "$(find "$dir" -name '*page*')"
}
damaged() {
	sed 's/lock/lick/' "$rec" >"$dir/bad.simul" && refuses "is damaged" --html "$dir/p.html" "$dir/bad.simul" && [ ! -e "$dir/p.html" ]
}
cut() { head -c 900 "$rec" >"$dir/cut.simul" && refuses "is incomplete" --html "$dir/p.html" "$dir/cut.simul"; }
a_directory() { refuses "it is a directory" --html "$dir" "$rec"; }
a_device() { refuses "not a regular file" --html /dev/null "$rec" && [ -c /dev/null ]; }
itself() { cp "$rec" "$dir/r.simul" && refuses "the recording itself" --html "$dir/r.simul" "$dir/r.simul" && cmp "$rec" "$dir/r.simul"; }
nowhere() { refuses "No such file or directory" --html "$dir/none/p.html" "$rec"; }
no_name() { refuses "the name is empty" --html "" "$rec"; }
two_forms() { refuses "one of --html, --json and --dot" --html "$dir/p.html" --json "$rec"; }
secrets() { # a recording from someone else must not bring files other than sources into the page
	echo "a secret" >"$dir/id_rsa" && cp "$rec" "$dir/r.simul" &&
		python3 tests/html/hostile.py --file "$dir" id_rsa "$dir/r.simul" && "$SIMUL" show --html "$dir/p.html" "$dir/r.simul" || return 1
	grep -q 'id_rsa' "$dir/p.html" && ! grep -q "a secret" "$dir/p.html" && grep -q "not that of a source file" "$dir/p.html"
}
for c in same_twice overwrites no_room damaged cut a_directory a_device itself nowhere no_name two_forms secrets; do
	run_case "html: $c" $c
done
wait

# ---- the page in a browser ----

within 200 python3 tests/html/page.py "$work" 2>&1 | tee "$work/page.log"
[ "${PIPESTATUS[0]}" = 0 ] || echo "FAIL html: page.py ended with an error" | tee -a "$work/results"
grep -E '^(ok|FAIL) ' "$work/page.log" >>"$work/results"
finish
