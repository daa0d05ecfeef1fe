# What a developer types. Go 1.26 and make are all it needs.

BINARY   = almanac
MOVER    = almanac-move
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

# Packages that run with the race detector: goroutines meet in them. Those that take longest are first, here and
# below, so that no processor waits at the end.
LONGEST = ./internal/serve/command ./store ./internal/api ./internal/site
RACED = $(LONGEST) $(filter-out $(LONGEST),$(sort $(shell grep -rlE --include=*.go --exclude-dir=testdata \
	'"sync(/atomic)?"|^[[:space:]]+go (func|[[:alnum:]_]+[.][[:alnum:]_]+)' . | xargs -n1 dirname)))

# Tests that take long with the detector, and show it nothing that others do not, have names that end in Alone
# (package race). They are skipped there, and run without it in the packages that have some.
ALONE = $(LONGEST) $(filter-out $(LONGEST),$(sort $(shell grep -rl --include=*_test.go 'race\.Alone' . | xargs -n1 dirname)))

.PHONY: run build release test exhaustive torture soak check size commits fuzz bench compare same update clean help

# Builds the program, and serves the calendar in almanac-data.
run: build
	./$(BINARY) serve

# The programs say which modules are inside the standard library: advisories name these.
MODULES = $(shell awk '$$1 == "\043" {printf "%s%s@%s", s, $$2, $$3; s = ","}' "$$(go env GOROOT)/src/vendor/modules.txt")

# The programs, in this directory: the server, and the one that moves calendars.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-X almanac/internal/cli/build.modules=$(MODULES)' -o $(BINARY) .
	CGO_ENABLED=0 go build -trimpath -ldflags '-X almanac/internal/cli/build.modules=$(MODULES)' -o $(MOVER) ./move

# The files of a release, in dist, which everybody can make: make release VERSION=v1.0.0 [KEY=FILE]
release:
	@go run ./internal/tools/release -version '$(VERSION)' -key '$(KEY)' -targets '$(TARGETS)'

# The tests, with the race detector where goroutines meet.
# Without the detector they are built without C, as the program is, of which several tests build one: so each package is compiled in two forms and not in three.
test:
	$(if $(RACE),,@echo "no C compiler: the tests run without the race detector")
	$(if $(RACE),CGO_ENABLED=1 $(GOTESTSUM) -race $(RACED))
	CGO_ENABLED=0 $(GOTESTSUM) $(if $(RACE),$(filter-out $(shell go list $(RACED)),$(shell go list $(PACKAGES))),$(PACKAGES))
	$(if $(RACE),CGO_ENABLED=0 $(GOTESTSUM) -run 'Alone$$' $(filter $(RACED),$(ALONE)))

# Each operation that can fail, each byte that can be damaged, each page, each pair of routes and many
# more queries, of which the tests try some.
exhaustive:
	ALMANAC_LONG=1 CGO_ENABLED=0 go test -vet=off -count=1 -timeout 1h ./store ./store/record ./filters
	ALMANAC_LONG=1 CGO_ENABLED=0 go test -vet=off -count=1 -timeout 1h -run '^(TestPageCrawlAlone|TestPageTextsAlone|TestNoAddressLeadsToItself)$$' ./internal/site
	ALMANAC_LONG=1 CGO_ENABLED=0 go test -vet=off -count=1 -run '^TestExchangedOperations$$' .

# Kills a server that is being written to 50 times, and looks for what it
# answered for. The tests do it three times.
torture:
	ALMANAC_TORTURE=50 go test -count=1 -timeout 30m -run '^TestTorture$$' -v ./internal/serve/command

# Attacks a server for half an hour, beside readers and writers who must not notice; then with as many clients as
# may connect, who ask for documents of a large calendar and do not read them.
soak:
	ALMANAC_SOAK=30m go test -count=1 -timeout 1h -run '^TestSoak$$' -v ./internal/serve/command
	ALMANAC_UNREAD=1 go test -count=1 -timeout 1h -run '^TestUnreadDocuments$$' -v ./internal/serve/command

# Format, vet, and the rules about imports, dependencies and documents.
check:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w is needed on:"; echo "$$unformatted"; exit 1; }
	go vet $(PACKAGES)
	go mod tidy -diff
	go test -short ./internal/tools/house

# The size of the program in tokens, by package, and how many functions five requests enter.
size:
	@go run ./internal/tools/size
	@dir=$$(mktemp -d) && trap 'rm -r "$$dir"' EXIT && \
		go build -cover -covermode=atomic -coverpkg=almanac/... -o "$$dir/entered" ./internal/tools/entered && \
		GOCOVERDIR="$$dir" "$$dir/entered"

# Every commit after BASE must build: make commits BASE=main
commits:
	.ci/commits $(BASE)

# Every fuzz target for 20 s.
fuzz:
	.ci/fuzz $(PACKAGES)

# The cost of starts and requests beside a bare server, as a table.
bench: build
	go run ./internal/tools/bench -now ./$(BINARY) -keep testdata/bench.txt $(FLAGS)

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
	go test ./i18n/cldr ./internal/text/caltime ./internal/wire/feed ./internal/text/rrule -update
	go test -run TestDocExamples ./internal/api -update
	go test -run TestPrices ./internal/desk -update
	go test -run 'TestConversations|TestRightsAlone' ./internal/serve/command -update
	go test -run TestImportWordPress ./move/transfer -update

# Removes the programs.
clean:
	rm -f $(BINARY) $(MOVER)

# The targets, with what is said about each.
help:
	@awk '$$1 == "\043" {said = said substr($$0, 2)} /^[a-z]+:/ {sub(":.*", ""); printf "%-11s%s\n", $$0, said} !NF || /^[a-z]/ {said = ""}' Makefile
