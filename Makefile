# simul: build, test, install. `make help` lists the targets.
#
# Two kinds of code: one is linked into the command (build/simul), the other into the library that runs inside the program under test
# (build/libsimul.so). Objects go to build/obj/<variant>/ and are rebuilt when the compiler or a flag changes. The variant `release` is used
# in place and installed; any other (make V=clang CC=clang) goes to build/<variant>/.

PREFIX ?= /usr/local
DESTDIR ?=
ifeq ($(origin CC),default)
CC := gcc
endif
VERSION := 0.1.0
# For the user to set, with VERBOSE=1 and DEBUG=1.
CFLAGS ?=
LDFLAGS ?=
VERBOSE ?=
DEBUG ?=

V ?= release
OBJ := build/obj/$(V)
BIN := $(if $(filter release,$(V)),build,build/$(V))
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wno-unused-parameter
BASE_CFLAGS := -std=gnu17 -O2 -g -I. -D_GNU_SOURCE -DSIMUL_VERSION='"$(VERSION)"' $(WARN) -fno-strict-aliasing
ifeq ($(DEBUG),1)
BASE_CFLAGS += -DSIMUL_DEBUG
endif
SAN ?=
CLI_CFLAGS := $(BASE_CFLAGS) $(SAN) $(CFLAGS)
# In-target code: no stack protector (it reads %fs of the current thread), no vector registers on the event path, unwind tables so that
# cancellation and exceptions pass through. SIMUL_TARGET: it writes the target's part of the session (base/session/sides.h).
LIB_CFLAGS := $(BASE_CFLAGS) -DSIMUL_TARGET $(CFLAGS) -fPIC -fvisibility=hidden -fno-stack-protector -mgeneral-regs-only \
	-ftls-model=initial-exec -fdata-sections -fexceptions -fno-builtin-pthread_create -U_FORTIFY_SOURCE

PKGS := libdw libelf jansson libmd
# Loaded at run time (cli/base/library.h). Only their headers are needed here.
LOADED_PKGS := libxml-2.0 libpq
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) $(LOADED_PKGS) 2>/dev/null)
PKG_LIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null)

# The folders of the processor (docs/porting.md).
ARCH := x86_64

CLI_SRC := $(wildcard cli/*.c cli/*/*.c cli/nightly/*/*.c cli/*/$(ARCH)/*.c) $(wildcard recorder/*.c recorder/*/*.c) $(wildcard replay/*.c) $(wildcard base/*.c) \
	$(wildcard sched/*.c) $(wildcard explore/*.c explore/*/*.c) $(wildcard enforce/*.c) preload/patch/reason.c preload/base/page_watch.c preload/base/maps.c
LIB_SRC := preload/init.c $(filter-out preload/standin/%,$(wildcard preload/*/*.c preload/*/$(ARCH)/*.[cS])) $(wildcard sched/*.c) $(wildcard explore/*.c explore/*/*.c) \
	replay/forced.c replay/guided.c base/arena.c base/attributes.c base/journal.c base/journal_put.c
