#!/bin/bash
# The ready files of docs/ci/: the shell lines of each one run, those of a night with two machines, a PostgreSQL server and the rights of docs/ci/roles.sql; and
# these rights are enough, and no more than that. Docker, Slurm, Kubernetes and the CI systems themselves are not needed and not tested.
. "$(dirname "$0")/lib.sh"
suite launchers
. "$top/tests/postgres.sh"

python3 -c 'import yaml' || { run_case "there is a YAML parser" false; finish; }
mkdir -p "$work/bin" "$work/path"
built() { gcc -g -O1 -D_GNU_SOURCE -pthread -o "$work/bin/$1" "${@:2}" || { run_case "$1 compiles" false; finish; }; }
built deadlock_test tests/stress/project/transfer_test.c
built ordered_test -DORDERED tests/stress/project/transfer_test.c
built mutex3x3 -DN=3 -DR=3 tests/golden/mutex.c
ln -s "$SIMUL" "$work/path/simul"

# apt-get, for the lines of files: a package that they name must be one that is installed here, or a file, which is unpacked.
cat >"$work/path/apt-get" <<'END'
#!/bin/sh
for a; do
	case $a in
	update | install | -*) ;;
	*.deb) dpkg -x "$a" "$installed" || exit ;;
	*) dpkg -s "$a" >/dev/null || exit ;;
	esac
done
END
chmod +x "$work/path/apt-get"
export PATH=$work/path:$PATH

# ---- the database, as docs/howto-machines.md says ----

# as ROLE: sets url
as() { url=postgresql://$1@127.0.0.1:$port/simul; }

prepare() {
	dir=$work/prepared
	mkdir -p "$dir" && cd "$dir" || return 1
	"$pg/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U boss -f "$top/docs/ci/roles.sql" postgres || return 1
	as simul_owner
	simul_run run --search "$url" -- "$work/bin/mutex3x3" && simul_run stress --search "$url" --time 20s -- "$work/bin/ordered_test" || return 1
	"$pg/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U simul_owner -f "$top/docs/ci/grants.sql" simul
}
cd "$top" || exit 1
(prepare) >"$work/prepared.log" 2>&1 || { cat "$work/prepared.log"; run_case "the database is made" false; finish; }

refused() { # STATUS TEXT COMMAND...
	local status=$1 text=$2
	shift 2
	within 60 "$@" >"$dir/said" 2>&1
	expect_eq "exit status of $*" "$status" $? && grep -F -- "$text" "$dir/said" && return 0
	cat "$dir/said"
	return 1
}
query() { "$pg/psql" -X -q -A -t -h 127.0.0.1 -p "$port" -U "$1" -d simul -c "$2" 2>&1; }

rights() {
	local t what
	cd "$dir" || return 1
	as simul_ci
	simul_run run --search "$url" --spurious 1 -- "$work/bin/mutex3x3" && simul_run work --search "$url" --idle 1s && simul_run search "$url" || return 1
	as simul_reader
	simul_run search --json now.json "$url" && expect_eq "searches" 2 "$(json now.json searches.#)" || return 1
	refused 2 "permission denied for function enter_search" "$SIMUL" run --search "$url" -- "$work/bin/mutex3x3" &&
		refused 2 "permission denied for function join_night" "$SIMUL" stress --search "$url" --time 10s -- "$work/bin/ordered_test" || return 1
	sql postgres "CREATE ROLE outsider LOGIN" || return 1
	as outsider
	refused 2 "permission denied for database" "$SIMUL" search "$url" || return 1
	# Each table, each function that only calls of other functions use, and what belongs to the owner.
	for t in $(sql simul "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname LIKE 'simul%'"); do
		for what in "SELECT FROM $t" "DELETE FROM $t" "DROP TABLE $t"; do
			query simul_ci "$what" | grep -E "permission denied|must be owner" || { echo "simul_ci: $what"; return 1; }
		done
	done
	[ -n "${t-}" ] && query simul_ci "CREATE SCHEMA other" | grep "permission denied" && query simul_ci "CREATE TEMP TABLE layout (version int)" | grep "permission denied" &&
		query simul_reader "SELECT simul_search.pages_since(NULL, 0)" | grep "permission denied" &&
		query simul_reader "SELECT simul_search.bugs_of(NULL)" | grep "permission denied" &&
		query simul_reader "SELECT simul_stress.files_of(NULL, 0)" | grep "permission denied"
}

# ---- nights ----

# lines_of FILE: the shell lines of a file of docs/ci/, with this database, and tests in $dir/opt/tests. Both machines have one working directory, as
# machines of a night must, so the names of results get the number of the machine: junit-1.xml.
lines_of() {
	local i
	case $1 in
	*.sh) cat "docs/ci/$1" ;;
	*) python3 tests/launchers/shell_lines.py "docs/ci/$1" ;;
	esac >"$dir/lines.in" || return 1
	as simul_ci
	expect_eq "addresses of the database in $1" 1 "$(grep -c "postgresql://ci@db.example.com/simul" "$dir/lines.in")" || return 1
	for i in 1 2; do
		sed "s|postgresql://ci@db.example.com/simul|$url|; s|/opt/tests/|$dir/opt/tests/|; s|[a-z/]*simul-recordings|simul-recordings-$i|; s|junit\.xml|junit-$i.xml|" \
			"$dir/lines.in" >"$dir/lines-$i.sh" && bash -n "$dir/lines-$i.sh" || return 1
	done
}

