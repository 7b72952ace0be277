#!/bin/sh
# Downloads what users of Amazon reviewed, in the order of time: beauty.txt (22,363 users, 12,101 items)
# and sports.txt (35,598 users, 18,357 items), a user and the user's items a line, for acevec next and
# eval/tools/sequences.py.
#
#   data/get-reviews.sh [DIR]     DIR: where they go, data/reviews beside this script when not given
#
# From the repository of S3-Rec (Zhou et al., CIKM 2020), which is the split that publications use. Cite
# McAuley, Targett, Shi and van den Hengel: Image-based Recommendations on Styles and Substitutes, SIGIR
# 2015, for the reviews.
set -eu
. "$(dirname "$0")/download.sh"

source=https://raw.githubusercontent.com/RUCAIBox/CIKM2020-S3Rec/master/data
dir=${1:-$(dirname "$0")/reviews}

# get NAME REMOTE-FILE SHA-256
get() {
    if [ -s "$dir/$1" ]; then
        echo "$dir/$1: already there"
        return
    fi
    fetch "$source/$2" "$work/$1"
    [ "$(sha256sum "$work/$1" | cut -d ' ' -f 1)" = "$3" ] ||
        fail "$source/$2 is not the file of the publications; see whether the address still serves it"
    mv "$work/$1" "$dir/$1"
    echo "$dir/$1: complete"
}

make_work "$dir"

get beauty.txt Beauty.txt 226cce9c3105299ca0db9615d7d3fb32b3175e90da43100ae352599f0f0107b8
get sports.txt Sports_and_Outdoors.txt 2a095e0648872beb9982408958290f5d655db5be2911c3756b5446de9f0b8de2
