# Everything you do with this repository. `make` alone lists it.

PREFIX ?= $(HOME)/.local
# Debian's zsh looks for the functions of packages elsewhere than the zsh of others does.
ZSHDIR ?= $(PREFIX)/share/zsh/$(if $(and $(filter /usr,$(PREFIX)),$(wildcard \
	/etc/debian_version)),vendor-completions,site-functions)
SHELL := /bin/sh
# The user's toolchain first, then the usual places of one.
export PATH := $(PATH):/opt/swift/usr/bin:$(HOME)/.local/share/swiftly/bin
# 1.2 MB less, where the loader understands it (glibc 2.36).
PACKED := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); \
	if (v[1] > 2 || v[1] == 2 && v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# No unwind tables (docs/decisions/0032), and nothing of the linker's writable afterwards.
HARDENED := -Xlinker -z -Xlinker now -Xlinker --no-eh-frame-hdr \
	-Xlinker -T -Xlinker scripts/discard.ld
# What runs at the start lies side by side: 8 MB less in memory at the prompt
# (Benchmarks/order.py writes the list).
ORDERED := -Xlinker --symbol-ordering-file=scripts/link-order.txt \
	-Xlinker --no-warn-symbol-ordering
# One set of flags for run, install, bench and soak, so that they share one build: in
# another environment SwiftPM plans anew and compiles nothing (scripts/check-rebuild).
# Nothing links against the program: its symbols need not be found at run time.
# Bodies are not inlined across modules: a change compiles less, and the program is smaller.
# A module's interface comes out of its compilation: nothing that uses it starts before
# that is done, so that a job of its own for it only costs (docs/decisions/0027).
# Repeated instructions become functions, and unused ones are left out: 1.1 MB less.
RELEASE := -c release --static-swift-stdlib --product chat -Xlinker --no-export-dynamic \
	$(HARDENED) $(ORDERED) -debug-info-format none -Xswiftc -disable-cmo --disable-local-rpath $(PACKED) \
	-Xswiftc -no-emit-module-separately-wmo \
	-Xswiftc -Xllvm -Xswiftc -enable-machine-outliner=always \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
BUILD := swift build $(RELEASE)
BINARY := .build/release/chat
PLACES := "$(DESTDIR)$(PREFIX)" "$(DESTDIR)$(ZSHDIR)"
SWIFT_FILES := Package.swift Sources Tests $(wildcard Benchmarks)

.DEFAULT_GOAL := help
.PHONY: help setup build run test grade check format install uninstall dist deb tarball bench \
	soak sanitize fuzz live golden clean

help:
	@echo 'make run        set up, build and start chat (ARGS="…" passes arguments)'
	@echo 'make build      the same without starting it'
	@echo 'make test       set up, check, build, run every test'
	@echo 'make grade      every graded set as a whole: each share beside its gate'
	@echo 'make check      format, layers, style and docs only; seconds'
	@echo 'make install    program, manual page, completion into PREFIX (now: $(PREFIX))'
	@echo 'make uninstall  takes those files away again'
	@echo 'make dist       Debian package, tarball and checksums into dist/ (also: deb, tarball)'
	@echo 'make bench      each budget beside its floor'
	@echo 'make soak       kills, disk errors and signals; minutes (Soak/README.md)'
	@echo 'make sanitize   every test with the address sanitizer'
	@echo 'make fuzz       what reads text of others; ten minutes (TARGET=… TIME=seconds)'
	@echo 'make live       asks the real providers, with your keys (ARGS=FOLDER records there)'
	@echo 'make format     format all Swift files in place'
	@echo 'make golden     record the golden files anew (ARGS=Target.Class,… only these); fails once'
	@echo 'make setup      install missing system packages only'
	@echo 'make clean      remove what was built'

setup:
	@scripts/setup

# Build chatter goes to stderr, so that stdout is the program's.
build:
	@scripts/setup
	@$(BUILD) >&2
	@scripts/stage --stamp >$(BINARY).commit

run: build
	@exec $(BINARY) $(ARGS)

# The script prints `N passed, N failed, N skipped` last, whatever happens.
test:
	@scripts/run-tests

# The same build, of which nothing is compiled again.
grade:
	@scripts/setup --tests
	@scripts/run-tests --grade

check:
	@scripts/check

format:
	@swift format --in-place --parallel --recursive $(SWIFT_FILES)

# Root only copies what another user's `make build` built in a folder of theirs.
install:
	@if [ "$$(id -u)" != 0 ] || [ -O Makefile ]; then $(MAKE) --no-print-directory build; fi
	@[ -x $(BINARY) ] || { echo 'not built yet: run "make build" without sudo first' >&2; exit 1; }
	@scripts/stage $(BINARY) $(PLACES)
	@echo 'installed $(DESTDIR)$(PREFIX)/bin/chat, its manual page and completions'

uninstall:
	@scripts/stage --remove $(PLACES)

# Made from the same build; the tarball's program is only linked again.
dist: build
	@scripts/dist deb tarball

deb tarball: build
	@scripts/dist $@

bench: build
	@scripts/setup --tests
	@scripts/check-rebuild
	@Benchmarks/run
	@Benchmarks/dates.py
	@Benchmarks/understanding.py
	@Benchmarks/requests.py
	@Benchmarks/calendars.py
	@Benchmarks/growth.py
	@Benchmarks/peers.py

soak: build
	@scripts/setup --tests
	@Soak/run $(ARGS)

# A build of its own, so that the next `make test` finds its own again.
sanitize:
	@scripts/setup --tests
	@scripts/run-tests --sanitize

# A build of its own too.
fuzz:
	@TARGET='$(TARGET)' TIME='$(TIME)' scripts/fuzz $(ARGS)

# Never part of the tests: it costs money, and needs the network.
live:
	@swift build --product chat >&2
	@scripts/live $(ARGS)

# Always fails: a new golden file is accepted by reading its difference.
golden:
	-@RECORD_GOLDEN=1 scripts/run-tests --tests-only $(ARGS)
	@git --no-pager diff --stat -- '*Golden*'
	@echo 'golden files recorded: read the difference, then run make test'; exit 1

clean:
	@rm -rf .build
