# Sourced by suites that need PostgreSQL, after suite(): starts a server in a temporary directory, with the role boss. It ends with the suite.
# sql DATABASE QUERY, fresh DATABASE (makes it, and sets url), stop_server, start_server.
port=$((20000 + $$ % 20000))

pg=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
if [ -z "$pg" ]; then
	echo "FAIL $suite_name: there is no PostgreSQL here; nothing was tested. .ci/deps --test installs it."
	echo "0 passed, 1 failed"
	exit 1
fi

server=$(mktemp -d /tmp/simul-postgres-XXXXXX) || exit 1
# PostgreSQL does not run as root.
as_server() {
	if [ "$(id -u)" = 0 ]; then
		(cd / && setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$server" PATH="$pg:$PATH" "$@")
	else
		(cd / && PATH="$pg:$PATH" "$@")
	fi
}
start_server() {
	as_server pg_ctl -D "$server/data" -l "$server/log" -w -t 60 -o "-k $server -p $port -c listen_addresses=127.0.0.1 -c max_connections=90 -c fsync=off" start >>"$server/ctl" 2>&1
}
stop_server() { as_server pg_ctl -D "$server/data" -m immediate stop >>"$server/ctl" 2>&1; }
end_server() { stop_server; rm -rf "$server"; }
trap end_server EXIT
[ "$(id -u)" != 0 ] || chown nobody "$server"
as_server initdb -D "$server/data" -U boss -A trust -N >"$server.init" 2>&1 || { cat "$server.init"; run_case "initdb" false; finish; }
rm -f "$server.init"
# Passwords are asked for in one database only.
as_server sh -c "{ echo 'host guarded all 127.0.0.1/32 scram-sha-256'; cat '$server/data/pg_hba.conf'; } >'$server/hba' && mv '$server/hba' '$server/data/pg_hba.conf'"
start_server || { cat "$server/log"; run_case "the server starts" false; finish; }

sql() { "$pg/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U boss -d "$1" -c "$2"; }
# fresh NAME: makes a database, and sets url
fresh() {
	sql postgres "CREATE DATABASE $1" || return 1
	database=$1
	url=postgresql://boss@127.0.0.1:$port/$1
}
