# Everything you do with this repository. `make` alone lists it.

PREFIX ?= $(HOME)/.local
SHELL := /bin/sh
# The user's toolchain first, then the usual places of one.
export PATH := $(PATH):/opt/swift/usr/bin:$(HOME)/.local/share/swiftly/bin
# 1.2 MB less, where the loader understands it (glibc 2.36).
PACKED := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); \
	if (v[1] > 2 || v[1] == 2 && v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# One set of flags for run, install, bench and soak, so that they share one build: in
# another environment SwiftPM plans anew and compiles nothing (scripts/check-rebuild).
# Nothing links against the program: its symbols need not be found at run time.
# Bodies are not inlined across modules: a change compiles less, and the program is smaller.
# Repeated instructions become functions, and unused ones are left out: 1.1 MB less.
RELEASE := -c release --static-swift-stdlib --product chat -Xlinker --no-export-dynamic \
	-debug-info-format none -Xswiftc -disable-cmo --disable-local-rpath $(PACKED) \
	-Xswiftc -Xllvm -Xswiftc -enable-machine-outliner=always \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
BUILD := swift build $(RELEASE)
# The unwind tables are for debuggers (docs/decisions/0018).
STRIP := strip -R .eh_frame -R .eh_frame_hdr
BINARY := .build/release/chat
# Made by the program, so they are of its version: target folder, then what makes it.
SHARE := $(DESTDIR)$(PREFIX)/share
MAN := $(SHARE)/man/man1/chat.1
BASH_COMPLETION := $(SHARE)/bash-completion/completions/chat
ZSH_COMPLETION := $(SHARE)/zsh/site-functions/_chat
FISH_COMPLETION := $(SHARE)/fish/vendor_completions.d/chat.fish
SWIFT_FILES := Package.swift Sources Tests $(wildcard Benchmarks)

.DEFAULT_GOAL := help
.PHONY: help setup run test grade check format install uninstall bench soak sanitize fuzz live golden clean

help:
	@echo 'make run        set up, build and start chat (ARGS="…" passes arguments)'
	@echo 'make test       set up, check, build, run every test'
	@echo 'make grade      every graded set as a whole: each share beside its gate'
	@echo 'make check      format, layers, style and docs only; seconds'
	@echo 'make install    program, manual page, completion into PREFIX (now: $(PREFIX))'
	@echo 'make uninstall  takes those files away again'
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
run:
	@scripts/setup
	@$(BUILD) >&2
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

# Stripped beside its place and renamed: a running chat keeps its own file.
install:
	@scripts/setup
	@$(BUILD) >&2
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@$(STRIP) -o "$(DESTDIR)$(PREFIX)/bin/.chat.new" $(BINARY)
	@chmod 755 "$(DESTDIR)$(PREFIX)/bin/.chat.new"
	@mv -f "$(DESTDIR)$(PREFIX)/bin/.chat.new" "$(DESTDIR)$(PREFIX)/bin/chat"
	@install -d "$(dir $(MAN))" "$(dir $(BASH_COMPLETION))" "$(dir $(ZSH_COMPLETION))" \
		"$(dir $(FISH_COMPLETION))"
	@$(BINARY) man > "$(MAN)"
	@$(BINARY) completion bash > "$(BASH_COMPLETION)"
	@$(BINARY) completion zsh > "$(ZSH_COMPLETION)"
	@$(BINARY) completion fish > "$(FISH_COMPLETION)"
	@echo 'installed $(DESTDIR)$(PREFIX)/bin/chat, its manual page and completions'

uninstall:
	@rm -f "$(DESTDIR)$(PREFIX)/bin/chat" "$(MAN)" "$(BASH_COMPLETION)" \
		"$(ZSH_COMPLETION)" "$(FISH_COMPLETION)"

bench:
	@scripts/setup --tests
	@$(BUILD) >&2
	@scripts/check-rebuild
	@Benchmarks/run
	@Benchmarks/dates.py
	@Benchmarks/understanding.py
	@Benchmarks/calendars.py

soak:
	@scripts/setup --tests
	@$(BUILD) >&2
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
