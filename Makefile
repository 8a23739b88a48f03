# The tasks of this package; `make help` lists them.

SWIFT ?= swift
DOCC ?= docc
LZ4 := .ci/dependencies liblz4 lz4.h liblz4-dev lz4
SQLITE := .ci/dependencies sqlite3 sqlite3.h libsqlite3-dev sqlite
ROCKSDB := .ci/dependencies rocksdb rocksdb/c.h librocksdb-dev rocksdb
LMDB := .ci/dependencies lmdb lmdb.h liblmdb-dev lmdb
LEVELDB := .ci/dependencies leveldb leveldb/c.h libleveldb-dev leveldb
TIDY := Sources Tests Benchmarks Package.swift
# The brief form of `make cluster-test` is not optimised, and does not depend on the servers' own
# recovery from faults.
CLUSTER_BUILD := CONFIGURATION=$(if $(BRIEF),debug,release)
CLUSTER_BRIEF := --servers 3 --rounds 3 --seconds 1 --seed 1 --faults copies
CLUSTER_SCOPE := $(if $(BRIEF),$(CLUSTER_BRIEF),--rounds $(or $(ROUNDS),20))
# There are no XCTest cases, and listing them would cost a second process.
TEST := $(SWIFT) test --disable-xctest
# BUILT is the folder of a finished build, whose programs some targets use instead of building them.
export BUILT

.PHONY: help demo test test-engine test-others prove histories replicas images fuzz corpus \
  fixtures format style lint docs bench door door-test door-asan powercuts soak tsan asan coverage \
  mutants clean dependencies counts differential surface cluster-demo cluster-test install package \
  parquet-test

help: ## Lists the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 14

demo: dependencies ## Runs the demonstration; EXPORT=export.xml uses your own Apple Health export
	$(SWIFT) build -c release --product healthstore
	.build/release/healthstore demo $(if $(EXPORT),--export "$(EXPORT)")

# The tests run in two processes at once, because many of them wait for programs and disks.
test: dependencies ## Runs the tests, with the first few of the random cases
	$(SWIFT) build --build-tests
	$(MAKE) -j 2 test-engine test-others

ENGINE := ^(SampleLog|Simulation|Feed|HealthStore|Replication|Process|Fuzz)Tests[.]
test-engine:
	$(TEST) --skip-build --ignore-lock --filter '$(ENGINE)'
test-others:
	$(TEST) --skip-build --ignore-lock --skip '$(ENGINE)'

parquet-test: dependencies ## Reads Parquet and Arrow exports with pyarrow, DuckDB and Polars
	test -x .build/readers/bin/python || python3 -m venv .build/readers
	.build/readers/bin/pip install -q pyarrow duckdb polars
	TABLE_PYTHON=$(CURDIR)/.build/readers/bin/python $(TEST) --filter TableReadersTests

prove: export THOROUGH = 1
prove: histories replicas images asan ## Runs the long checks, and all cases of every test

histories: dependencies ## Checks the feeds' properties for 2,000 histories, and 100,000 commits
	$(SWIFT) run -c release Prove histories --histories 2000 --commits 100000

replicas: dependencies ## Checks the guarantees of replication for 20,000 histories of clusters
	$(SWIFT) run -c release Prove replicas --histories 20000

cluster-demo: dependencies ## Runs a primary, two replicas and a failover over NATS, and measures
	SWIFT=$(SWIFT) .ci/cluster demo --servers 3 --samples $(or $(SAMPLES),518400)
	SWIFT=$(SWIFT) .ci/cluster figures

cluster-test: dependencies ## Tests replication over real NATS servers; BRIEF=1 takes minutes
	SWIFT=$(SWIFT) $(CLUSTER_BUILD) .ci/cluster prove $(CLUSTER_SCOPE)
	SWIFT=$(SWIFT) $(CLUSTER_BUILD) .ci/cluster demo --samples 40000 $(if $(BRIEF),--servers 3)

images: dependencies ## Opens 300,000 disk images of crashes, damages stores; BRIEF=1: fewer bits
	$(SWIFT) run -c release Prove images $(if $(BRIEF),--brief)

# Single-threaded tests, which cannot race and take much of the time: whole targets, then suites of
# damage, failing system calls, values, codecs and merges.
ONE_THREAD := ^(AppleHealthExport|CoreLocation|Fuzz|Listing|Simulation|Tidy|Tool)Tests[.]
ONE_THREAD := $(ONE_THREAD)|^UniformTypeIdentifiersTests[.]|InjectionTests|SubjectLeakTests
ONE_THREAD := $(ONE_THREAD)|HealthStoreTests[.](Units|Samples|Predicates)[A-Z]|StoreRotTests
ONE_THREAD := $(ONE_THREAD)|StatisticsMergeTests|StatisticsGridTests|CategoryDurationMergeTests
ONE_THREAD := $(ONE_THREAD)|CodecTests|MetamorphicTests|RepairTests|SegmentDamageTests
ONE_THREAD := $(ONE_THREAD)|ExpiryModelTests|SubjectDamageTests|PayloadTests|ValueFilterTests
ONE_THREAD := $(ONE_THREAD)|DiskUseTests|EstimateTests|SharedRowSealerTests|LiveCollectionTests
ONE_THREAD := $(ONE_THREAD)|HealthTransferTests[.]DoorTests|SampleLogTests[.](Merging)?ModelTests
ONE_THREAD := $(ONE_THREAD)|SharedBlockTests|RestoreTests|DerivedIdentifierTests|RandomAccessColumn

# Reports are printed last, so that a long log does not hide them.
RACES := log_path=$(CURDIR)/.build/races

# A dependent package may enable warnings unknown to us, so warnings are errors only here, where all
# targets are built anyway.
STRICT := -Xswiftc -warnings-as-errors

