#!/bin/bash
# The inputs of the fuzz targets (tests/fuzz/corpus.tar.xz) are those of this version: simul reads its recordings and certificates, each kind of failure
# and each target has some. After a change of a format, tests/fuzz/regenerate.sh makes new ones.
. "$(dirname "$0")/lib.sh"
suite corpus
. tests/fuzz/lib.sh
CORPUS=$work/inputs
unpack_corpus "$CORPUS" || exit 1
again="tests/fuzz/regenerate.sh makes a new corpus"

# of_version FILES HEADER NAME: the first line of each file ends with the number of the version that the header defines, and simul shows the file.
of_version() {
	local f version seen=0 bad=0
	version=$(sed -n "s/^#define $3 //p" "$2")
	[ -n "$version" ] || { echo "$2 does not define $3"; return 1; }
	for f in $1; do
		[ -e "$f" ] || continue
		seen=$((seen + 1))
		[[ $(head -n 1 "$f") == *" $version" ]] || { echo "$f is not of version $version: $again"; bad=1; }
		simul_run show "$f" >"$dir/shown" 2>"$dir/said" && [ -s "$dir/shown" ] || { cat "$dir/said"; echo "simul show $f: $again"; bad=1; }
	done
	[ $seen -gt 0 ] || { echo "there is no $1: $again"; return 1; }
	return $bad
}
recordings() { of_version "$CORPUS/recording/*.simul" recorder/recording.h RECORDING_VERSION; }
certificates() { of_version "$CORPUS/certificate/*.cert" enforce/certificate.h CERTIFICATE_VERSION; }

# Each kind of failure that a recording may have is in one.
kinds() {
	local k missing
	missing=$(sed -nE 's/^\| `kind WORD` \| (.*) \|$/\1/p' docs/format.md | grep -oE '`[a-z]+`' | tr -d '`' | while read -r k; do
		grep -qx "kind $k" "$CORPUS"/recording/*.simul || echo "$k"; done)
	expect_eq "kinds of failures that no recording has" "" "$missing"
}

# Each target has a folder and each folder a target.
targets() {
	expect_eq "folders of tests/fuzz/corpus.tar.xz" "$(printf '%s\n' tests/fuzz/fuzz_*.c | sed 's|.*/fuzz_||; s|\.c$||')" "$(ls "$CORPUS")"
}

# The page of the format is that of this version.
page() {
	expect_eq "version in docs/format.md" "$(sed -n 's/^#define RECORDING_VERSION //p' recorder/recording.h)" "$(sed -nE '1s/.*version ([0-9]+)$/\1/p' docs/format.md)"
}

# A recording of another version, and one with a wrong checksum, are noticed.
noticed() {
	local first
	first=$(ls "$CORPUS"/recording/*.simul | head -n 1)
	[ -n "$first" ] || return 1
	mkdir -p "$dir/old/recording" "$dir/new/recording" "$dir/damaged/recording"
	sed '1s/[0-9]*$/1/' "$first" >"$dir/old/recording/x.simul"
	sed '1s/[0-9]*$/99999/' "$first" >"$dir/new/recording/x.simul"
	sed '$s/.$/g/' "$first" >"$dir/damaged/recording/x.simul"
	for first in old new damaged; do
		! CORPUS=$dir/$first recordings >"$dir/$first/said" || { echo "a recording that is $first is not noticed"; return 1; }
		grep -qF "$again" "$dir/$first/said" || { cat "$dir/$first/said"; return 1; }
	done
}

run_case "recordings" recordings
run_case "certificates" certificates
run_case "kinds of failures" kinds
run_case "targets" targets
run_case "version in docs/format.md" page
run_case "mistakes are noticed" noticed
finish
