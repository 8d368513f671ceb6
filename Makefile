# SPDX-License-Identifier: MIT
# The front door. Every target installs, configures and builds what it lacks, and nothing else.

CYCLES ?= 10000000
OPERATIONS ?= 1000000
CLOCKS ?= 3000000
FLIPS  ?= 100000
CASES  ?= 10000
CLI_CASES ?= 100000
PREFIX ?= /usr/local
PACKETS ?= 10000000
MUTANTS ?= 1000
SEED   ?= 1
JOBS   ?= $(shell nproc)
# SLURM=1: soak, fuzz, flips, faults, fuzz-cli and mutate are JOBS tasks of an array job, with SBATCH="its options".
SLURM  ?=
SBATCH ?=
# 60 % of what the machine carries: unicasts of all lengths, multicasts with acks among them.
MIXED   = --load 0.3 --flits 5-16 --multicast 0.05 --density 0.3 --acks --t-ent 400

export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE := 1
export NINJA_STATUS := [%f/%t] 
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

NINJA = ninja -C build -j $(JOBS)
# A command with {} = SEED and so on, JOBS of them; $(call logs,NAME) are what they printed.
CAMPAIGN = python3 scripts/campaign.py --tasks $(JOBS) $(if $(SLURM),--slurm --sbatch='$(SBATCH)',--jobs $(JOBS))
logs = $(foreach seed,$(shell seq $(SEED) $$(($(SEED) + $(JOBS) - 1))),build/$(1).$(seed).log)

.PHONY: help setup setup-% configure build run test quick lint format wave synth sta power layout formal mutate cov unprotect bench soak fuzz fuzz-cli flips faults \
        memory report docs browse pictures live python slurm mpi install deb clean

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: ## install the Debian packages that are missing
	@scripts/setup.sh

setup-%:
	@scripts/setup.sh $(subst +, ,$*)

# Ninja re-runs CMake by itself later on.
configure: setup-build
	@test -f build/build.ninja || { echo 'configuring'; cmake -S . -B build -G Ninja >/dev/null; }

build: configure
	@$(NINJA)

run: configure ## build and run 64 nodes of RTL on mixed traffic, compared with the SystemC design in every cycle
	@$(NINJA) rdt
	@build/bin/rdt run $(MIXED) --engine rtl --check systemc --cycles 5000 --warmup 500 --drain --json build/run.json

ifdef PART
test: configure
	@$(NINJA) $(PART)
	@ctest --test-dir build -L '^$(PART)$$' -j $(JOBS) --output-on-failure --no-label-summary --no-tests=error
else
test: build ## build everything and run all tests (JUnit report: build/test.xml); PART=chip_two_chips: one program of tests
	@ctest --test-dir build -E '^quick/' -j $(JOBS) --output-on-failure --no-label-summary --output-junit test.xml --test-output-size-passed 4096
endif

quick: build ## build everything and run the quick tests: two minutes on two cores
	@ctest --test-dir build -L quick -j $(JOBS) --output-on-failure --no-label-summary --output-junit quick.xml --test-output-size-passed 4096

lint: configure ## Verilator -Wall, Icarus, generated files, file lists, clang-format
	@ctest --test-dir build -L lint --output-on-failure

format: setup-build ## regenerate everything made from rtl/rdt_format.json
	@python3 scripts/gen_format.py

# A packet that crosses the chip of node 1, block by block, in SystemC and in RTL.
WAVE   ?= --trace sim/waves/crossing.trace --wave-nodes 1 --wave-from 100
wave: setup-build+wave configure ## record WAVE="options of rdt run", open it in GTKWave (no display: build/wave/machine.png)
	@$(NINJA) rdt
	@scripts/wave.sh $(WAVE)

synth: setup-build+synth ## synthesize with Yosys; gates per block beside the paper's (build/synth.json)
	@mkdir -p build
	@python3 scripts/synth.py

