# Libraries that only some options need: the command is not linked with them, and says so when they are missing.

# ICU and libstdc++ came with libxml2. Together they took more than half of the time to start.
not_linked() {
	ldd "$SIMUL" >"$dir/ldd" || return 1
	grep -q 'libdw\.so' "$dir/ldd" || { cat "$dir/ldd"; return 1; }
	expect_eq "libraries for some options" '' "$(grep -oE '^\s*lib(xml2|icu|stdc|pq)\S*' "$dir/ldd")"
}

# damaged FILE: simul finds this library first, and cannot load it.
damaged() {
	mkdir -p "$dir/lib" && : >"$dir/lib/$1"
}

# for_junit: the library that --junit loads. Its version is the one of the headers that simul was built with.
for_junit() { grep -aoE 'libxml2\.so\.[0-9]+' "$SIMUL" | head -n 1; }

# The message comes before a test runs and before there is a file of results.
no_libxml() {
	local lib
	lib=$(for_junit)
	damaged "$lib"
	fails 2 "--junit: the library $lib cannot be loaded ($dir/lib/$lib: file too short); Debian's package libxml2" env LD_LIBRARY_PATH="$dir/lib" \
		"$SIMUL" stress --output "$dir/o" --junit "$dir/r.xml" --json "$dir/r.json" -- "$bin/fine" || return 1
	expect_eq "lines of results" 0 "$(wc -l <"$dir/out")" && expect_eq "files" '' "$(ls -d "$dir"/o "$dir"/r.* 2>/dev/null)" || return 1
	works 0 env LD_LIBRARY_PATH="$dir/lib" "$SIMUL" stress --output "$dir/o" --json "$dir/r.json" -- "$bin/fine"
}

# A library that lacks what is called.
other_libxml() {
	local lib
	lib=$(for_junit)
	mkdir -p "$dir/lib" && echo 'int xmlTextWriterWriteAttribute(void) { return 0; }' | gcc -shared -x c - -o "$dir/lib/$lib" || return 1
	fails 2 "--junit: the library $lib has no function xmlTextWriterStartElement; the one of Debian's package libxml2" \
		env LD_LIBRARY_PATH="$dir/lib" "$SIMUL" stress --output "$dir/o" --junit "$dir/r.xml" -- "$bin/fine" && [ ! -e "$dir/r.xml" ]
}

no_libpq() {
	damaged libpq.so.5
	fails 2 "--search: the library libpq.so.5 cannot be loaded ($dir/lib/libpq.so.5: file too short); Debian's package libpq5 has it" \
		env LD_LIBRARY_PATH="$dir/lib" "$SIMUL" run --search postgresql://boss@127.0.0.1:1/x -- "$bin/fine"
}

ldd "$SIMUL" | grep -qE "lib[a-z]*san\.so" || run_case "libraries for some options are not linked" not_linked # sanitizers need libstdc++
run_case "--junit without libxml2" no_libxml
run_case "--junit with another libxml2" other_libxml
run_case "--search without libpq" no_libpq
