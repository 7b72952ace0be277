#!/bin/sh
# Downloads four word similarity sets as TSV (word, word, human score) for eval/wordsim.py.
#
#   data/get-wordsim.sh [DIR]     DIR: where rw.tsv ws353.tsv ws353-sim.tsv ws353-rel.tsv go,
#                                 data/wordsim beside this script when not given
#
# From the collection of M. Faruqui and C. Dyer (Community Evaluation and Exchange of Word Vectors
# at wordvectors.org, ACL 2014 demonstrations), whose repository is under the MIT licence. Cite:
#   rw         Luong, Socher, Manning: Better Word Representations with Recursive Neural Networks
#              for Morphology, CoNLL 2013
#   ws353      Finkelstein et al.: Placing Search in Context: The Concept Revisited, ACM
#              Transactions on Information Systems 20(1), 2002
#   ws353-sim, ws353-rel
#              Agirre et al.: A Study on Similarity and Relatedness Using Distributional and
#              WordNet-based Approaches, NAACL 2009
set -eu

source=https://raw.githubusercontent.com/mfaruqui/eval-word-vectors/master/data/word-sim
dir=${1:-$(dirname "$0")/wordsim}

case $#${1-} in
    0 | 1[!-]*) ;;
    *)
        echo "get-wordsim.sh: takes one path at most; usage: data/get-wordsim.sh [DIR]" >&2
        exit 2
        ;;
esac

fail() {
    echo "get-wordsim.sh: $1" >&2
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

# get NAME REMOTE-FILE PAIRS
get() {
    if [ -s "$dir/$1" ]; then
        echo "$dir/$1: already there"
        return
    fi
    fetch "$source/$2" "$work/raw"
    awk -v OFS='\t' '{ sub(/\r$/, "") } NF >= 3 { print $1, $2, $3 }' "$work/raw" >"$work/$1"
    pairs=$(wc -l <"$work/$1")
    [ "$pairs" -eq "$3" ] ||
        fail "$source/$2 has $((pairs)) pairs, not $3; see whether the address still serves the set"
    mv "$work/$1" "$dir/$1"
    echo "$dir/$1: $3 pairs"
}

mkdir -p "$dir" 2>/dev/null || fail "could not create $dir; give another directory"
# Inside DIR, so that the final mv is a rename: a set is there whole or not at all.
work=$(mktemp -d "$dir/.get-XXXXXX" 2>/dev/null) ||
    fail "could not write into $dir; give another directory"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT HUP TERM

get rw.tsv EN-RW-STANFORD.txt 2034
get ws353.tsv EN-WS-353-ALL.txt 353
get ws353-sim.tsv EN-WS-353-SIM.txt 203
get ws353-rel.tsv EN-WS-353-REL.txt 252