sta: setup-build+synth+sta ## static timing in ns with OpenSTA, 0.5 and 0.18 um; fails above the paper's clock (build/sta.json)
	@mkdir -p build
	@python3 scripts/sta.py

power: setup-build+synth+sta ## power of each block, idle and under load, from toggles of the gates (build/power.json)
	@mkdir -p build
	@python3 scripts/power.py

layout: setup-build+synth+sta+layout ## a link placed and routed by graywolf and qrouter, and its picture (docs/images/layout.svg)
	@mkdir -p build
	@python3 scripts/layout.py

formal: setup-formal ## prove what the blocks promise, and that netlist = RTL, JOBS at once (build/formal.json)
	@mkdir -p build
	@python3 scripts/formal.py --jobs $(JOBS)

mutate: setup-build+formal configure ## MUTANTS=1000 mistakes in the logic from SEED=1 on under the fuzz; survivors by line (build/mutate.json)
	@$(NINJA) mutants
ifneq ($(SLURM),)
	@python3 scripts/mutate.py --mutants $(MUTANTS) --seed $(SEED) --part prepare
	@$(CAMPAIGN) mutate --first 0 -- 'python3 scripts/mutate.py --mutants $(MUTANTS) --seed $(SEED) --part {}/$(JOBS) --jobs 1 --program build/bin/mutants'
endif
	@python3 scripts/mutate.py --mutants $(MUTANTS) --seed $(SEED) --jobs $(JOBS)

cov: setup-build+cov ## coverage of the RTL (lines, branches, bits, cover points) and of the C++ core over the tests; holes (build/cov.json, build/cov/html)
	@mkdir -p build
	@python3 scripts/cov.py --jobs $(JOBS)

unprotect: setup-build ## take the protections out of a copy of the chip and see every attack of tb/attack succeed
	@mkdir -p build
	@python3 scripts/unprotect.py build/unprotect

bench: setup-build+bench configure ## simulated clocks per second of chip, machine and lab (build/bench.json)
	@$(NINJA) rdt_bench
	@build/bin/rdt_bench --json build/bench.json

soak: configure ## lockstep of chip, 64 nodes and fuzz for CYCLES=10000000 chip clocks, JOBS at once, with seeds that never come twice (docs/soak.json)
	@$(NINJA) soak
ifneq ($(SLURM),)
	@$(CAMPAIGN) soak --first $$(python3 scripts/soak.py --next) -- 'python3 scripts/soak.py --clocks $$(($(CYCLES) / $(JOBS))) --jobs 1 # {}'
else
	@python3 scripts/soak.py --clocks $(CYCLES) --jobs $(JOBS)
endif

fuzz: configure ## RTL, SystemC and fast core under whatever pins can show, for CLOCKS=3000000 from SEED=1 on, by JOBS processes
	@$(NINJA) fuzz_chip
	@$(CAMPAIGN) fuzz --first $(SEED) -- \
	    'RDT_SEED=$$(($(SEED) + ({} - $(SEED)) * ($(CLOCKS) / $(JOBS) / 100000 + 1))) RDT_CYCLES=$$(($(CLOCKS) / $(JOBS))) build/bin/fuzz_chip --gtest_output=xml:build/fuzz.{}.xml'
	@grep -h "equal on every pin" $(call logs,fuzz)

memory: configure ## OPERATIONS=1000000 on the shared memory, every pattern and protocol, checked
	@$(NINJA) machine_dsm
	@RDT_OPERATIONS=$(OPERATIONS) build/bin/machine_dsm --gtest_filter='*every_pattern*' \
	    --gtest_output=xml:build/memory.xml

flips: configure ## FLIPS=100000 inverted pins under load, shared by JOBS processes from SEED=1 on; every packet accounted for
	@$(NINJA) attack_flips
	@$(CAMPAIGN) flips --first $(SEED) -- \
	    'RDT_SEED={} RDT_FLIPS=$$(($(FLIPS) / $(JOBS))) build/bin/attack_flips --gtest_filter="*survived*"'
	@grep -h "sent, " $(call logs,flips)

