# Programs that nobody here wrote, with their libraries patched: sourced by tests/patch.sh. Output must be what it is natively.

need() {
	command -v "$1" >/dev/null && return
	echo "$1 is not installed (make deps-test installs it)"
	exit 77
}

# Text that compresses but is not trivial; the same bytes every time.
make_data() { awk -v n="$1" 'BEGIN { x = 1; for (i = 0; i < n; i++) { x = (x * 1103515245 + 12345) % 2147483648; print i, x, "the quick brown fox" } }'; }

# patched COMMAND...: runs it with the counting library; $libs are patched too. Appends to $dir/count.
patched() { timeout -k 5 100 env PATCHCOUNT_LIBS="$libs" PATCHCOUNT_OUT="$dir/count" LD_PRELOAD="$COUNT" "$@"; }

# checked: what the counting library wrote in this case: every program was patched and saw something
checked() {
	cat "$dir/count" || return 1
	awk '! / accesses=[0-9][0-9]/ { print "hardly any access was seen: " $0; bad = 1 }
		!/ refused=0 / { print "a module was refused: " $0; bad = 1 }
		/ traps=[0-9][0-9][0-9][0-9]/ { print "patched code is entered at too many unforeseen places: " $0; bad = 1 }
		!/ complaints=0/ { print "a call of the sensor was wrong: " $0; bad = 1 }
		END { exit bad || !NR }' "$dir/count" || return 1
	sed "s/^/$1\treal\t/" "$dir/count" >>"$work/counts"
}

# same LIBS COMMAND...: standard output and exit status natively and patched. Input: $dir/in, if there is one.
same() {
	local status libs=$1 in=/dev/null
	shift
	[ -f "$dir/in" ] && in=$dir/in
	need "$1"
	show_cmd "PATCHCOUNT_LIBS=$libs LD_PRELOAD=$COUNT $*"
	timeout -k 5 60 "$@" >"$dir/native" 2>"$dir/native.err" <"$in"
	status=$?
	patched "$@" >"$dir/patched" 2>"$dir/patched.err" <"$in"
	expect_eq "exit status" $status $? || { tail -n 5 "$dir/patched.err"; return 1; }
	[ -s "$dir/native" ] || { echo "prints nothing natively"; cat "$dir/native.err"; return 1; }
	cmp "$dir/native" "$dir/patched" || { diff "$dir/native" "$dir/patched" | head -n 10; return 1; }
}

# packs LIBS LINES PROGRAM ARGUMENTS...: compresses and unpacks, each natively and patched
packs() {
	local libs=$1 lines=$2
	shift 2
	need "$1"
	cd "$dir" || return 1
	make_data "$lines" >in
	same "$libs" "$@" -c && cp native in && same "$libs" "$@" -d -c || return 1
	make_data "$lines" | cmp - patched && checked "$1"
}

