#!/bin/sh
# recorder/html/assemble.sh OUT: combines page.html, its style and its program into one page. Their hashes go into the page's
# Content-Security-Policy, so a browser runs only this program, whatever a recording puts into the page.
set -eu

case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat page.css >"$tmp/css"
# one program, so that one hash is enough
{ echo "'use strict';{" && cat model.js words.js timeline.js filter.js arrows.js minimap.js panel.js values.js story.js main.js && echo '}'; } >"$tmp/js"

for f in css js; do
	# the text between the tags is hashed; recorder/html/html.c fills the placeholders in {{{ and }}}
	if grep -n '{{{\|}}}\|</script\|</style\|<!--' "$tmp/$f"; then
		echo "recorder/html: this must not stand in the page's $f" >&2
		exit 1
	fi
	# shellcheck disable=SC2046
	env printf "$(sha256sum "$tmp/$f" | cut -c1-64 | sed 's/../\\x&/g')" | base64 | tr -d '\n' >"$tmp/$f.hash"
done

while IFS= read -r line; do
	case $line in
	'{{{CSS}}}') printf '<style>' && cat "$tmp/css" && printf '</style>\n' ;;
	'{{{JS}}}') printf '<script>' && cat "$tmp/js" && printf '</script>\n' ;;
	*) printf '%s\n' "$line" | sed "s|{{{CSS_HASH}}}|$(cat "$tmp/css.hash")|; s|{{{JS_HASH}}}|$(cat "$tmp/js.hash")|" ;;
	esac
done <page.html >"$tmp/page"
mkdir -p "$(dirname "$out")" 2>/dev/null || true
mv "$tmp/page" "$out"