faults: configure ## CASES=10000 of every kind of broken part, PACKETS=10000000 with random headers, 10,300 faults of links, by JOBS processes from SEED=1 on
	@$(NINJA) attack_broken attack_headers machine_faults
	@$(CAMPAIGN) faults --first $(SEED) -- \
	    'RDT_SEED={} RDT_CASES=$$(($(CASES) / $(JOBS))) build/bin/attack_broken --gtest_filter="*throughput*" && \
	    RDT_SEED={} RDT_PACKETS=$$(($(PACKETS) / $(JOBS))) build/bin/attack_headers --gtest_filter="*fast" && \
	    RDT_SEED={} RDT_TIMES=4 build/bin/machine_faults --gtest_filter="faults*"'
	@grep -h "cases, \|packets, " $(call logs,faults)

fuzz-cli: configure ## the program under CLI_CASES=100000 of random options, traces, files, with sanitizers, from SEED=1 on
	@$(NINJA) fuzz_cli
	@$(CAMPAIGN) fuzz_cli --first $(SEED) -- 'build/bin/fuzz_cli $$(($(CLI_CASES) / $(JOBS))) {}'
	@grep -h "cases: " $(call logs,fuzz_cli)

report: configure ## a page of what the last runs have shown, by rows of the plan (build/report/index.html, summary.svg)
	@python3 scripts/report.py

python: configure setup-python ## build the Python module in build/python and compare it with the program
	@$(NINJA) check_python

# Debian's compiler looks for its own JavaScript there, whatever node is installed.
live: setup-build+live+browser configure ## the machine in a browser: build/live/index.html, held against the program in Chromium
	@$(NINJA) rdt
	@test -f build/live/build.ninja || emcmake cmake -S sim/live -B build/live -G Ninja >/dev/null
	@EM_COMPILER_WRAPPER=ccache NODE_PATH=/usr/share/nodejs ninja -C build/live -j $(JOBS)
	@python3 scripts/test_live.py build/live/index.html build/bin/rdt

slurm: configure setup-slurm ## sweeps and campaigns as array jobs of Slurm, on a cluster of one node that is started for it
	@$(NINJA) rdt
	@python3 tb/program/slurm.py build/bin/rdt

mpi: configure setup-mpi ## what notes the messages of MPI programs (build/lib/librdt_mpi.so), and two of 64 ranks under it
	@grep -q librdt_mpi build/build.ninja || cmake -S . -B build >/dev/null
	@$(NINJA) rdt rdt_mpi
	@python3 tb/program/mpi.py build/bin/rdt build

docs: configure setup-docs ## the documentation as a site with search: build/site/index.html
	@$(NINJA) rdt
	@python3 scripts/site.py build/bin/rdt

browse: docs report setup-browser ## open the site, the report and the page of a run in a headless Chromium, 1280 and 390 pixels wide
	@python3 scripts/browse_site.py build/site
	@$(NINJA) rdt
	@build/bin/rdt run $(MIXED) --cycles 5000 --report build/report/run >/dev/null
	@python3 scripts/browse_pages.py build/report/index.html build/report/run/index.html

pictures: configure ## draw the pictures of README and docs anew, from packet logs and docs/timing.md
	@$(NINJA) rdt
	@python3 scripts/draw.py build/bin/rdt

install: configure ## install program, libraries, RTL, CMake package and examples to PREFIX=/usr/local
	@$(NINJA) install_files
	@cmake --install build --prefix $(PREFIX)

deb: configure setup-deb ## Debian packages rdt and rdt-dev in build/packages
	@$(NINJA) install_files
	@cd build && cpack -G DEB >/dev/null
	@ls build/packages/*.deb

clean: ## remove build/ and build_cov/
	@rm -rf build build_cov