# Without optimisation the thread sanitizer makes the tests a hundred times slower.
tsan: dependencies ## Runs all multi-threaded tests under the thread sanitizer
	rm -f .build/races.*
	TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/races:print_suppressions=0:$(RACES) \
	  .ci/optimized \
	  $(TEST) --sanitize=thread -Xswiftc -DTHREAD_SANITIZER $(STRICT) \
	  --scratch-path .build/tsan --skip '$(ONE_THREAD)' || { cat .build/races.* 2>/dev/null; exit 1; }

# Some tests bound their memory, so the quarantine for freed memory is limited to 16 MiB.
asan: export ASAN_OPTIONS = quarantine_size_mb=16
asan: export LSAN_OPTIONS = suppressions=$(CURDIR)/.ci/leaks:print_suppressions=0
asan: dependencies ## Runs all tests under the address sanitizer, with leak check and coverage
	SWIFT=$(SWIFT) FLAGS="--sanitize=address $(STRICT)" .ci/coverage $(ONLY)

coverage: dependencies ## Measures the line coverage of all tests; ALL=1 lists uncovered lines
	SWIFT=$(SWIFT) .ci/coverage

mutants: dependencies ## Mutates the log COUNT=200 times, chosen by SEED=1; tests must fail
	SWIFT=$(SWIFT) COUNT=$(COUNT) SEED=$(SEED) .ci/mutants

fuzz: dependencies ## Feeds hostile bytes to every decoder; SECONDS=60, TARGETS="Log Segment"
	SWIFT=$(SWIFT) SECONDS_EACH=$(or $(SECONDS),10) TARGETS="$(TARGETS)" .ci/fuzz

corpus: dependencies ## Writes the initial corpus for fuzzing
	WRITE_FUZZ_CORPUS=1 $(TEST) --filter 'FuzzTests.CorpusTests/.*seeds'

fixtures: dependencies ## Writes the fixture stores of the newest format version
	WRITE_FIXTURES=1 $(TEST) --filter 'FormatTests/.*writes'

format: ## Formats the code
	$(SWIFT) format -i -r $(TIDY)

style: ## Checks the formatting
	$(SWIFT) format lint -s -r $(TIDY)

lint: dependencies style ## Checks the formatting and the rules of TidyTests
	$(TEST) --filter TidyTests

docs: dependencies ## Builds the documentation into .build/docs/site
	SWIFT=$(SWIFT) DOCC=$(DOCC) .ci/docs

surface: dependencies ## Writes the list of HealthKit's declarations present here into Docs
	$(SWIFT) build --target HealthStore
	SWIFT=$(SWIFT) .ci/surface

powercuts: dependencies ## Simulates CUTS=100 power cuts of ext4 and XFS under a writer; needs root
	SWIFT=$(SWIFT) .ci/powercuts $(or $(CUTS),100)

soak: dependencies ## Tests crashes, disks, feeds, clusters for MINUTES=10 each; all cases; fuzzes
	$(SWIFT) build -c release --product Prove
	.build/release/Prove images --minutes $(or $(MINUTES),10) --seed $$(($$(date +%s) % 100000000 + 1))
	.build/release/Prove torture --minutes $(or $(MINUTES),10) --seed $$(date +%s) .build/soak
	.build/release/Prove histories --minutes $(or $(MINUTES),10) --seed $$(date +%s)
	.build/release/Prove replicas --minutes $(or $(MINUTES),10) --seed $$(date +%s)000000
	$(MAKE) cluster-test ROUNDS=5
	.ci/cluster soak --minutes $(or $(MINUTES),10)
	THOROUGH=1 $(MAKE) asan
	$(MAKE) fuzz SECONDS=60

bench: dependencies ## Compares the store with others; ARGS="--samples 10000000" and more
	$(if $(findstring --only door,$(ARGS)),$(DOOR_BENCH),$(STORE_BENCH))

define STORE_BENCH
@$(SQLITE)
@$(ROCKSDB)
@$(LMDB)
@$(LEVELDB)
$(SWIFT) run -c release --package-path Benchmarks --manifest-cache none \
  healthstore-benchmark $(ARGS)
endef

# A Python program measures this scenario, because its peers are Python libraries. The tool is built
# from the modules of the library.
define DOOR_BENCH
$(MAKE) door
$(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/door --product healthstore
.ci/door-test --python ../../Benchmarks/Door/door.py $(ARGS)
endef

door: dependencies ## Builds healthstore.so for SQLite, Python, DuckDB and Polars into .build
	@$(SQLITE)
	SWIFT=$(SWIFT) .ci/door .build/healthstore.so
	cp .build/healthstore.so Sources/HealthStoreDoor/Python/healthstore/

door-test: door ## Tests SQL, Arrow and Python
	$(SWIFT) build --product healthstore
	.ci/door-test

door-asan: dependencies ## Runs the tests of healthstore.so under the address sanitizer, with leaks
	@$(SQLITE)
	$(if $(BUILT),,$(SWIFT) build --product healthstore)
	SWIFT=$(SWIFT) .ci/door-asan

differential: dependencies ## Compares random queries of the store with SQLite's results
	@$(SQLITE)
	$(TEST) -c release --package-path Benchmarks --disable-testable-imports

counts: dependencies ## Counts the costs of operations and checks Benchmarks/thresholds.json
	SWIFT=$(SWIFT) .ci/counts

install: dependencies ## Installs the tool, its manual page and completions; PREFIX=/usr/local
	SWIFT=$(SWIFT) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) .ci/package install

package: dependencies ## Packs the tool as a tarball and a .deb in .build/package
	SWIFT=$(SWIFT) .ci/package pack

clean: ## Removes all build products
	rm -rf .build Benchmarks/.build

dependencies:
	@$(LZ4)
