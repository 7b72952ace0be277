# Installs missing packages, builds and runs. CMake does the building.
#
#   make          build/acevec
#   make demo     trains on WordNet's glosses and shows neighbours
#   make test     runs every test; also test-asan, test-tsan (sanitizers), valgrind
#   make test-arm64  unit tests and command line for ARM64, in an emulator; installs packages of arm64
#   make tidy     clang-tidy on each source, SINCE=REVISION on those changed since then
#   make soak     30 minutes of killing and resuming runs, full disks, large numbers
#   make fuzz     searches for inputs that make readers fail, MINUTES=10 for each reader
#   make mpi      build/acevec-mpi, for several machines under mpirun (docs/cluster.md)
#   make install  the program, manual pages, completions, pages and their scripts to PREFIX (/usr/local)
#                 under DESTDIR; make uninstall with the same PREFIX and DESTDIR removes them
#   make deb      a Debian package of the same, in build/
#   make wheel    a package for pip, in build/ (docs/python.md)
#   make bench    compares speed and quality with fastText; also bench-cores, bench-kernels, bench-noise,
#                 bench-observed, bench-precision, bench-scaling, bench-sentences, and
#                 bench-team COMMAND='16 kg -train ...', a forecast for 16 threads
#   make bench-readme CORPUS=enwiki.txt  README's table and picture, in about half an hour
#
# demo, test and bench first install missing packages of Debian or Ubuntu. If none is missing they need
# neither the network nor root. Other folders and options:
#
#   make test BUILD=build-strict CMAKE_FLAGS=-DACEVEC_WERROR=ON CTEST_FLAGS=--verbose

BUILD ?= build
CMAKE_FLAGS ?=
CTEST_FLAGS ?=
SOAK_FLAGS ?=
MINUTES ?= 10
FUZZ_SECONDS ?= $(shell expr 60 \* $(MINUTES))
DEMO_WORDS ?= violin january river mathematics bread angry
DEMO_SENTENCE ?= 'a feeling of great happiness' 'an instrument for measuring temperature'

BUILD_PACKAGES := g++ cmake make libhwy-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev \
                  libexpat1-dev libicu-dev libutf8proc-dev libxxhash-dev robin-map-dev nlohmann-json3-dev
TEST_PACKAGES  := $(BUILD_PACKAGES) doctest-dev python3-numpy python3-scipy python3-gensim \
                  python3-matplotlib python3-sklearn python3-pandas python3-pip python3-venv mypy \
                  libopenmpi-dev openmpi-bin fasttext wordnet-base bzip2 xz-utils zstd \
                  libbenchmark-dev libopenblas-dev
DEMO_PACKAGES  := $(BUILD_PACKAGES) wordnet-base
BENCH_PACKAGES := $(BUILD_PACKAGES) wordnet-base fasttext python3-gensim python3-scipy \
                  python3-matplotlib python3-sklearn libbenchmark-dev libopenblas-dev

MPI_PACKAGES := $(BUILD_PACKAGES) libopenmpi-dev openmpi-bin
CLANG_PACKAGES := $(TEST_PACKAGES) clang
ARM64_PACKAGES := $(BUILD_PACKAGES) doctest-dev g++-aarch64-linux-gnu qemu-user libhwy-dev:arm64 zlib1g-dev:arm64 \
                  liblzma-dev:arm64 libzstd-dev:arm64 libbz2-dev:arm64 libexpat1-dev:arm64 libicu-dev:arm64 libutf8proc-dev:arm64 libxxhash-dev:arm64
VALGRIND_PACKAGES := $(DEMO_PACKAGES) valgrind

JOBS := $(shell nproc 2>/dev/null || echo 2)
# Used only for a fresh build folder; an old one keeps its generator.
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: all mpi demo test test-asan test-tsan test-arm64 valgrind fuzz tidy soak install uninstall deb wheel bench bench-cores bench-kernels \
        bench-noise bench-observed bench-precision bench-readme bench-scaling bench-sentences bench-team clean help
