"""
Prints what a Dockerfile does as a shell script that needs no Docker: each absolute path lies below the directory $root.

docker_lines.py FILE

The stages use one file system here. FROM is left out, COPY and WORKDIR are cp and cd, and the words of ENV are exported. RUN lines may name
absolute paths below /src and /opt only: others would be those of this machine.
"""
import re
import sys


def below_root(text):
    return re.sub(r"(?<![\w./*$])/(src|opt)(?=/|\s|$)", r'"$root"/\1', text)


def main():
    text = open(sys.argv[1]).read()
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, rest = line.split(None, 1)
        other = [p for p in re.findall(r"(?<![\w./*])/\w+", rest) if p not in ("/src", "/opt")]
        if other:
            sys.exit("%s: %s: a path outside /src and /opt: %s" % (sys.argv[1], line, other[0]))
        if word == "FROM":
            continue
        if word == "COPY":
            words = rest.split()
            source = below_root(words[1]) if words[0].startswith("--from=") else '"$context"/' + words[0]
            to = below_root(words[-1])
            made = to if to.endswith("/") else '"$(dirname %s)"' % to
            print("mkdir -p %s && cp -a %s %s || exit" % (made, source, to))
        elif word == "WORKDIR":
            print("mkdir -p %s && cd %s || exit" % (below_root(rest), below_root(rest)))
        elif word == "ENV":
            print("export " + below_root(rest))
        elif word == "RUN":
            print("(%s\n) || exit" % below_root(rest))
        else:
            sys.exit("%s: %s is not known to this test" % (sys.argv[1], word))


main()
