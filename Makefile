# What to do with this package; `make help` lists it.

SWIFT ?= swift
DOCC ?= docc
LZ4 := .ci/dependencies liblz4 lz4.h liblz4-dev lz4
SQLITE := .ci/dependencies sqlite3 sqlite3.h libsqlite3-dev sqlite
ROCKSDB := .ci/dependencies rocksdb rocksdb/c.h librocksdb-dev rocksdb
LMDB := .ci/dependencies lmdb lmdb.h liblmdb-dev lmdb
LEVELDB := .ci/dependencies leveldb leveldb/c.h libleveldb-dev leveldb
TIDY := Sources Tests Benchmarks Package.swift
# The brief form of `make cluster-test` is not optimised, and does not depend on how servers come
# back from faults of their own.
CLUSTER_BUILD := CONFIGURATION=$(if $(BRIEF),debug,release)
CLUSTER_BRIEF := --servers 3 --rounds 3 --seconds 1 --seed 1 --faults copies
CLUSTER_SCOPE := $(if $(BRIEF),$(CLUSTER_BRIEF),--rounds $(or $(ROUNDS),20))
# XCTest has nothing to run here, and asking it costs a second process.
TEST := $(SWIFT) test --disable-xctest

.PHONY: help demo test prove histories replicas images fuzz corpus fixtures format style lint docs \
  bench powercuts soak tsan asan coverage mutants clean dependencies counts differential surface \
  cluster-demo cluster-test install package

help: ## Lists the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 14

demo: dependencies ## Shows the store at work; EXPORT=export.xml uses your own Apple Health export
	$(SWIFT) build -c release --product healthstore
	.build/release/healthstore demo $(if $(EXPORT),--export "$(EXPORT)")

test: dependencies ## Runs the tests, those of random cases with the first few
	$(TEST)

prove: export THOROUGH = 1
prove: histories replicas images asan ## Tries what takes longer, and all cases of every test

histories: dependencies ## Proves the feeds' properties for 2,000 histories, and 100,000 commits
	$(SWIFT) run -c release Prove histories --histories 2000 --commits 100000

replicas: dependencies ## Proves what replication promises for 20,000 histories of clusters
	$(SWIFT) run -c release Prove replicas --histories 20000

cluster-demo: dependencies ## Shows a primary, two replicas, a failover and figures over NATS
	SWIFT=$(SWIFT) .ci/cluster demo --servers 3 --samples $(or $(SAMPLES),518400)
	SWIFT=$(SWIFT) .ci/cluster figures

cluster-test: dependencies ## Tries replication over real NATS servers; BRIEF=1 in minutes
	SWIFT=$(SWIFT) $(CLUSTER_BUILD) .ci/cluster prove $(CLUSTER_SCOPE)
	SWIFT=$(SWIFT) $(CLUSTER_BUILD) .ci/cluster demo --samples 40000 $(if $(BRIEF),--servers 3)

images: dependencies ## Opens 300,000 images that crashes leave, and damages stores
	$(SWIFT) run -c release Prove images

# Tests of one thread, which can have no race and take much of the time: whole targets, then suites
# of damage and its readers, system calls that fail, values, codecs and merges.
ONE_THREAD := ^(AppleHealthExport|CoreLocation|Fuzz|Listing|Simulation|Tidy|Tool)Tests[.]
ONE_THREAD := $(ONE_THREAD)|^UniformTypeIdentifiersTests[.]|InjectionTests|SubjectLeakTests
ONE_THREAD := $(ONE_THREAD)|HealthStoreTests[.](Units|Samples|Predicates)[A-Z]|StoreRotTests
ONE_THREAD := $(ONE_THREAD)|StatisticsMergeTests|StatisticsGridTests|CategoryDurationMergeTests
ONE_THREAD := $(ONE_THREAD)|CodecTests|MetamorphicTests|RepairTests|SegmentDamageTests
ONE_THREAD := $(ONE_THREAD)|ExpiryModelTests|SubjectDamageTests|PayloadTests|ValueFilterTests
ONE_THREAD := $(ONE_THREAD)|DiskUseTests|EstimateTests|SharedRowSealerTests

# Reports come last, where a long log shows them.
RACES := log_path=$(CURDIR)/.build/races

# A program that depends on this package may ask for warnings that we do not know, so they are
# errors only here, where all targets are built anyway.
STRICT := -Xswiftc -warnings-as-errors

