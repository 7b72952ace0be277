#!/bin/sh
# Downloads MNIST, 60,000 and 10,000 images of digits with their labels: the four IDX files, gzip,
# for acevec metric and eval/papers/metric.py.
#
#   data/get-mnist.sh [DIR]     DIR: where they go, data/mnist beside this script when not given
#
# From the mirror that PyTorch uses. Cite LeCun, Bottou, Bengio and Haffner: Gradient-Based Learning
# Applied to Document Recognition, Proceedings of the IEEE 86(11), 1998.
set -eu
. "$(dirname "$0")/download.sh"

source=https://ossci-datasets.s3.amazonaws.com/mnist
dir=${1:-$(dirname "$0")/mnist}

# get FILE SUM: SUM is the SHA-256 of what is packed in it
get() {
    if [ -s "$dir/$1" ]; then
        echo "$dir/$1: already there"
        return
    fi
    fetch "$source/$1" "$work/$1"
    sum=$(gzip -dc "$work/$1" 2>/dev/null | sha256sum | cut -d ' ' -f 1)
    [ "$sum" = "$2" ] ||
        fail "$source/$1 is not MNIST's file; see whether the address still serves it"
    mv "$work/$1" "$dir/$1"
    echo "$dir/$1: complete"
}

make_work "$dir"

get train-images-idx3-ubyte.gz \
    ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db
get train-labels-idx1-ubyte.gz \
    65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5
get t10k-images-idx3-ubyte.gz \
    0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7
get t10k-labels-idx1-ubyte.gz \
    ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2
