# The cost of patched code, with a sensor that only counts (tests/patch/count.c): sourced by run.sh. The real sensor costs more.
begin patch 2
count=${COUNT:-$PWD/build/tests/libpatchcount.so}
[ -f "$count" ] || make --no-print-directory -s tools || fail "no $count"

# patched LIBRARIES COMMAND...: runs it patched; the line of counts goes to $dir/count
patched() {
	local libs=$1
	shift
	rm -f $dir/count
	env PATCHCOUNT_LIBS="$libs" PATCHCOUNT_OUT=$dir/count LD_PRELOAD="$count" "$@"
}
counted() { sed -n "s/.* $1=\([0-9]*\).*/\1/p" $dir/count; }
elapsed() { # COMMAND...: seconds
	local start=$EPOCHREALTIME
	"$@" >$dir/out.patch 2>&1 </dev/null || fail "fails: $*"
	awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

compile accesses bench/accesses.c
rm -f $dir/a.*
for ((i = 0; ; i++)); do
	turn $i || break
	$dir/accesses $dir/native 2000000 && patched '' $dir/accesses $dir/patched 2000000 || fail "accesses fails"
	for kind in load store increment; do
		echo "$(cat $dir/patched.$kind) $(cat $dir/native.$kind)" >>$dir/a.$kind
	done
done
for kind in load store increment; do
	row "one $kind of private memory, patched" "$(column 1 $dir/a.$kind)" ns "$(awk '{ print $1 / $2 }' $dir/a.$kind | median)" \
		"the native one" "<= 10 ns wanted"
done

begin patch 2
# Patching itself: the largest installed program.
for big in /usr/bin/python3 $dir/accesses; do
	[ -x "$big" ] && break
done
for ((i = 0; ; i++)); do
	turn $i || break
	patched '' "$big" -c pass $dir/x 1 >/dev/null 2>&1 </dev/null
	awk -v us="$(counted us)" -v text="$(counted text)" 'BEGIN { print us / 1000 / (text / 1048576), us / 1000 }' >>$dir/a.startup
done
row "patching 1 MB of code ($(basename "$big"))" "$(column 1 $dir/a.startup)" ms - - "$(column 2 $dir/a.startup | xargs printf '%.0f ms in all')"

begin patch 5
# A real program with its library. Patching it happens once for a whole search, and is not counted.
if command -v sqlite3 >/dev/null; then
	cat >$dir/query.sql <<'END'
CREATE TABLE a(id INTEGER PRIMARY KEY, name TEXT, v REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) INSERT INTO a SELECT i, 'name' || (i * 7919 % 5003), i / 3.0 FROM n;
CREATE INDEX an ON a(name, v);
SELECT name, count(*), sum(v) FROM a GROUP BY name ORDER BY 3 DESC LIMIT 10;
SELECT count(*) FROM a x JOIN a y ON x.name = y.name AND x.id < y.id;
END
	for ((i = 0; ; i++)); do
	turn $i || break
		a=$(elapsed sqlite3 :memory: ".read $dir/query.sql") || exit 1
		b=$(elapsed patched libsqlite3.so.0 sqlite3 :memory: ".read $dir/query.sql") || exit 1
		awk -v a="$a" -v b="$b" -v us="$(counted us)" 'BEGIN { b -= us / 1e6; print b, b / a }' >>$dir/a.sqlite
	done
	row "sqlite3 with libsqlite3 patched" "$(column 1 $dir/a.sqlite)" s "$(column 2 $dir/a.sqlite)" "sqlite3 natively" \
		"$(($(counted accesses) / 1000000)) million accesses; <= x 10 wanted"
fi