# Files that become part of the controller as data.
CLI_EMBEDDED := $(OBJ)/cli/recorder/html/embed.o $(OBJ)/cli/cli/nightly/stress/nights_sql.o $(OBJ)/cli/cli/nightly/machines/search_sql.o
CLI_OBJ := $(patsubst %.c,$(OBJ)/cli/%.o,$(CLI_SRC)) $(CLI_EMBEDDED)
# What `simul enforce` preloads: the program's own threads, held back where its certificate orders them.
ENFORCE_SRC := $(wildcard enforce/lib/*.c enforce/lib/$(ARCH)/*.S) $(wildcard preload/patch/*.c preload/patch/$(ARCH)/*.[cS]) preload/memory/heap.c \
	preload/base/safe_read.c preload/base/own_string.c preload/accesses/ranges.c preload/hooks/hook_bytes.c preload/hooks/hook_string.c \
	preload/hooks/hook_wide.c preload/hooks/search.c sched/event.c
ENFORCE_OBJ := $(patsubst %.S,$(OBJ)/lib/%.o,$(patsubst %.c,$(OBJ)/lib/%.o,$(ENFORCE_SRC)))
ENFORCE_LIB := $(BIN)/libsimul_enforce.so
LIB_OBJ := $(patsubst %.S,$(OBJ)/lib/%.o,$(patsubst %.c,$(OBJ)/lib/%.o,$(LIB_SRC)))

# Unit tests: every tests/unit/test_*.c is a program, linked with everything but cli/.
CORE_OBJ := $(filter-out $(OBJ)/cli/cli/%,$(CLI_OBJ))
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_LIB := $(patsubst %.c,$(OBJ)/cli/%.o,$(wildcard tests/unit/lib_*.c))
UNIT_OBJ := $(patsubst %.c,$(OBJ)/cli/%.o,$(UNIT_SRC))
UNIT_BIN := $(patsubst tests/unit/%.c,$(BIN)/tests/%,$(UNIT_SRC))
TOOL_SRC := $(wildcard tests/lib/*.c)
TOOL_BIN := $(patsubst tests/lib/%.c,$(BIN)/tests/%,$(TOOL_SRC))

# One short line a step; VERBOSE=1 shows the commands.
run = $(if $(VERBOSE),,@echo '  $(1) $@';)

# Stand-ins for the run-time libraries of -fsanitize=thread, of gcc and clang; see preload/standin/tsan.c.
STANDIN := $(BIN)/libtsan.so.2 $(BIN)/libclang_rt.tsan-x86_64.so

# Preloaded into CMocka programs by `simul stress --cmocka`.
CMOCKA_HELPER := $(BIN)/libsimul-cmocka.so

# The gdb scripts of `simul replay --gdb`, found beside libsimul.so.
GDB_SRC := $(wildcard replay/gdb/*.py replay/gdb/*/*.py)
GDB_SCRIPT := $(patsubst replay/%,$(BIN)/%,$(GDB_SRC))

