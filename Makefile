# SPDX-License-Identifier: GPL-2.0
#
# perf migstat. `make help` lists the targets.
#
#   V=1                    print the commands
#   O=dir                  build in dir instead of build/; the program is dir/tools/perf/perf-migstat
#   DEBUG=1                no optimisation
#   WERROR=1               warnings are errors
#   SAN=address,undefined  sanitizers; findings in `make check` are failures
#   CC=clang               another compiler
#   NO_ZSTD=1              without libzstd: cannot read perf record -z
#   NO_SLANG=1             without libslang: no terminal UI
#   NO_MAN=1               without manual pages
#   T="unit-x report"      make check: only these tests
#   J=2                    make check: tests at the same time
#   prefix=, DESTDIR=, perfexecdir=   make install
#
# A NO_X switch drops files: util/zstd-stream.c gives way to util/zstd-stream-none.c.

O ?= build
prefix ?= /usr/local
# With perfexecdir=/usr/lib/perf-core (what `perf --exec-path` prints) perf lists the command as its own.
bindir ?= $(or $(perfexecdir),$(prefix)/bin)
mandir ?= $(prefix)/share/man
completiondir ?= $(prefix)/share/bash-completion/completions
docdir ?= $(prefix)/share/doc/perf-migstat
SHARED_DATA ?= ../shared/data

PKG_CONFIG ?= pkg-config
INSTALL ?= install
ASCIIDOCTOR ?= asciidoctor
CLANG_FORMAT ?= clang-format

VERSION_BASE := $(shell cat VERSION)
VERSION_GIT := $(if $(wildcard .git),$(shell git describe --always --match=none --abbrev=8 2>/dev/null))
VERSION := $(VERSION_BASE)$(if $(VERSION_GIT),-g$(VERSION_GIT))

ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),s)
quiet = @
else ifneq ($(V),1)
quiet = @echo '  $(1)	$(2)';
endif

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all FORCE
all:

include tools/build/features.mk

# --- what is built from what ---------------------------------------------------------------------

P := tools/perf
ifeq ($(O),build)
BIN := $(P)/perf-migstat
else
BIN := $(O)/$(P)/perf-migstat
endif

DROPPED := $(if $(HAVE_ZSTD),%/zstd-stream-none.c,%/zstd-stream.c) \
	$(if $(HAVE_SLANG),%/no-tui.c,%/term.c %/theme.c %/browser.c $(P)/ui/tui%.c %/unit-browser.c)