tests_in() { xmllint --xpath '//testcase/@name' "$1" | grep -o '"[^"]*"' | grep -o '[^"/]*_test' | sort | paste -sd' '; }

# night FILE NAME RESULTS VARIABLE=VALUE...: two machines have the results of one night, with the name NAME. An @ in RESULTS, the file with the results, and in
# the values is the number of the machine.
night() {
	local file=$1 name=$2 results=$3 i pids=() codes=
	shift 3
	mkdir -p "$dir/opt/tests" && cp "$work/bin"/{deadlock_test,ordered_test} "$dir/opt/tests" && ln -s opt/tests "$dir/build" && lines_of "$file" || return 1
	for i in 1 2; do
		(cd "$dir" && exec env "${@//@/$i}" bash "lines-$i.sh" >out-$i 2>err-$i) &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
		codes+=" $?"
	done
	expect_eq "exit statuses" " 1 1" "$codes" || { cat "$dir"/err-?; return 1; }
	for i in 1 2; do
		[ -e "$dir/${results//@/$i}" ] || { missing+=" $i"; continue; }
		expect_eq "tests of machine $i" "deadlock_test ordered_test" "$(tests_in "$dir/${results//@/$i}")" || return 1
	done
	expect_eq "recordings" 2 "$(find "$dir" -name '*.simul' | wc -l)" &&
		expect_eq "nights" 1 "$(sql simul "SELECT count(*) FROM simul_stress.night WHERE name = '$name'")" &&
		expect_eq "machines that began it, and that joined it" "1 1" "$(cat "$dir"/err-? | grep -c ': began a night of 2 tests') $(cat "$dir"/err-? | grep -c ': joined a night of 2 tests')"
}
# whole_night ...: the same, and each machine leaves its results
whole_night() {
	local missing=
	night "$@" && expect_eq "machines without results" "" "$missing"
}
github() { whole_night night-github.yml github-77-1 junit-@.xml GITHUB_RUN_ID=77 GITHUB_RUN_ATTEMPT=1; }
# The report of GitLab needs the results once.
gitlab() {
	local missing=
	night night-gitlab.yml gitlab-78 junit-@.xml CI_PIPELINE_ID=78 CI_NODE_INDEX=@ SIMUL_DB_PASSWORD=secret && expect_eq "machines without results" " 2" "$missing"
}
slurm() {
	expect_eq "options of sbatch" 5 "$(sed '/^#/!q' docs/ci/night-slurm.sh | grep -c '^#SBATCH --')" &&
		whole_night night-slurm.sh slurm-79 night-@.xml SLURM_ARRAY_JOB_ID=79 SLURM_ARRAY_TASK_ID=@ SLURM_CPUS_PER_TASK=2 SLURM_SUBMIT_DIR=.
}
kubernetes() { whole_night night-kubernetes.yml kubernetes-simul-night-80 out-@ JOB_NAME=simul-night-80 PROCESSORS=2 PGPASSWORD=secret; }

# ---- one machine ----

# alone FILE: the lines of the nightly job of one machine, with a project of CMake
alone() {
	python3 tests/launchers/shell_lines.py "docs/ci/$1" >"$dir/lines.sh" && mkdir -p "$dir/project/scripts" && cd "$dir/project" || return 1
	cp "$top/tests/stress/project/transfer_test.c" .
	printf '%s\n' 'cmake_minimum_required(VERSION 3.14...3.25)' 'project(p C)' 'find_package(Threads REQUIRED)' 'enable_testing()' 'add_executable(deadlock_test transfer_test.c)' \
		'target_link_libraries(deadlock_test Threads::Threads)' 'add_test(NAME deadlock_test COMMAND deadlock_test)' >CMakeLists.txt
	printf '#!/bin/sh\nsimul --version\n' >scripts/install-simul.sh
	chmod +x scripts/install-simul.sh
	within "$CASE_SECONDS" bash "$dir/lines.sh" >"$dir/out" 2>"$dir/err"
	expect_eq "exit status" 1 $? || { cat "$dir/err"; return 1; }
	expect_eq "tests" deadlock_test "$(tests_in junit.xml)" && [ -n "$(find simul-state/recordings -name '*.simul')" ]
}

# ---- the image ----

# The lines of the Dockerfile in one directory. The checkout is this one, with what is built.
image() {
	command -v dpkg-deb >/dev/null || { echo "there is no dpkg-deb"; return 77; }
	local context=$dir/context found
	mkdir -p "$context/tests" "$context/simul" || return 1
	cp -a Makefile LICENSE README.md CONTRIBUTING.md .ci ./*.pc.in base cli completion docs enforce explore fair include packaging preload recorder replay sched "$context/simul" || return 1
	[ ! -e config.mak ] || cp -a config.mak "$context/simul"
	mkdir "$context/simul/build" && cp -a build/obj build/gdb build/simul build/lib*.so* "$context/simul/build/" || return 1
	cp tests/stress/project/transfer_test.c "$context/tests/deadlock_test.c"
	: >"$context/tests/database-ca.crt"
	python3 tests/launchers/docker_lines.py docs/ci/Dockerfile >"$dir/lines.sh" || return 1
	(export context root=$dir/image installed=$dir/installed SOURCE_DATE_EPOCH=1700000000
		. "$dir/lines.sh"
		[ "$PWD" = "$dir/image/opt/tests" ] && [ -e "$PGSSLROOTCERT" ] || exit 1
		within "$CASE_SECONDS" "$installed/usr/bin/simul" run --output "$dir/found" -- ./deadlock_test) >"$dir/out" 2>&1
	expect_eq "exit status in the image" 1 $? || { cat "$dir/out"; return 1; }
	found=$(find "$dir/found" -name '*.simul')
	[ -n "$found" ] && rm -rf "$context" "$dir/image" "$dir/installed"
}

# Each file of docs/ci/ has a case here and is named in the guides.
all_files() {
	local f
	for f in docs/ci/*; do
		f=${f##*/}
		grep -qF "$f" tests/launchers.sh || { echo "no case runs $f"; return 1; }
		grep -qF "(ci/$f)" docs/howto-machines.md docs/howto-ci.md || { echo "no guide names $f"; return 1; }
	done
}

run_case "rights" rights
run_case "night-github.yml" github
run_case "night-gitlab.yml" gitlab
run_case "night-slurm.sh" slurm
run_case "night-kubernetes.yml" kubernetes
run_case "github.yml" alone github.yml
run_case "gitlab.yml" alone gitlab.yml
run_case "Dockerfile" image
run_case "all files" all_files
finish
