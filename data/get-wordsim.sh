#!/bin/sh
# Downloads twelve word similarity sets as TSV (word, word, human score) for eval/tools/wordsim.py.
#
#   data/get-wordsim.sh [DIR]     DIR: where rw.tsv, ws353.tsv, ... go; data/wordsim beside this script
#                                 when not given
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
#   mturk287   Radinsky et al.: A Word at a Time: Computing Word Relatedness using Temporal Semantic
#              Analysis, WWW 2011
#   mturk771   Halawi, Dror, Gabrilovich, Koren: Large-Scale Learning of Word Relatedness with
#              Constraints, KDD 2012
#   men        Bruni, Tran, Baroni: Multimodal Distributional Semantics, Journal of Artificial
#              Intelligence Research 49, 2014
#   simlex999  Hill, Reichart, Korhonen: SimLex-999: Evaluating Semantic Models with (Genuine)
#              Similarity Estimation, Computational Linguistics 41(4), 2015
#   simverb3500
#              Gerz, Vulić, Hill, Reichart, Korhonen: SimVerb-3500: A Large-Scale Evaluation Set of
#              Verb Similarity, EMNLP 2016
#   mc30       Miller and Charles: Contextual Correlates of Semantic Similarity, Language and Cognitive
#              Processes 6(1), 1991
#   yp130-verbs
#              Yang and Powers: Verb Similarity on the Taxonomy of WordNet, GWC 2006
#   verb143    Baker, Reichart, Korhonen: An Unsupervised Model for Instance Level Subcategorization
#              Acquisition, EMNLP 2014
set -eu
. "$(dirname "$0")/download.sh"

source=https://raw.githubusercontent.com/mfaruqui/eval-word-vectors/master/data/word-sim
dir=${1:-$(dirname "$0")/wordsim}

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

make_work "$dir"

get rw.tsv EN-RW-STANFORD.txt 2034
get ws353.tsv EN-WS-353-ALL.txt 353
get ws353-sim.tsv EN-WS-353-SIM.txt 203
get ws353-rel.tsv EN-WS-353-REL.txt 252
get mturk287.tsv EN-MTurk-287.txt 287
get mturk771.tsv EN-MTurk-771.txt 771
get men.tsv EN-MEN-TR-3k.txt 3000
get simlex999.tsv EN-SIMLEX-999.txt 999
get simverb3500.tsv EN-SimVerb-3500.txt 3500
get mc30.tsv EN-MC-30.txt 30
get yp130-verbs.tsv EN-YP-130.txt 130
get verb143.tsv EN-VERB-143.txt 144