UTIL_SRC := $(filter-out $(DROPPED),$(wildcard $(P)/util/*.c))
CMD_SRC := $(filter-out $(DROPPED) $(P)/perf-migstat.c,$(wildcard $(P)/*.c $(P)/migstat/*.c $(P)/ui/*.c))
MAIN_SRC := $(wildcard $(P)/perf-migstat.c)
UNIT_SRC := $(filter-out $(DROPPED),$(wildcard $(P)/tests/unit-*.c))
WORKLOAD_SRC := $(wildcard $(P)/tests/workloads/*.c)
FUZZ_REPLAY := $(P)/tests/fuzz/fuzz-replay.c
FUZZ_SRC := $(filter-out $(FUZZ_REPLAY),$(wildcard $(P)/tests/fuzz/fuzz-*.c))
ALL_SRC := $(UTIL_SRC) $(CMD_SRC) $(MAIN_SRC) $(UNIT_SRC) $(WORKLOAD_SRC) $(FUZZ_SRC) $(FUZZ_REPLAY)

obj = $(patsubst %.c,$(O)/%.o,$(1))
UTIL_LIB := $(O)/libmigstat.a
CMD_LIB := $(if $(CMD_SRC),$(O)/libcmd.a)
UNIT_BIN := $(patsubst $(P)/tests/%.c,$(O)/tests/%,$(UNIT_SRC))
WORKLOAD_BIN := $(patsubst $(P)/tests/%.c,$(O)/tests/%,$(WORKLOAD_SRC))
FUZZ_BIN := $(patsubst $(P)/tests/%.c,$(O)/tests/%,$(FUZZ_SRC))

# --- flags ---------------------------------------------------------------------------------------

CFLAGS ?= -g $(if $(filter 1,$(DEBUG)),-O0,-O2)
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wdeclaration-after-statement -Wvla
SAN_FLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)
# gcc's flow analysis is not made for instrumented code
SAN_WARN := $(if $(SAN),-Wno-maybe-uninitialized -Wno-unknown-warning-option)
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARNINGS) $(if $(filter 1,$(WERROR)),-Werror) \
	-I $(P) -I $(P)/util -I $(P)/ui -I $(P)/migstat $(FEATURE_CFLAGS) $(SAN_FLAGS) $(SAN_WARN) $(CPPFLAGS) $(CFLAGS)
LIBS = $(FEATURE_LIBS) $(SLANG_LIBS) -lm
ALL_LDFLAGS = -Wl,--as-needed $(SAN_FLAGS) $(LDFLAGS)
LINK = $(CC) $(CFLAGS) $(ALL_LDFLAGS) -o $@

$(O)/$(P)/builtin-migstat.o: private EXTRA = $(FEATURE_DEFINES) -DMIG_VERSION='"$(VERSION)"' \
	-DMIG_COMPILER='"$(notdir $(firstword $(CC)))"' -DMIG_SAN='"$(SAN)"'
$(O)/$(P)/builtin-migstat.o: $(O)/version.key
$(O)/$(P)/tests/%.o: private EXTRA = -I $(P)/tests
$(O)/$(P)/tests/fuzz/%.o: private EXTRA = -DFUZZ_HEADS='"$(P)/tests/fuzz/heads"'
$(O)/$(P)/tests/fuzz/fuzz-decode.o: $(wildcard $(P)/tests/fuzz/heads/*)

# A file that changes when its text does: what is made from other flags is made again.
define key_file
$(O)/$(1).key: FORCE
	@mkdir -p $$(@D)
	@echo '$$($(2))' | cmp -s - $$@ || echo '$$($(2))' > $$@
endef
FLAGS_KEY = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LIBS)
UTIL_KEY = $(UTIL_SRC)
CMD_KEY = $(CMD_SRC)
VERSION_KEY = $(VERSION) $(SAN)
$(eval $(call key_file,flags,FLAGS_KEY))
$(eval $(call key_file,util,UTIL_KEY))
$(eval $(call key_file,cmd,CMD_KEY))
$(eval $(call key_file,version,VERSION_KEY))

# --- build ---------------------------------------------------------------------------------------

all: $(if $(MAIN_SRC),$(BIN),$(CMD_LIB) $(UTIL_LIB))

$(O)/%.o: %.c $(O)/flags.key
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(ALL_CFLAGS) $(EXTRA) -MMD -MP -c -o $@ $<

# Made anew, so that the object of a removed file does not stay in it.
$(UTIL_LIB): $(call obj,$(UTIL_SRC)) $(O)/util.key
$(CMD_LIB): $(call obj,$(CMD_SRC)) $(O)/cmd.key
$(UTIL_LIB) $(CMD_LIB):
	$(call quiet,AR,$@)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(BIN): $(call obj,$(MAIN_SRC)) $(CMD_LIB) $(UTIL_LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK,$@)$(LINK) $(filter %.o %.a,$^) $(LIBS)

$(UNIT_BIN): $(O)/tests/%: $(O)/$(P)/tests/%.o $(CMD_LIB) $(UTIL_LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK,$@)$(LINK) $(filter %.o %.a,$^) $(LIBS)

# A fuzz target is driven by libFuzzer (FUZZER=1, clang), or runs over the inputs it is given.
$(FUZZ_BIN): $(O)/tests/%: $(O)/$(P)/tests/%.o $(if $(FUZZER),,$(call obj,$(FUZZ_REPLAY))) $(CMD_LIB) $(UTIL_LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK,$@)$(LINK) $(if $(FUZZER),-fsanitize=fuzzer) $(filter %.o %.a,$^) $(LIBS)

# Workloads are plain programs: what they do must not depend on a sanitizer.
$(WORKLOAD_BIN): $(O)/tests/%: $(P)/tests/%.c $(O)/flags.key
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(filter-out $(SAN_FLAGS),$(ALL_CFLAGS)) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< -pthread -lm

# objects stay, also those on the way to a test
.SECONDARY:

-include $(patsubst %.o,%.d,$(call obj,$(ALL_SRC))) $(addsuffix .d,$(WORKLOAD_BIN))

.PHONY: compile_commands.json
compile_commands.json:
	$(call quiet,GEN,$@){ sep='['; for f in $(ALL_SRC); do \
		printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$sep" '$(CURDIR)' "$$f" \
			"$(CC) $(ALL_CFLAGS) -I $(P)/tests -DMIG_VERSION='\\\"$(VERSION)\\\"' -c $$f"; sep=,; \
	done; echo ']'; } > $@

# --- tests ---------------------------------------------------------------------------------------

TEST_DATA := $(O)/test-data
SHELL_TESTS := $(wildcard $(P)/tests/shell/*.sh)
RUN_UNIT := $(if $(T),$(filter $(addprefix $(O)/tests/,$(T)),$(UNIT_BIN)),$(UNIT_BIN))
RUN_SHELL := $(if $(T),$(filter $(patsubst %,$(P)/tests/shell/%.sh,$(T)),$(SHELL_TESTS)),$(SHELL_TESTS))
DATA_FILES := $(shell find $(P)/tests/data -type f 2>/dev/null)

$(TEST_DATA)/.stamp: $(DATA_FILES) $(P)/tests/unpack-data.sh
	$(call quiet,UNPACK,$(TEST_DATA))bash $(P)/tests/unpack-data.sh $(P)/tests/data $(TEST_DATA) && touch $@

.PHONY: check tests test-data
test-data: $(TEST_DATA)/.stamp
tests: $(UNIT_BIN) $(WORKLOAD_BIN) $(FUZZ_BIN)

J ?= 2
# The program is needed by shell tests only: a unit suite can be run while other rooms do not link.
check: $(RUN_UNIT) $(if $(RUN_SHELL),$(if $(MAIN_SRC),$(BIN)) $(WORKLOAD_BIN) $(FUZZ_BIN)) $(TEST_DATA)/.stamp
	@MIG_ROOT='$(CURDIR)' MIG_BUILD='$(abspath $(O))' PERF_MIGSTAT='$(abspath $(BIN))' \
	PERF_EXEC_PATH='$(dir $(abspath $(BIN)))' MIG_TEST_DATA='$(abspath $(TEST_DATA))' \
	MIG_WORKLOADS='$(abspath $(O))/tests/workloads' MIG_FUZZ='$(abspath $(O))/tests/fuzz' MIG_SAN='$(SAN)' \
	$(if $(wildcard $(SHARED_DATA)),MIG_SHARED_DATA='$(abspath $(SHARED_DATA))') \
	J='$(J)' bash $(P)/tests/run-tests.sh $(RUN_UNIT) $(RUN_SHELL)

# Fuzzing, FUZZ_S seconds in all, divided among the targets (FUZZ_T="model .." for some). What is found
# stays in FUZZ_O/found; `make fuzz-merge` puts a minimised corpus back into the tree.
FUZZ_S ?= 60
FUZZ_O ?= build-fuzz
FUZZ_T ?= $(patsubst $(P)/tests/fuzz/fuzz-%.c,%,$(FUZZ_SRC))

.PHONY: fuzz fuzz-merge fuzz-bin
fuzz fuzz-merge:
	@$(MAKE) --no-print-directory O='$(FUZZ_O)' CC=clang SAN=address,undefined,fuzzer-no-link FUZZER=1 fuzz-bin
	@FUZZ_S='$(FUZZ_S)' bash $(P)/tests/fuzz/run.sh $@ '$(abspath $(FUZZ_O))' $(FUZZ_T)

fuzz-bin: $(FUZZ_BIN)

# Throughput and overhead: each script says what it measures and prints its figures. Recordings stay in
# BENCH_DIR, up to 3.5 GB. Documentation/benchmarks.txt has the settings and the figures.
BENCH_DIR ?= $(O)/bench
BENCH_SRC := $(wildcard $(P)/bench/*.c)
BENCH_BIN := $(patsubst %.c,$(O)/%,$(BENCH_SRC))

$(BENCH_BIN): $(O)/%: %.c $(O)/flags.key
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(filter-out $(SAN_FLAGS),$(ALL_CFLAGS)) $(LDFLAGS) -o $@ $< -pthread

.PHONY: bench
bench: $(if $(MAIN_SRC),$(BIN)) $(BENCH_BIN)
	@for b in $(wildcard $(P)/bench/*.sh); do \
		echo "# $$b"; \
		MIG_ROOT='$(CURDIR)' PERF_MIGSTAT='$(abspath $(BIN))' PERF_EXEC_PATH='$(dir $(abspath $(BIN)))' \
		BENCH_DIR='$(abspath $(BENCH_DIR))' BENCH_BIN='$(abspath $(O)/$(P)/bench)' \
		bash $$b || exit 1; \
	done

# Which lines the tests reach: a build of its own, the figures per file, HTML where lcov is installed.
.PHONY: coverage
coverage:
	$(MAKE) O=build-coverage CFLAGS='-g -O0 --coverage' check
	@bash tools/build/coverage.sh build-coverage

.PHONY: demo
demo:
	@MAKE='$(MAKE)' bash tools/demo.sh

# --- manual pages --------------------------------------------------------------------------------

# A page starts with "name(section)"; the other texts of Documentation/ are read as they are.
MAN_TXT := $(if $(filter 1,$(NO_MAN)),,$(shell grep -lE '^[a-z-]+\(1\)$$' Documentation/*.txt 2>/dev/null))
MAN_PAGES := $(patsubst Documentation/%.txt,$(O)/man/%.1,$(MAN_TXT))
HAVE_ASCIIDOCTOR = $(shell command -v $(ASCIIDOCTOR))

.PHONY: man doc
man doc: $(MAN_PAGES)

$(O)/man/%.1: Documentation/%.txt $(wildcard Documentation/*.txt) tools/build/asciidoctor-linkperf.rb
	@mkdir -p $(@D)
	$(call quiet,MAN,$@)$(ASCIIDOCTOR) -b manpage -d manpage -r ./tools/build/asciidoctor-linkperf.rb \
		$(if $(MAN_STRICT),--failure-level=WARN) -a compat-mode -a litdd=-- \
		-a manmanual='perf Manual' -a mansource='perf migstat $(VERSION_BASE)' -o $@ $<

# --- installing ----------------------------------------------------------------------------------

.PHONY: install install-bin install-man uninstall deb
install: install-bin $(if $(HAVE_ASCIIDOCTOR),install-man,no-asciidoctor)

.PHONY: no-asciidoctor
no-asciidoctor:
	@echo "no asciidoctor: the manual pages (perf migstat --help) are not installed"

install-bin: $(if $(MAIN_SRC),$(BIN))
	$(call quiet,INSTALL,$(DESTDIR)$(bindir)/perf-migstat)$(INSTALL) -D -m 755 $(BIN) $(DESTDIR)$(bindir)/perf-migstat
	$(call quiet,INSTALL,$(DESTDIR)$(completiondir)/perf-migstat)$(INSTALL) -D -m 644 \
		$(P)/perf-migstat-completion.sh $(DESTDIR)$(completiondir)/perf-migstat

install-man: $(MAN_PAGES)
	@for m in $(MAN_PAGES); do \
		echo "  INSTALL	$(DESTDIR)$(mandir)/man1/$${m##*/}"; \
		$(INSTALL) -D -m 644 $$m $(DESTDIR)$(mandir)/man1/$${m##*/} || exit 1; \
	done

uninstall:
	rm -f $(DESTDIR)$(bindir)/perf-migstat $(DESTDIR)$(completiondir)/perf-migstat
	rm -f $(DESTDIR)$(mandir)/man1/perf-migstat.1 $(DESTDIR)$(mandir)/man1/perf-migstat-*.1
	rm -rf $(DESTDIR)$(docdir)

# A package for this machine's release: dpkg-deb on an installed tree, no packaging tools needed.
deb:
	@rm -f $(O)/perf-migstat_*.deb
	@$(MAKE) --no-print-directory prefix=/usr DESTDIR='$(abspath $(O))/deb' install
	@VERSION='$(VERSION)' O='$(O)' sh tools/build/deb.sh

# --- housekeeping --------------------------------------------------------------------------------

.PHONY: format clean help
format:
	$(call quiet,FORMAT,sources)$(CLANG_FORMAT) -i $(shell git ls-files '*.c' '*.h' 2>/dev/null || find tools -name '*.[ch]')

clean:
	rm -rf $(O) build-coverage $(BIN) compile_commands.json

help:
	@echo 'Targets:'
	@echo '  all                    the program (default)'
	@echo '  check                  unit suites and shell tests; T="NAME .." for some of them'
	@echo '  demo                   records a built-in workload and shows the report'
	@echo '  man                    manual pages (asciidoctor)'
	@echo '  install, uninstall     DESTDIR=, prefix=$(prefix), perfexecdir='
	@echo '  deb                    a Debian package'
	@echo '  fuzz, fuzz-merge       libFuzzer on the parsers and the model (clang); FUZZ_S=seconds'
	@echo '  bench, coverage        measurements; test coverage (gcov)'
	@echo '  format                 clang-format 14 on the sources'
	@echo '  compile_commands.json  for editors and clang tools'
	@echo '  clean'
	@echo 'Switches:'
	@sed -nE '/^#   [A-Z]/,/^$$/s/^#   /  /p' Makefile | sed '/^$$/q'