# What FairThreads programs are linked with (include/fthread.h).
FTHREAD := $(BIN)/libfthread.so
FTHREAD_OBJ := $(patsubst fair/%.c,$(OBJ)/fair/%.o,$(wildcard fair/*.c))

all: $(BIN)/simul $(FTHREAD) $(BIN)/libsimul.so $(ENFORCE_LIB) $(STANDIN) $(CMOCKA_HELPER) $(GDB_SCRIPT)

$(BIN)/simul: $(CLI_OBJ)
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(SAN) $(LDFLAGS) -Wl,-z,now -o $@ $^ $(PKG_LIBS) -l:libiberty.a

# simul's own calls of these functions go to preload/base/own_string.c, not to its hooks.
BYTES := $(shell awk -F', ' '/^MODEL/{print $$2}' preload/base/bytes.def)
comma := ,
OWN_LINK := $(patsubst %,-Wl$(comma)--wrap=%,$(BYTES))

# libgcc is linked in and hidden: the program keeps its own. libunwind is loaded at run time (preload/failure/stack.c).
# Sorting by alignment puts the small variables (-fdata-sections) together, away from the arrays: an execution writes fewer pages, and
# rewinding compares all of them. Calls of the library's own functions stay inside it: a program may have a function of the same name, such as
# gettid, which calls syscall(), which the library handles by its own gettid.
$(BIN)/libsimul.so: $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) $(OWN_LINK) -Wl,-Bsymbolic-functions -Wl,--sort-section=alignment -Wl,-soname,libsimul.so -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -static-libgcc -o $@ $^

# The same for this library's own calls: preload/base/own_string.c, enforce/lib/hook_futex.c, hook_malloc.c.
ENFORCE_LINK := $(patsubst %,-Wl$(comma)--wrap=%,$(BYTES) syscall mmap)

$(ENFORCE_LIB): $(ENFORCE_OBJ)
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) $(ENFORCE_LINK) -Wl,-soname,libsimul_enforce.so -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -static-libgcc -o $@ $^

$(GDB_SCRIPT): $(BIN)/gdb/%: replay/gdb/%
	@mkdir -p $(@D)
	$(call run,COPY)cp $< $@

$(FTHREAD): $(FTHREAD_OBJ)
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,defs -o $@ $^ -pthread

$(OBJ)/fair/%.o: fair/%.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,CC  )$(CC) $(BASE_CFLAGS) $(CFLAGS) -fPIC -pthread -MMD -MP -c -o $@ $<

$(STANDIN): $(OBJ)/standin/tsan.o
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,now -o $@ $^ -Wl,--no-as-needed -lm

$(CMOCKA_HELPER): $(OBJ)/standin/cmocka.o
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,now -o $@ $^

$(OBJ)/standin/%.o: preload/standin/%.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,CC  )$(CC) $(BASE_CFLAGS) $(CFLAGS) -fPIC -MMD -MP -c -o $@ $<

$(OBJ)/cli/%.o: %.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,CC  )$(CC) $(CLI_CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

# The complete page of `simul show --html`, and the object that contains it.
HTML_PAGE := $(OBJ)/html/page.html
$(HTML_PAGE): recorder/html/assemble.sh $(wildcard recorder/html/*.html recorder/html/*.css recorder/html/*.js)
	$(call run,HTML)recorder/html/assemble.sh $@

# The objects that contain the schemas of --search.
$(OBJ)/cli/cli/nightly/stress/nights_sql.o: cli/nightly/stress/nights.sql
$(OBJ)/cli/cli/nightly/machines/search_sql.o: cli/nightly/machines/search.sql
$(OBJ)/cli/cli/%_sql.o: cli/%_sql.S $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,AS  )$(CC) -c -o $@ $<

$(OBJ)/cli/recorder/html/embed.o: recorder/html/embed.S $(HTML_PAGE) $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,AS  )$(CC) -DHTML_PAGE='"$(HTML_PAGE)"' -c -o $@ $<

# Their cleanup handlers must not need the unwinder that is linked in: libc unwinds with its own.
$(OBJ)/lib/enforce/lib/hook_cond.o $(OBJ)/lib/enforce/lib/hook_once.o: LIB_CFLAGS += -fno-exceptions

$(OBJ)/lib/%.o: %.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,CC  )$(CC) $(LIB_CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/lib/%.o: %.S $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,AS  )$(CC) -I. -MMD -MP -c -o $@ $<

$(UNIT_BIN): $(BIN)/tests/%: $(OBJ)/cli/tests/unit/%.o $(UNIT_LIB) $(CORE_OBJ)
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ -lcmocka $(PKG_LIBS) -lm -l:libiberty.a -ldl

# It also runs searches in which an operation that blocks is only found to block when it comes to it, as with descriptors.
$(BIN)/tests/test_enforce: override SAN += -Wl,--wrap=feasible

$(TOOL_BIN): $(BIN)/tests/%: tests/lib/%.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(CLI_CFLAGS) $(PKG_CFLAGS) $(LDFLAGS) -o $@ $< $(PKG_LIBS)

# The patcher with a sensor that counts: for tests/patch.sh and bench/patch.sh. clobber.S is not built for general registers only.
COUNT_OBJ := $(OBJ)/lib/tests/patch/count.o $(OBJ)/lib/tests/patch/clobber.o
COUNT_LIB := $(BIN)/tests/libpatchcount.so
$(COUNT_LIB): $(COUNT_OBJ) $(filter $(OBJ)/lib/preload/patch/%,$(LIB_OBJ))
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) -Wl,-soname,libpatchcount.so -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -static-libgcc -o $@ $^

# The patcher under a single-stepping test: for tests/patch_step.sh.
STEP_LIB := $(BIN)/tests/libpatchstep.so
$(STEP_LIB): $(OBJ)/lib/tests/patch/step.o $(filter $(OBJ)/lib/preload/patch/%,$(LIB_OBJ))
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) -shared $(LDFLAGS) -Wl,-soname,libpatchstep.so -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -static-libgcc -o $@ $^

# These files define functions that the compiler must not recognise and replace by calls to the same functions.
$(OBJ)/lib/preload/hooks/hook_string.o $(OBJ)/lib/preload/hooks/hook_wide.o $(OBJ)/lib/preload/hooks/hook_malloc.o \
	$(OBJ)/lib/preload/base/own_string.o $(OBJ)/lib/preload/accesses/ranges.o: LIB_CFLAGS += -fno-builtin

# Holds the compiler and the flags. It is touched only when they change; then everything is rebuilt.
FLAGS := $(CC) $(CLI_CFLAGS) $(LIB_CFLAGS) $(LDFLAGS)
$(OBJ)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(FLAGS))' | cmp -s - $@ || { .ci/deps --check && echo '$(subst ','\'',$(FLAGS))' >$@; }
FORCE:

-include $(FTHREAD_OBJ:.o=.d) $(OBJ)/standin/tsan.d $(OBJ)/standin/cmocka.d $(CLI_OBJ:.o=.d) $(LIB_OBJ:.o=.d) $(ENFORCE_OBJ:.o=.d) $(COUNT_OBJ:.o=.d) $(OBJ)/lib/tests/patch/step.d $(UNIT_OBJ:.o=.d) $(UNIT_LIB:.o=.d)

unit-bin: $(UNIT_BIN)
tools: $(TOOL_BIN) $(COUNT_LIB) $(STEP_LIB)

# ---- targets for users -------------------------------------------------------------------------

deps:
	@.ci/deps

deps-test:
	@.ci/deps --test

# demo and test first install missing packages, then start a second make that builds, on all processors unless -j was given.
parallel = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

demo: deps
	@$(MAKE) --no-print-directory -s $(parallel) all tools
	@demos/run.sh --brief && demos/enforced.sh

test-long: deps-test
	@$(MAKE) --no-print-directory -s $(parallel) all unit-bin tools
	@tests/all.sh long

test: deps-test
	@$(MAKE) --no-print-directory -s $(parallel) all unit-bin tools
	@tests/all.sh full

check: all unit-bin tools
	@tests/all.sh quick

layers: all
	@tests/layers.sh

# REV=COMMIT: also the lines that changed since then
layout:
	@tests/lib/layout.sh $(or $(REV),HEAD)

# REV=COMMIT: the commits after it
commits:
	@tests/lib/commits.sh $(or $(REV),main)

# The controller and the unit tests under a sanitizer; the library inside the target is built without.
asan:
	@tests/sanitize.sh asan -fsanitize=address

ubsan:
	@tests/sanitize.sh ubsan '-fsanitize=undefined -fno-sanitize-recover=all'

bench-weak: all tools
	@bench/weak.sh

# BENCH_SECONDS, BENCH_JSON, GENMC, NIDHUGG and more: bench/run.sh --help, docs/benchmarks.md
bench: all tools
	@bench/run.sh

bench-quick: all tools
	@BENCH_SECONDS=$${BENCH_SECONDS:-40} REPEAT=$${REPEAT:-3} bench/run.sh isolation points memory scaling searches

# Feeds arbitrary bytes to everything that reads and shows recordings, states and results: FUZZ_SECONDS for each target, or FUZZ_RUNS inputs.
# tests/fuzz/corpus.tar.xz has small inputs to start from. Symbolizing is off, since it takes very long on some machines: use
# addr2line -e build/fuzz/fuzz_NAME ADDRESS for a line of a stack, or run the target again with the input that it left.
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= -1
FUZZ_TARGETS ?= recording html json state certificate rows
FUZZ_CC ?= clang
FUZZ_CFLAGS := $(filter-out -Werror,$(BASE_CFLAGS)) -O1 -fno-omit-frame-pointer -fsanitize=address,undefined
FUZZ_OBJ := $(patsubst %.c,build/fuzz/obj/%.o,$(filter-out cli/main.c cli/base/check.c,$(CLI_SRC)) tests/unit/lib_check.c tests/fuzz/lib_fuzz.c \
	$(addprefix tests/unit/,lib_toy.c lib_toy_code.c lib_toy_program.c))
build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call run,FUZZ)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link $(PKG_CFLAGS) -MMD -MP -c -o $@ $<
build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_OBJ) $(CLI_EMBEDDED)
	$(call run,LINK)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer $(PKG_CFLAGS) -o $@ $^ $(PKG_LIBS) -l:libiberty.a
-include $(FUZZ_OBJ:.o=.d)

fuzz: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%)
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_RUNS) $(FUZZ_TARGETS)

# ---- installing --------------------------------------------------------------------------------

# Directories for completion and pkg-config below a prefix; a package may need others.
BASH_COMPLETION_DIR ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETION_DIR ?= $(PREFIX)/share/zsh/site-functions
PKGCONFIG_DIR ?= $(PREFIX)/lib/pkgconfig
# Files for PREFIX/lib/simul.
LIBRARIES := $(BIN)/libsimul.so $(ENFORCE_LIB) $(STANDIN) $(CMOCKA_HELPER)
MAN_PAGES := $(wildcard docs/*.[1-8])
DOCS := $(wildcard docs/*.md docs/*/*)
man_path = $(PREFIX)/share/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
# $(call stamp,FILE,TARGET): installs FILE with the prefix and the version filled in.
stamp = (umask 022 && mkdir -p "$$(dirname '$(DESTDIR)$(2)')") && sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' $(1) >'$(DESTDIR)$(2)' && \
	chmod 644 '$(DESTDIR)$(2)'

install: all
	install -D -m 755 $(BIN)/simul '$(DESTDIR)$(PREFIX)/bin/simul'
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/lib/simul' $(LIBRARIES)
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/include' include/simul.h include/fthread.h
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/lib' $(FTHREAD)
	for f in $(patsubst replay/gdb/%,%,$(GDB_SRC)); do install -D -m 644 "replay/gdb/$$f" '$(DESTDIR)$(PREFIX)/lib/simul/gdb/'"$$f" || exit 1; done
	$(foreach m,$(MAN_PAGES),$(call stamp,$(m),$(call man_path,$(m))) && ) true
	$(call stamp,simul.pc.in,$(PKGCONFIG_DIR)/simul.pc)
	$(call stamp,fthread.pc.in,$(PKGCONFIG_DIR)/fthread.pc)
	install -D -m 644 completion/simul.bash '$(DESTDIR)$(BASH_COMPLETION_DIR)/simul'
	install -D -m 644 completion/_simul '$(DESTDIR)$(ZSH_COMPLETION_DIR)/_simul'
	$(foreach d,README.md CONTRIBUTING.md LICENSE $(DOCS),install -D -m 644 $(d) '$(DESTDIR)$(PREFIX)/share/doc/simul/$(d)' && ) true

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/simul' \
		$(foreach l,$(notdir $(LIBRARIES)),'$(DESTDIR)$(PREFIX)/lib/simul/$(l)') \
		$(foreach m,$(MAN_PAGES),'$(DESTDIR)$(call man_path,$(m))') \
		'$(DESTDIR)$(PREFIX)/include/simul.h' '$(DESTDIR)$(PKGCONFIG_DIR)/simul.pc' \
		'$(DESTDIR)$(PREFIX)/include/fthread.h' '$(DESTDIR)$(PREFIX)/lib/libfthread.so' '$(DESTDIR)$(PKGCONFIG_DIR)/fthread.pc' '$(DESTDIR)$(BASH_COMPLETION_DIR)/simul' '$(DESTDIR)$(ZSH_COMPLETION_DIR)/_simul' \
		$(foreach d,README.md CONTRIBUTING.md LICENSE $(DOCS),'$(DESTDIR)$(PREFIX)/share/doc/simul/$(d)')
	rm -rf '$(DESTDIR)$(PREFIX)/lib/simul/gdb'
	-find '$(DESTDIR)$(PREFIX)/lib/simul' '$(DESTDIR)$(PREFIX)/share/doc/simul' -depth -type d -empty -delete 2>/dev/null

# build/simul_VERSION_ARCH.deb, built by packaging/deb.sh.
deb: all
	@packaging/deb.sh '$(VERSION)' build

clean:
	rm -rf build

help:
	@echo 'make            build build/simul and build/libsimul.so'
	@echo 'make demo       install missing packages, build, find and replay the bugs of demos/'
	@echo 'make test       install missing packages, build, run the tests'
	@echo '                make test FILTER=TEXT: only the cases whose name contains TEXT, in all suites'
	@echo 'make test-long  the same with all similar cases and ten times as many random programs (an hour)'
	@echo 'make check      the fast tests (under a minute)'
	@echo 'make deps       install the packages for the build; deps-test: also those for the tests'
	@echo 'make layout     check the layout of the lines that changed since the commit REV (HEAD); needs clang-format'
	@echo 'make commits    check subjects and bodies of the commits since REV (main)'
	@echo 'make layers     check includes, calls between parts, exports of the library, banned words'
	@echo 'make asan       run the unit tests and tests/cli.sh under AddressSanitizer; ubsan: under UBSan'
	@echo 'make fuzz       fuzz the reader of recordings for FUZZ_SECONDS (60); needs clang'
	@echo 'make bench      measure speed as ratios within one run (minutes); bench-quick: in under a minute'
	@echo '                bench-weak: searches with store buffers only'
	@echo 'make install    install to PREFIX (/usr/local) below DESTDIR; uninstall removes it'
	@echo 'make deb        build/simul_VERSION_amd64.deb, for Debian and derived systems'
	@echo 'make clean      remove build/'
	@echo 'Variables: VERBOSE=1 V=<variant> CC=clang CFLAGS=... LDFLAGS=... DEBUG=1 PREFIX=... DESTDIR=...'

.PHONY: all unit-bin tools deps deps-test demo test test-long check layers layout commits asan ubsan fuzz bench bench-quick bench-weak install \
	uninstall deb clean help FORCE
.SECONDARY:
.DELETE_ON_ERROR:
