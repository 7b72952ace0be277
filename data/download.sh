# What the scripts that download something share: they source this file with their own arguments.
# before_dir is what a script takes before them.

name=$(basename "$0")

case $#${1-} in
    0 | 1[!-]*) ;;
    *)
        echo "$name: takes one path at most; usage: data/$name ${before_dir-}[DIR]" >&2
        exit 2
        ;;
esac

fail() {
    echo "$name: $1" >&2
    exit 1
}

# fetch URL FILE
fetch() {
    if command -v curl >/dev/null; then
        curl -fsL --retry 2 -o "$2" "$1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1"
    else
        fail "found neither curl nor wget; install one of them"
    fi || fail "could not download $1; check the network connection and run it again"
}

# make_work DIR: makes DIR and in it $work, which goes when the script ends. From inside DIR mv is a
# rename: what is moved from there to DIR is there whole or not at all.
make_work() {
    mkdir -p "$1" 2>/dev/null || fail "could not create $1; give another directory"
    work=$(mktemp -d "$1/.get-XXXXXX" 2>/dev/null) ||
        fail "could not write into $1; give another directory"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT HUP TERM
}
