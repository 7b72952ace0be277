#!/bin/sh
# Downloads text8, the usual small training corpus: 100 MB, 17 M words, a-z and single spaces.
#
#   data/get-text8.sh [DIR]     DIR: where text8 goes, data/ (beside this script) when not given
#
# The first 10^8 characters of an English Wikipedia dump of 2006 cleaned by Matt Mahoney (About the
# Test Data, mattmahoney.net/dc/textdata.html); Wikipedia's text is under CC BY-SA and the GFDL.
set -eu
. "$(dirname "$0")/download.sh"

url=http://mattmahoney.net/dc/text8.zip
dir=${1:-$(dirname "$0")}

# unpack ZIP: its only member to stdout; GNU gzip reads such zip files too
unpack() {
    if command -v unzip >/dev/null; then
        unzip -p "$1" 2>/dev/null
    else
        gzip -dc <"$1" 2>/dev/null
    fi
}

if [ -s "$dir/text8" ]; then
    echo "$dir/text8: already there"
    exit
fi
make_work "$dir"

fetch "$url" "$work/text8.zip"
unpack "$work/text8.zip" >"$work/text8" ||
    fail "could not unpack $url; install unzip and check for 150 MB of free disk"
bytes=$(wc -c <"$work/text8")
[ "$bytes" -eq 100000000 ] ||
    fail "$url has $((bytes)) bytes of text, not 100000000; run it again"
mv "$work/text8" "$dir/text8"
echo "$dir/text8: 100000000 bytes"