real_sqlite() {
	{
		echo 'CREATE TABLE a(id INTEGER PRIMARY KEY, name TEXT, v REAL); CREATE TABLE b(id INTEGER, a INTEGER, note TEXT);'
		echo 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO a SELECT i, "name" || (i * 7919 % 1013), i / 3.0 FROM n;'
		echo 'INSERT INTO b SELECT id * 2, id * 31 % 4000, upper(name) FROM a; CREATE INDEX ba ON b(a); CREATE INDEX an ON a(name, v);'
		echo 'CREATE TRIGGER t AFTER UPDATE ON a BEGIN UPDATE b SET note = note || "!" WHERE a = new.id; END; UPDATE a SET v = v + 1 WHERE id % 10 = 3;'
		echo 'SELECT a.name, count(*), sum(v), max(b.note) FROM a JOIN b ON b.a = a.id GROUP BY a.name ORDER BY 3 DESC LIMIT 50;'
		echo 'SELECT id, row_number() OVER (PARTITION BY id % 7 ORDER BY v DESC) r, group_concat(note) FROM (SELECT a.id, v, note FROM a LEFT JOIN b ON b.id = a.id) GROUP BY id % 97;'
		echo 'BEGIN; DELETE FROM a WHERE name LIKE "%1%"; SELECT count(*), avg(v) FROM a; ROLLBACK; SELECT count(*) FROM a; PRAGMA integrity_check;'
		echo "SELECT json_extract('{\"a\":[1,2,{\"b\":3}]}', '\$.a[2].b'), printf('%08.3f', 3.14159), date('2024-02-29', '+1 year'), hex(zeroblob(4)), 'a' LIKE 'A';"
		echo 'SELECT a1.id FROM a a1, a a2 WHERE a1.name = a2.name AND a1.id < a2.id AND a1.id % 50 = 1 ORDER BY a2.v, a1.id; EXPLAIN QUERY PLAN SELECT * FROM a WHERE name = 5; ANALYZE; VACUUM; SELECT nonsense;'
	} >"$dir/in"
	same libsqlite3.so.0 sqlite3 :memory: && checked sqlite3
}

real_python() {
	local python=python3
	[ -x /usr/bin/python3 ] && python=/usr/bin/python3
	cat >"$dir/script.py" <<'END'
import collections, decimal, fractions, functools, hashlib, heapq, itertools, json, math, random, re, struct, threading, zlib
random.seed(7)
data = [{"id": i, "name": "n%d" % (i * 7919 % 1013), "v": [i / 3, None, True, "\u00e9\n"]} for i in range(800)]
text = json.dumps(data, indent=1)
print(len(text), json.loads(text) == data)
print(sorted((d["name"], -d["id"]) for d in data)[:20])
print(len(re.findall(r'"name": "n(\d+)3"', text)), re.sub(r"(\w+) (\w+)", r"\2 \1", "one two three four"))
total, lock = [0], threading.Lock()
def work(n):
    for i in range(300):
        with lock:
            total[0] += i * n
threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
[t.start() for t in threads]; [t.join() for t in threads]
print(total, hashlib.sha256(text.encode()).hexdigest(), zlib.crc32(text.encode()))
print(decimal.Decimal(2).sqrt(), fractions.Fraction(355, 113) ** 5, 3 ** 500 % 10 ** 40, math.gamma(4.5))
def primes():
    found = []
    for n in itertools.count(2):
        if all(n % p for p in found):
            found.append(n); yield n
print(list(itertools.islice(primes(), 100))[-5:])
class A:
    __slots__ = "x",
    def __init__(self, x): self.x = x
    def __lt__(self, o): return self.x < o.x
heap = [A(random.random()) for _ in range(500)]; heapq.heapify(heap)
print(heapq.heappop(heap).x, collections.Counter(text).most_common(5))
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(200), struct.pack("<dIhq", 1.5, 7, -3, 1 << 40), "%r %s" % (2 ** 0.5, "x".join("abc")))
try:
    [][1]
except IndexError as e:
    print(type(e), e)
def deep(n): return deep(n + 1)
try:
    deep(0)
except RecursionError as e:
    print(e)
END
	same libz.so.1:libexpat.so.1 "$python" -S -B "$dir/script.py" && checked python3
}