# Optimised, because without it the thread sanitizer makes the tests a hundred times slower.
tsan: dependencies ## Runs all tests that have threads under the thread sanitizer
	rm -f .build/races.*
	TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/races:print_suppressions=0:$(RACES) \
	  $(TEST) --sanitize=thread -Xswiftc -O -Xswiftc -DTHREAD_SANITIZER $(STRICT) \
	  --scratch-path .build/tsan --skip '$(ONE_THREAD)' || { cat .build/races.* 2>/dev/null; exit 1; }

# Some tests bound their memory, so what was freed is kept from use only as long as 16 MiB last.
asan: export ASAN_OPTIONS = quarantine_size_mb=16
asan: export LSAN_OPTIONS = suppressions=$(CURDIR)/.ci/leaks:print_suppressions=0
asan: dependencies ## Runs all tests under the address sanitizer, with leaks, and counts lines
	SWIFT=$(SWIFT) FLAGS="--sanitize=address -Xswiftc -O $(STRICT)" .ci/coverage

coverage: dependencies ## Runs all tests and counts the lines they ran; ALL=1 shows the others
	SWIFT=$(SWIFT) .ci/coverage

mutants: dependencies ## Breaks the log COUNT=200 times, chosen by SEED=1; the tests must notice
	SWIFT=$(SWIFT) COUNT=$(COUNT) SEED=$(SEED) .ci/mutants

fuzz: dependencies ## Feeds hostile bytes to every decoder; SECONDS=60, TARGETS="Log Segment"
	SWIFT=$(SWIFT) SECONDS_EACH=$(or $(SECONDS),10) TARGETS="$(TARGETS)" .ci/fuzz

corpus: dependencies ## Writes the corpus that fuzzing begins with
	WRITE_FUZZ_CORPUS=1 $(TEST) --filter 'FuzzTests.CorpusTests/.*seeds'

fixtures: dependencies ## Writes the stores of the newest format version that tests open
	WRITE_FIXTURES=1 $(TEST) --filter 'FormatTests/.*writes'

format: ## Formats the code
	$(SWIFT) format -i -r $(TIDY)

style: ## Checks the formatting
	$(SWIFT) format lint -s -r $(TIDY)

lint: dependencies style ## Checks the formatting and the rules of TidyTests
	$(TEST) --filter TidyTests

docs: dependencies ## Builds the documentation into .build/docs/site
	SWIFT=$(SWIFT) DOCC=$(DOCC) .ci/docs

surface: dependencies ## Writes which of HealthKit's declarations are here into Docs
	$(SWIFT) build --target HealthStore
	SWIFT=$(SWIFT) .ci/surface

powercuts: dependencies ## Cuts the power of ext4 and XFS under a writer, CUTS=100 times; needs root
	SWIFT=$(SWIFT) .ci/powercuts $(or $(CUTS),100)

soak: dependencies ## Tries for MINUTES=10 each: crashes, a real disk, feeds, clusters; fuzzes
	$(SWIFT) build -c release --product Prove
	.build/release/Prove images --minutes $(or $(MINUTES),10) --seed $$(($$(date +%s) % 100000000 + 1))
	.build/release/Prove torture --minutes $(or $(MINUTES),10) --seed $$(date +%s) .build/soak
	.build/release/Prove histories --minutes $(or $(MINUTES),10) --seed $$(date +%s)
	.build/release/Prove replicas --minutes $(or $(MINUTES),10) --seed $$(date +%s)000000
	$(MAKE) cluster-test ROUNDS=5
	.ci/cluster soak --minutes $(or $(MINUTES),10)
	$(MAKE) fuzz SECONDS=60

bench: dependencies ## Measures the store next to others; ARGS="--samples 10000000" and more
	@$(SQLITE)
	@$(ROCKSDB)
	@$(LMDB)
	@$(LEVELDB)
	$(SWIFT) run -c release --package-path Benchmarks --manifest-cache none \
	  healthstore-benchmark $(ARGS)

differential: dependencies ## Asks SQLite and the store the same random questions
	@$(SQLITE)
	$(TEST) -c release --package-path Benchmarks --disable-testable-imports

counts: dependencies ## Counts what work costs and compares with Benchmarks/thresholds.json
	SWIFT=$(SWIFT) .ci/counts

install: dependencies ## Installs the tool, its manual page and completions; PREFIX=/usr/local
	SWIFT=$(SWIFT) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) .ci/package install

package: dependencies ## Packs the tool as a tarball and a .deb in .build/package
	SWIFT=$(SWIFT) .ci/package pack

clean: ## Removes everything that was built
	rm -rf .build Benchmarks/.build

dependencies:
	@$(LZ4)