.DEFAULT_GOAL := all

all:
	@cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target acevec --parallel $(JOBS)

mpi:
	$(call install,$(MPI_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_MPI=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target acevec-mpi --parallel $(JOBS)

# $(call install,PACKAGES): installs missing packages. Without apt-get, or without a package of that
# name, it prints a line and continues.
define install
@missing=; \
for package in $(1); do \
  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q ' installed$$' || \
    missing="$$missing $$package"; \
done; \
[ -n "$$missing" ] || exit 0; \
sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
if ! command -v apt-get >/dev/null || ! command -v $${sudo:-true} >/dev/null; then \
  echo "Install these packages if they are missing:$$missing"; \
  exit 0; \
fi; \
echo "Installing$$missing"; \
$$sudo apt-get update -qq; \
known=; \
for package in $$missing; do \
  if apt-cache show $$package >/dev/null 2>&1; then known="$$known $$package"; \
  else echo "This system has no package $$package; continuing without it"; fi; \
done; \
[ -z "$$known" ] || \
  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$known
endef

# The commands are those that a user would type, and make prints them.
demo:
	$(call install,$(DEMO_PACKAGES))
	@echo 'The first build takes some minutes.'
	@$(MAKE) --no-print-directory all
	data/wordnet-glosses $(BUILD)/glosses.txt
	$(BUILD)/acevec -train $(BUILD)/glosses.txt -output $(BUILD)/glosses.bin -min-count 10
	$(BUILD)/acevec nn $(BUILD)/glosses.bin $(DEMO_WORDS)
	$(BUILD)/acevec sentence -train $(BUILD)/glosses.txt \
	  -init $(BUILD)/glosses.bin -output $(BUILD)/glosses.sentences
	$(BUILD)/acevec sentence nn $(BUILD)/glosses.sentences $(BUILD)/glosses.txt $(DEMO_SENTENCE) -top 5
	@echo
	@echo 'Next, for example:'
	@echo '  $(BUILD)/acevec nn $(BUILD)/glosses.bin WORD ...         # neighbours of your words'
	@echo '  $(BUILD)/acevec -train TEXT -output vectors.bin       # vectors of your text, packed or not'
	@echo '  $(BUILD)/acevec --help                                # every option'
	@echo '  make test                                          # every test'

# One more test than cores: some wait for a signal or a pipe.
TESTS_AT_ONCE := $(shell expr $(JOBS) + 1)

# With acevec-mpi where there is MPI; not under sanitizers, which find leaks in MPI itself.
MPI_FLAG = $$(command -v mpicxx >/dev/null && echo -DACEVEC_MPI=ON)

# Builds the benchmarks too, so that they still compile.
test:
	$(call install,$(TEST_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_TESTS=ON $(MPI_FLAG) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error --parallel $(TESTS_AT_ONCE) \
	  $(CTEST_FLAGS); status=$$?; \
	grep -o 'skipped: .*' $(BUILD)/Testing/Temporary/LastTest.log | sort -u; exit $$status

# With clang the tests and the fuzz targets share a build; the tests can do without it.
ASAN_FLAGS := -DACEVEC_MPI=OFF -DACEVEC_SANITIZE=address -DCMAKE_BUILD_TYPE=None
FUZZ_FLAGS := -DACEVEC_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++

# The Python tests run acevec over and over on inputs that other tests have too; they are left out.
test-asan:
	$(call install,$(CLANG_PACKAGES))
	@$(MAKE) --no-print-directory test BUILD=$(BUILD)-asan \
	  CMAKE_FLAGS="$(ASAN_FLAGS) $$(command -v clang++ >/dev/null && echo $(FUZZ_FLAGS))" \
	  CTEST_FLAGS="--exclude-regex '^(eval|python)/' $(CTEST_FLAGS)"

# cli/full-disk-parts has a full TMPDIR, where the sanitizer wants to put something itself.
test-tsan:
	$(call install,$(CLANG_PACKAGES))
	@TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 \
	  $(MAKE) --no-print-directory test BUILD=$(BUILD)-tsan \
	  CMAKE_FLAGS="-DACEVEC_MPI=OFF -DACEVEC_SANITIZE=thread -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=clang++" \
	  CTEST_FLAGS="--exclude-regex '^(eval|python)/|full-disk-parts' $(CTEST_FLAGS)"

# Files that this machine's program has written are read there too, and the other way round.
test-arm64:
	@dpkg --print-foreign-architectures | grep -qx arm64 || $$([ "$$(id -u)" = 0 ] || echo sudo) dpkg --add-architecture arm64
	$(call install,$(ARM64_PACKAGES))
	@$(MAKE) --no-print-directory all
	@cmake -S . -B $(BUILD)-arm64 --toolchain tests/arm64/toolchain.cmake -DACEVEC_TESTS=ON \
	  -DACEVEC_HERE=$(abspath $(BUILD))/acevec $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-arm64 --parallel $(JOBS)
	@ctest --test-dir $(BUILD)-arm64 --output-on-failure --no-tests=error --parallel $(TESTS_AT_ONCE) \
	  $(CTEST_FLAGS)

# The demo in small: reading, training, writing, neighbours.
VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
            --errors-for-leak-kinds=definite

valgrind:
	$(call install,$(VALGRIND_PACKAGES))
	@$(MAKE) --no-print-directory all
	data/wordnet-glosses $(BUILD)/glosses.txt
	head -n 300 $(BUILD)/glosses.txt >$(BUILD)/few-glosses.txt
	$(VALGRIND) $(BUILD)/acevec -train $(BUILD)/few-glosses.txt -output $(BUILD)/few.bin \
	  -min-count 2 -iter 1
	$(VALGRIND) $(BUILD)/acevec -train $(BUILD)/few-glosses.txt -output $(BUILD)/few.bin \
	  -min-count 2 -iter 1 -ace 1 -checkpoint $(BUILD)/few.ck -checkpoint-every 50%
	$(VALGRIND) $(BUILD)/acevec nn $(BUILD)/few.bin of

fuzz:
	$(call install,$(CLANG_PACKAGES))
	@cmake -S . -B $(BUILD)-asan $(ASAN_FLAGS) $(FUZZ_FLAGS) $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-asan --target fuzz --parallel $(JOBS)
	tests/fuzz/run $(BUILD)-asan $(FUZZ_SECONDS)

# clang-tidy on each source by itself: all, or with SINCE=REVISION those changed since then.
SINCE ?=
tidy:
	$(call install,$(CLANG_PACKAGES) clang-tidy)
	@cmake -S . -B $(BUILD)-tidy -DACEVEC_UNITY=OFF $(CMAKE_FLAGS) >/dev/null
	@files=$$([ -z "$(SINCE)" ] || git diff --name-only --diff-filter=d "$(SINCE)" -- src | \
	  sed 's/[.]h$$/.cc/' | sort -u | while read -r file; do [ ! -e "$$file" ] || echo "/$$file$$"; done); \
	[ -n "$$files" ] || [ -z "$(SINCE)" ] || exit 0; \
	run-clang-tidy -quiet -p $(BUILD)-tidy -extra-arg=-Wno-unknown-warning-option \
	  $${files:-/src/} 2>&1 | grep --line-buffered -E 'error:|warning:|^\s+\^' && exit 1 || :

soak: all
	tests/soak/soak.py --acevec $(BUILD)/acevec $(SOAK_FLAGS)
	tests/soak/cluster.py --acevec $(BUILD)/acevec || [ $$? = 77 ]

# Builds first only if nothing is built, so `sudo make install` after `make` compiles nothing.
install:
	@[ -x $(BUILD)/acevec ] || $(MAKE) --no-print-directory all
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

# What `make install` would write is staged and removed by name; only folders of ours go too.
uninstall:
	@staged=$$(mktemp -d); trap 'rm -rf "$$staged"' EXIT; \
	DESTDIR="$$staged" cmake --install $(BUILD) --prefix "$(PREFIX)" >/dev/null && \
	find "$$staged" -depth | while IFS= read -r path; do \
	  target="$(DESTDIR)$${path#"$$staged"}"; \
	  if [ -L "$$path" ] || [ ! -d "$$path" ]; then rm -f -- "$$target" || exit 1; \
	  else case $$path/ in */doc/acevec/*) rmdir -- "$$target" 2>/dev/null || :;; esac; fi; \
	done

deb:
	$(call install,$(BUILD_PACKAGES) dpkg-dev file)
	@$(MAKE) --no-print-directory all
	cd $(BUILD) && cpack
	@ls $(BUILD)/acevec_*.deb

wheel:
	$(call install,$(BUILD_PACKAGES) python3-numpy)
	@cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target acevec-portable --parallel $(JOBS)
	@$$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3) python/backend.py $(BUILD)

bench:
	$(call install,$(BENCH_PACKAGES))
	@$(MAKE) --no-print-directory all
	ACEVEC=$(BUILD)/acevec eval/bench/word.py

bench-cores:
	$(call install,$(BENCH_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_BENCH=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target bench_cores --parallel $(JOBS)
	$(BUILD)/bench_cores

bench-kernels:
	$(call install,$(BENCH_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_BENCH=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target bench_kernels --parallel $(JOBS)
	eval/bench/kernels.py $(BUILD)/bench_kernels

bench-noise:
	$(call install,$(BENCH_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_BENCH=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target bench_noise --parallel $(JOBS)
	eval/bench/noise.py $(BUILD)/bench_noise

bench-observed:
	$(call install,$(BENCH_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_BENCH=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target bench_observed --parallel $(JOBS)
	$(BUILD)/bench_observed

bench-team:
	@[ -n "$(COMMAND)" ] || { echo "make bench-team: of what? COMMAND='16 kg -train triples.tsv'" >&2; exit 2; }
	$(call install,$(BENCH_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_BENCH=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target bench_team --parallel $(JOBS)
	$(BUILD)/bench_team $(COMMAND)

# word2vec.c is not in Debian: the one on the PATH takes part.
FRONTIER = eval/bench/word.py --sizes 100 --threads 2 --rounds 1 --iter 1,5 --alpha 0.025,0.05,0.1 \
           --tools acevec,gensim,word2vec,fasttext
bench-readme:
	@[ -n "$(CORPUS)" ] || { echo 'make bench-readme: which text? CORPUS=enwiki.txt' >&2; exit 2; }
	$(call install,$(BENCH_PACKAGES))
	@$(MAKE) --no-print-directory all
	data/wordnet-glosses $(BUILD)/glosses.txt
	head -c 30000000 $(CORPUS) >$(BUILD)/part.txt
	ACEVEC=$(BUILD)/acevec $(FRONTIER) --corpus $(BUILD)/glosses.txt --out eval/results/frontier-2m.tsv
	ACEVEC=$(BUILD)/acevec $(FRONTIER) --corpus $(BUILD)/part.txt --out eval/results/frontier-5m.tsv
	eval/bench/plot_overview.py eval/results/overview.png "WordNet's glosses: 1.8 M tokens=frontier-2m.tsv" \
	  'Wikipedia: 5.1 M tokens=frontier-5m.tsv'

bench-precision:
	$(call install,$(BENCH_PACKAGES))
	@$(MAKE) --no-print-directory all
	ACEVEC=$(BUILD)/acevec eval/bench/precision.py

bench-scaling:
	$(call install,$(BENCH_PACKAGES))
	@$(MAKE) --no-print-directory all
	ACEVEC=$(BUILD)/acevec eval/bench/scaling.py

bench-sentences:
	$(call install,$(BENCH_PACKAGES))
	@cmake -S . -B $(BUILD) -DACEVEC_BENCH=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) --target acevec bench_gru --parallel $(JOBS)
	ACEVEC=$(BUILD)/acevec eval/bench/sentences.py

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-arm64

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