real_redis() {
	local i how libs=libjemalloc.so.2:liblua5.1.so.0:libhiredis.so.0.14
	need redis-server
	cd "$dir" || return 1
	for ((i = 0; i < 60; i++)); do
		echo "SET key:$i value-$((i * 7919))"; echo "INCRBY n $i"; echo "LPUSH list $i $((i * 3))"; echo "ZADD z $((i * 37 % 61)) m$i"
		echo "HSET h f$((i % 20)) $i"; echo "SADD s $((i % 17))"; echo "APPEND key:$((i % 5)) more"
	done >in
	cat >>in <<'END'
LRANGE list 0 20
ZRANGEBYSCORE z 3 30 WITHSCORES
HGETALL h
SORT s DESC
SETBIT bits 77 1
BITCOUNT bits
PFADD hll a b c d
PFCOUNT hll
XADD stream 1-1 a 1 b 2
XRANGE stream - +
GEOADD g 13.361389 38.115556 a 15.087269 37.502669 b
GEODIST g a b
EVAL "local s = 0 for i = 1, 500 do s = s + i * i end redis.call('SET', 'lua', s) return {s, KEYS[1], cjson.encode({1, 2})}" 1 k
MULTI
INCR n
GET n
EXEC
OBJECT ENCODING list
DUMP key:3
NOSUCH command
DBSIZE
DEBUG SLEEP 0
END
	for how in native patched; do
		if [ $how = native ]; then
			redis-server --port 0 --unixsocket "$dir/s" --save '' --dir "$dir" --io-threads 2 >server.$how 2>&1 &
		else
			patched redis-server --port 0 --unixsocket "$dir/s" --save '' --dir "$dir" --io-threads 2 >server.$how 2>&1 &
		fi
		i=0
		until [ "$(redis-cli -s "$dir/s" ping 2>/dev/null)" = PONG ]; do
			sleep 0.1
			[ $((i++)) -lt 150 ] || { echo "the server ($how) does not answer"; tail server.$how; kill %% 2>/dev/null; return 1; }
		done
		timeout 60 redis-cli -s "$dir/s" <in >$how 2>&1
		redis-cli -s "$dir/s" SHUTDOWN NOSAVE >/dev/null 2>&1
		wait %% || { echo "exit status $? ($how)"; tail server.$how; return 1; }
	done
	[ "$(wc -l <native)" -gt 400 ] || { echo "too little was done"; return 1; }
	cmp native patched || { diff native patched | head; return 1; }
	checked redis-server
}

real_openssl() {
	local d
	need openssl
	make_data 20000 >"$dir/data"
	for d in md5 sha1 sha256 sha512 sha3-256 blake2b512; do
		same libcrypto.so.3:libssl.so.3 openssl dgst -$d "$dir/data" || return 1
	done
	same libcrypto.so.3:libssl.so.3 openssl enc -aes-256-cbc -K "$(printf '%064d' 7)" -iv "$(printf '%032d' 3)" -in "$dir/data" || return 1
	same libcrypto.so.3:libssl.so.3 openssl enc -chacha20 -K "$(printf '%064d' 7)" -iv "$(printf '%032d' 3)" -in "$dir/data" || return 1
	openssl genrsa -out "$dir/key" 2048 2>/dev/null || return 1
	same libcrypto.so.3:libssl.so.3 openssl dgst -sha256 -sign "$dir/key" "$dir/data" || return 1
	checked openssl
}

real_git() {
	local i
	need git
	cd "$dir" || return 1
	export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z' GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	for i in native patched; do
		git init -q repository.$i && cd repository.$i || return 1
		for f in $(seq 30); do make_data "$f" >"file$f"; done
		git add . && git commit -qm one
		for f in $(seq 2 3 30); do make_data $((f + 7)) | sed 5,6d >"file$f"; done
		if [ $i = native ]; then
			git commit -qam two
		else
			libs=libz.so.1:libpcre2-8.so.0 patched git commit -qam two || return 1
		fi
		cd ..
	done
	expect_eq commit "$(git -C repository.native rev-parse HEAD)" "$(git -C repository.patched rev-parse HEAD)" || return 1
	cd repository.patched || return 1
	same libz.so.1:libpcre2-8.so.0 git --no-pager log -p --stat || return 1
	same libz.so.1:libpcre2-8.so.0 git --no-pager grep -nE '7[0-9]* the quick' HEAD || return 1
	same libz.so.1:libpcre2-8.so.0 git rev-list --objects --all || return 1
	same libz.so.1:libpcre2-8.so.0 git blame -s file29 || return 1
	checked git
}

