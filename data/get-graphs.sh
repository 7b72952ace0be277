#!/bin/sh
# Downloads a public knowledge graph for acevec kg: train.tsv, valid.tsv and test.tsv, a triple a line.
#
#   data/get-graphs.sh GRAPH [DIR]     DIR: where they go, data/graphs/GRAPH when not given
#
#   GRAPH       triples                      cite
#   fb15k-237   272,115 / 17,535 / 20,466    Toutanova and Chen 2015
#   wn18rr      86,835 / 3,034 / 3,134       Dettmers et al. 2018
#   yago3-10    1,079,040 / 5,000 / 5,000    Mahdisoltani et al. 2015, Dettmers et al. 2018
#   codex-s     32,888 / 1,827 / 1,828       Safavi and Koutra 2020
#   codex-m     185,584 / 10,310 / 10,311    the same
#   codex-l     551,193 / 30,622 / 30,622    the same
#
# Entities have the names of WordNet (dog.n.01) in wn18rr and of YAGO in yago3-10, the ids of Freebase in
# fb15k-237 and those of Wikidata in codex.
set -eu
graph=${1-}
[ $# = 0 ] || shift
before_dir="GRAPH "
. "$(dirname "$0")/download.sh"

# The folder that has the graph, and for each part the name that Git gives its bytes, a hash of them.
hosted=https://raw.githubusercontent.com
named=$hosted/villmow/datasets_knowledge_embedding/9e392453d6804d1f51c13e5650ae58ed48b638d5
codex=$hosted/tsafavi/codex/3132e426c2a6b643b70bad679905a3a6270be440/data/triples/$graph
case $graph in
    fb15k-237)
        source=$named/FB15k-237
        train=bf5b69e4e34bdc72d1a15e102fd7bc66c5683c39
        valid=49f3b02859a2157b1ac75798694829639cbf3778
        test=4e7bb71d14f6238053e9233b498fb57c2a6ba323
        ;;
    wn18rr)
        source=$named/WN18RR/text
        train=43f6446a702dda8079dfe38bb171547117c1395b
        valid=58a1659b544257229e901795f1cab8542620bc0c
        test=6cc670774750b6eefd0a2f7fa7817e07d7d3d23f
        ;;
    yago3-10)
        source=$named/other/YAGO3-10
        train=1543056ff5af6d3bf841510129529e91e9a8627c
        valid=c9fd7c76478e901e3fc09bed0fdf19a8a3020b56
        test=509c864adc123211e6372bc1a4833d05b9d1b8b3
        ;;
    codex-s)
        source=$codex
        train=56aa40d8fb0229a150372cb40096e2f1b5601cef
        valid=d5acbd01f35758bda56d1713cc6ed18c358ce746
        test=e3ac6c3c5e56010b1d6d1bc8c3aad742ac453639
        ;;
    codex-m)
        source=$codex
        train=3aed27810ca6fbdee5597e1142603b277fad3fd2
        valid=b5648a7daadf276f2da3552c0a91265e26091753
        test=cf9416e164aef8aa55eb3f645a9d9d5d32093ad5
        ;;
    codex-l)
        source=$codex
        train=be8735738ba4728430922c630f25bf01bcc9eaac
        valid=3e5cec60786324253038169b05ecec82dc1358a8
        test=1303c431701b3f0d2e116467c7fb7b0f210ce869
        ;;
    *)
        echo "$name: which graph? give fb15k-237, wn18rr, yago3-10, codex-s, codex-m or codex-l" >&2
        exit 2
        ;;
esac
dir=${1:-$(dirname "$0")/graphs/$graph}

# get PART HASH
get() {
    if [ -s "$dir/$1.tsv" ]; then
        echo "$dir/$1.tsv: already there"
        return
    fi
    fetch "$source/$1.txt" "$work/$1"
    [ "$({ printf 'blob %d\0' "$(wc -c <"$work/$1")" && cat "$work/$1"; } | sha1sum | cut -d ' ' -f 1)" = "$2" ] ||
        fail "$source/$1.txt is not the file of the publications; see whether the address still serves it"
    mv "$work/$1" "$dir/$1.tsv"
    echo "$dir/$1.tsv: complete, $(wc -l <"$dir/$1.tsv") triples"
}

make_work "$dir"

get train "$train"
get valid "$valid"
get test "$test"
