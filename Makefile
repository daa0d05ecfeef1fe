# What a developer types. Go 1.26 and make are all it needs.

BINARY   = almanac
PACKAGES = ./...

# The race detector needs cgo and a C compiler; without one the suite runs
# without it and says so.
CC  := $(shell go env CC)
RACE := $(shell command -v $(firstword $(CC)) >/dev/null 2>&1 && echo -race)

# Go puts the commit into the program, and builds nothing where git does not tell
# it: in a directory that belongs to another user. There it does without.
ifneq ($(shell git rev-parse --git-dir >/dev/null 2>&1 || echo refused),)
export GOFLAGS := $(strip $(shell go env GOFLAGS) -buildvcs=false)
endif

# Without vet, which would look at each package in each of the two forms: check does that.
# The limit of a package is for one that hangs: no machine is so busy.
GOTESTSUM = go tool gotestsum --format pkgname-and-test-fails -- -vet=off -timeout 3h

# Packages whose tests run with the race detector: those in which goroutines meet. Those
# that take longest are first, here and below, so that no processor waits at the end.
RACED = ./internal/command ./store ./internal/rest ./almanactest ./i18n ./i18n/cldr $(addprefix ./internal/,accesslog metrics account bench cache caltime confine conform contract fixture front httpd ical limit openapi password respcache respond resttest same write) ./store/search ./store/wal

# Tests in them that take long under it, and in which it finds nothing that others do not
# show it. They are skipped there and run by themselves.
ALONE = TestAnswersAreTheSameInEveryLanguage|TestCanonical|TestCatalogues|TestChangesModel|TestContractIsTheSameInEveryLanguage|TestCrashAtEveryOperation|TestCrashTwice|TestCrashWhileReopening|TestCutLists|TestDocsLinks|TestDocumentIsRememberedInParts|TestEverybodysAnswers|TestExportCalendar|TestFailEveryOperation|TestFlipEveryByte|TestGenerateIsTheSame|TestGenerateNumbers|TestGenerateShares|TestGenerateTree|TestHiddenInBetween|TestIterations|TestKeptIsCurrent|TestLeakControls|TestLeakMatrix|TestLongAnswers|TestLongListsAreCurrent|TestMadeUpHosts|TestManyReadersOfLongAnswers|TestManySlowReaders|TestMeasure|TestMemoryOfPages|TestNoRoutes|TestPageCrawl|TestPageLeakControls|TestPageTexts|TestPagesInEveryLanguage|TestPasswordsOnDisk|TestPlainForms|TestPlainPasswords|TestReaderMemory|TestRecordsCanBeSentBack|TestRememberedAnswersAreHeld|TestReopen|TestRights|TestSeriesModel|TestSkipDamagedEveryByte|TestSkipDamagedEveryLine|TestSlowReadersOfPages|TestThousandWorlds|TestVerifyEveryByte|TestWorldsAreServersOfTheirOwn|TestZoneSays
ALONE_IN = ./store ./internal/rest ./internal/command ./internal/bench ./almanactest ./i18n ./internal/caltime ./internal/fixture ./internal/ical ./internal/password ./internal/write

.PHONY: run build release test exhaustive torture soak check lines commits fuzz bench compare same update clean

run: build
	./$(BINARY) serve

# The program says which modules are inside the standard library: advisories name these.
MODULES = $(shell awk '/^\# /{printf "%s%s@%s", s, $$2, $$3; s = ","}' "$$(go env GOROOT)/src/vendor/modules.txt")

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-X almanac/internal/build.modules=$(MODULES)' -o $(BINARY) .

# The files of a release, in dist, which everybody can make: make release VERSION=v1.0.0 [KEY=FILE]
release:
	@go run ./internal/release -version '$(VERSION)' -key '$(KEY)' -targets '$(TARGETS)'

# Without the detector they are built without C, as the program is, of which several tests
# build one: so each package is compiled in two forms and not in three.
test:
	$(if $(RACE),,@echo "no C compiler: the tests run without the race detector")
	$(if $(RACE),CGO_ENABLED=1 $(GOTESTSUM) -race $(RACED))
	CGO_ENABLED=0 $(GOTESTSUM) $(if $(RACE),$(filter-out $(shell go list $(RACED)),$(shell go list $(PACKAGES))),$(PACKAGES))
	$(if $(RACE),CGO_ENABLED=0 $(GOTESTSUM) -run '^($(ALONE))$$' $(ALONE_IN))

# Each operation that can fail, each byte that can be damaged, each page and many more queries, of
# which the tests try some.
exhaustive:
	ALMANAC_LONG=1 CGO_ENABLED=0 go test -vet=off -count=1 -timeout 1h ./store ./filters
	ALMANAC_LONG=1 CGO_ENABLED=0 go test -vet=off -count=1 -timeout 1h -run '^(TestPageCrawl|TestPageTexts)$$' ./internal/rest

# Kills a server that is being written to 50 times, and looks for what it
# answered for. The tests do it three times.
torture:
	ALMANAC_TORTURE=50 go test -count=1 -timeout 30m -run '^TestTorture$$' -v ./internal/command

# Attacks a server for half an hour, beside readers and writers who must not notice; then with as many clients as
# may connect, who ask for documents of a large calendar and do not read them.
soak:
	ALMANAC_SOAK=30m go test -count=1 -timeout 1h -run '^TestSoak$$' -v ./internal/command
	ALMANAC_UNREAD=1 go test -count=1 -timeout 1h -run '^TestUnreadDocuments$$' -v ./internal/command

# Format, vet, and the rules about imports, lines, dependencies and words.
check:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w is needed on:"; echo "$$unformatted"; exit 1; }
	go vet $(PACKAGES)
	go mod tidy -diff
	go test -short ./internal/house

# The lines of the program on Linux by package, without tests. Its limits are in testdata/lines.txt.
lines:
	@go test -count=1 -run '^TestLines$$' -v ./internal/house | sed -n 's/^ *lines_test.go:[0-9]*: //p'

# Every commit after BASE must build: make commits BASE=main
commits:
	.ci/commits $(BASE)

# Every fuzz target for 20 s.
fuzz:
	.ci/fuzz $(PACKAGES)

# The cost of starts and requests beside a bare server, as a table.
bench: build
	go run ./internal/bench -now ./$(BINARY) -keep testdata/bench.txt $(FLAGS)

# The same beside the program of BASE, by turns: make compare BASE=main FLAGS='-n 10000 -only ^search'
compare:
	.ci/compare $(BASE) $(FLAGS)

# Asks the program and another one the same, a file or that of a commit, and prints each answer that
# differs: make same BASE=main FLAGS='-only crawl'
same:
	.ci/same $(BASE) $(FLAGS)

# Rewrites what tests compare with.
update:
	go test -run TestFixtureRoutes . -update
	go test -run 'TestConversations|TestRights' ./internal/command -update
	go test ./internal/house -update

clean:
	rm -f $(BINARY)