real_perl() {
	export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
	cat >"$dir/script.pl" <<'END'
		my %h; my @w = map { ($_ * 7919) % 1013 } 1 .. 3000; $h{"k$_"}++ for @w;
		print join(",", map { "$_=$h{$_}" } sort { $h{$b} <=> $h{$a} || $a cmp $b } keys %h), "\n";
		my $t = join " ", @w; my $n = () = $t =~ /\b(\d)(\d)?\1\b/g; print "$n\n"; (my $u = $t) =~ s/(\d+) (\d+)/$2-$1/g; print substr($u, 0, 200), "\n";
		sub f { my $n = shift; $n < 2 ? $n : f($n - 1) + f($n - 2) } print f(17), "\n";
		for my $i (1 .. 50) { eval { die { code => $i } if $i % 3 == 0; 1 } or print $@->{code}, " " } print "\n";
		my @s = sort { my $r = $a <=> $b; $r } @w; my $c = sub { my $x = shift; sub { $x += shift } }->(5); $c->($_) for @s; print $c->(0), "\n";
		local $_ = "abc" x 1000; tr/a-c/b-d/; print length, unpack("%32C*", $_), sprintf("%.10g %s %05d %e", 3.14159, "x", 42, 1e10), "\n";
		open my $f, "<", \"line1\nline2\nline3\n"; while (<$f>) { chomp; print "$.:$_;" } print "\n"; package P; sub new { bless {}, shift } sub DESTROY { print "gone\n" } package main; { my $o = P->new }
		local $SIG{ALRM} = sub { die "alarm\n" }; eval { alarm 1; 1 while 1 }; print $@;
END
	same '' perl "$dir/script.pl" && checked perl
}

real_bash() {
	cat >"$dir/in" <<'END'
declare -A count; fib() { (( $1 < 2 )) && echo $1 || echo $(( $(fib $(($1 - 1))) + $(fib $(($1 - 2))) )); }
for i in {1..300}; do k=$(( i * 7919 % 53 )); (( count[k$k]++ )); done
for k in "${!count[@]}"; do echo "$k ${count[$k]}"; done | while read -r a b; do echo "$b:$a"; done | sort
echo "$(fib 8)"; s="the quick brown fox"; echo "${s//o/0} ${s^^} ${#s} ${s:4:5} ${s%% *}"
[[ $s =~ (q[a-z]+)\ (b.*) ]] && echo "${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"
trap 'echo usr1' USR1; kill -USR1 $$; trap 'echo trapped' TRAP; kill -TRAP $$; trap - TRAP
case $s in *quick*) echo yes ;;& the*) echo also ;; esac; printf '%5.2f|%-5s|%q\n' 3.14159 ab 'c d'
a=(5 3 9 1); IFS=$'\n'; sorted=($(sort -n <<<"${a[*]}")); echo "${sorted[*]}"; x=$(cat <<<"here"); echo $x; ( exit 7 ); echo $?
coproc cat; echo through >&"${COPROC[1]}"; read -r line <&"${COPROC[0]}"; echo "$line"; kill %1; wait; until false; do break; done; echo end
END
	same libtinfo.so.6 bash --norc --noprofile && checked bash
}

real() {
	local name=$1
	shift
	[ -n "$only" ] && [[ " $only " != *" $name "* ]] && return
	of_many 3 "$name" && run_case "$name" "$@"
}

real sqlite3 real_sqlite
real python3 real_python
real xz packs liblzma.so.5 8000 xz -T2 --block-size=100KiB
real zstd packs liblz4.so.1 60000 zstd -T2 -5
real pbzip2 packs libbz2.so.1.0 20000 pbzip2 -p2 -b1
real pigz packs libz.so.1 40000 pigz -p2
real redis-server real_redis
real openssl real_openssl
real git real_git
real perl real_perl
real bash real_bash
