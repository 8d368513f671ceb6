# SPDX-License-Identifier: MIT
# The front door. Every target installs, configures and builds what it lacks, and nothing else.

CYCLES ?= 10000000
RUN_CYCLES ?= 5000
OPERATIONS ?= 1000000
FUZZ_CYCLES ?= $(or $(CLOCKS),3000000)
FLIPS  ?= 100000
FAULTS ?= 4
CASES  ?= 10000
CLI_CASES ?= 100000
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
PACKETS ?= 10000000
MUTANTS ?= 1000
SEED   ?= 1
# At most one compiler per core and per 1.2 GB of free memory.
JOBS   ?= $(shell awk -v cores="$$(nproc)" '/^MemAvailable/ { m = int($$2 / 1200000); \
            print m < 1 ? 1 : m < cores ? m : cores }' /proc/meminfo)
# ARGS: more options for the script of collectives, campaigns, synth, sta, power, layout, formal, inject, mistakes, cov, bench and soak.
ARGS   ?=
# SLURM=1: soak, fuzz, flips, faults, fuzz-cli and mutate are JOBS tasks of an array job, with SBATCH="its options".
SLURM  ?=
SBATCH ?=
# 60 % of the saturation rate: unicasts of all lengths, and multicasts with acks.
MIXED   = --load 0.3 --flits 5-16 --multicast 0.05 --density 0.3 --acks --t-ent 400

export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE := 1
export NINJA_STATUS := [%f/%t] 
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

BUILD = cmake --build build -j $(JOBS) --target
CTEST = ctest --test-dir build -j $(JOBS) --output-on-failure --no-label-summary
# A command with {} = SEED and so on, JOBS of them; $(call logs,NAME) are what they printed.
CAMPAIGN = python3 scripts/run_seeds.py --tasks $(JOBS) $(if $(SLURM),--slurm --sbatch='$(SBATCH)',--jobs $(JOBS))
logs = $(foreach seed,$(shell seq $(SEED) $$(($(SEED) + $(JOBS) - 1))),build/$(1).$(seed).log)

.PHONY: help setup setup-% configure configure-python build run test rest regress nightly quick lint format wave collectives campaigns synth sta power layout formal \
        mutate cov inject unprotect bench soak fuzz fuzz-cli flips faults memory report docs browse pictures live python slurm mpi programs programs-isa \
        install deb clean

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: ## install the Debian packages that are missing
	@scripts/setup.sh

setup-%:
	@scripts/setup.sh $(subst +, ,$*)

# CMake notes which tools and libraries there are, so it runs again when set-up may have installed more.
configure: setup-run
	@mkdir -p build
	@cmake --preset default >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

build: configure ## build the programs rdt and rdt-lab
	@$(BUILD) programs

run: configure ## build and run 64 nodes of RTL on mixed traffic, compared with the SystemC design in every cycle
	@$(BUILD) rdt
	@build/bin/rdt run $(MIXED) --engine rtl --check systemc --warmup 500 --cycles $(RUN_CYCLES) --drain --json build/run.json

ifdef PART
test: setup-run+test configure
	@$(BUILD) $(PART)
	@$(CTEST) -L '^$(PART)$$' --no-tests=error
else
test: setup-run+test configure ## build and run the tests of every block, the chip, 64 nodes, program and documents (build/test.xml); PART=chip_two_chips: one program
	@$(BUILD) all
	@$(CTEST) -L '^test$$' --output-junit test.xml --test-output-size-passed 4096
endif

rest: setup-run+test configure ## tests of `make regress` that are not in `make test`, LEAVE_OUT='REGEX' (build/rest.xml)
	@$(BUILD) all regress_programs
	@$(CTEST) -LE '^test$$' $(if $(LEAVE_OUT),-E '$(LEAVE_OUT)') --output-junit rest.xml --test-output-size-passed 4096

regress: test rest ## every test

nightly: setup-run ## run every make target in a clean clone, in the order of README and, in short, in reverse; ONLY=run,live ORDER=reverse (docs/nightly.json)
	@python3 scripts/nightly.py $(if $(ONLY),--only $(ONLY)) $(if $(ORDER),--order $(ORDER)) $(if $(LIMIT),--limit $(LIMIT))

quick: setup-run+test configure ## the part of `make test` that takes a minute on a built tree (build/quick.xml)
	@$(BUILD) all
	@$(CTEST) -L '^quick$$' --output-junit quick.xml --test-output-size-passed 4096

lint: setup-run+test configure ## Verilator -Wall, Icarus, generated files, file lists, clang-format, language
	@$(CTEST) -L '^lint$$'

format: setup-run ## regenerate everything made from rtl/rdt_format.json
	@python3 scripts/gen_format.py

# A packet that crosses the chip of node 1, block by block, in SystemC and in RTL.
WAVE   ?= --trace sim/waves/crossing.trace --wave-nodes 1 --wave-from 100
wave: setup-run+wave configure ## record WAVE="options of rdt run", open it in GTKWave (no display: build/wave/machine.png)
	@$(BUILD) rdt rdt-lab
	@scripts/wave.sh $(WAVE)

collectives: configure ## goodput of acknowledged multicasts and barrier latency (docs/collectives.json, docs/images/goodput.svg)
	@$(BUILD) rdt rdt-lab
	@python3 scripts/collectives.py build/bin/rdt $(ARGS)

campaigns: setup-run+test configure ## multicasts, registers, litmus tests, flipped pins, increments, barriers at full volume, JOBS at once (build/campaigns.json); ARGS=--scale=0.01: less
	@$(BUILD) campaigns
	@python3 scripts/campaigns.py --jobs $(JOBS) --seed $(SEED) $(ARGS)

synth: setup-run+synth ## synthesize with Yosys; gates per block beside the paper's (build/synth.json)
	@mkdir -p build
	@python3 -m rtl.flow.synth $(ARGS)

sta: setup-run+synth+sta ## static timing in ns with OpenSTA, 0.5 and 0.18 um; fails above the paper's clock (build/sta.json)
	@mkdir -p build
	@python3 -m rtl.flow.sta $(ARGS)

power: setup-run+synth+sta ## power of each block, idle and under load, from toggles of the gates (build/power.json)
	@mkdir -p build
	@python3 -m rtl.flow.power $(ARGS)

layout: setup-run+synth+sta+layout ## a link placed and routed by graywolf and qrouter, and its picture (docs/images/layout.svg)
	@mkdir -p build
	@python3 -m rtl.flow.layout $(ARGS)

formal: setup-formal ## prove what the blocks promise, and that netlist = RTL, JOBS at once (build/formal.json)
	@mkdir -p build
	@python3 -m tb.formal --jobs $(JOBS) $(ARGS)

mutate: setup-run+test+formal configure ## MUTANTS=1000 mistakes in the logic from SEED=1 on under the fuzz; survivors by line (build/mutate.json)
	@$(BUILD) mutants
ifneq ($(SLURM),)
	@python3 -m tb.mutate --mutants $(MUTANTS) --seed $(SEED) --part prepare
	@$(CAMPAIGN) mutate --first 0 -- 'python3 -m tb.mutate --mutants $(MUTANTS) --seed $(SEED) --part {}/$(JOBS) --jobs 1 --program build/bin/mutants'
endif
	@python3 -m tb.mutate --mutants $(MUTANTS) --seed $(SEED) --jobs $(JOBS) --volumes

cov: setup-run+test+cov ## coverage of the RTL (lines, branches, bits, cover points) and of the C++ core over the tests; holes (build/cov.json, build/cov/html)
	@mkdir -p build
	@python3 -m tb.cov --jobs $(JOBS) $(ARGS)

inject: setup-run+test configure ## inject bugs into copies of RTL, SystemC design and fast engine; every checker has to detect them
	@python3 -m tb.inject $(foreach checker,pins fuzz blocks,--checker $(checker)) $(if $(ONLY),--only '$(ONLY)') --seed $(SEED) $(ARGS)

mistakes: setup-run+test configure ## draw 60 semantic mistakes (SEED, ARGS=--draw=9): proofs alone have to detect 80 %, the tests of `make test` all of them
	@python3 -m tb.formal.detect --seed $(SEED) --jobs $(JOBS) $(ARGS)
	@python3 -m tb.inject.detect --seed $(SEED) --jobs $(JOBS) $(ARGS)

unprotect: setup-run+test configure ## remove the protections from a copy of the router; every attack of tb/attack has to succeed
	@python3 -m tb.inject --checker attacks

bench: setup-run+bench configure ## speed of chip, machine and lab, of all engines and threads (build/bench.json)
	@$(BUILD) rdt_bench rdt rdt-lab
	@build/bin/rdt_bench --json build/bench.json $(ARGS)
	@scripts/speed.py count build/bin/rdt build/bench.json

soak: setup-run+test configure ## lockstep of chip, 64 nodes and fuzz for CYCLES=10000000 router cycles, JOBS at once, with seeds that never repeat (docs/soak.json)
	@$(BUILD) soak
ifneq ($(SLURM),)
	@$(CAMPAIGN) soak --first $$(python3 tb/soak/soak.py --next) -- 'python3 tb/soak/soak.py --cycles $$(($(CYCLES) / $(JOBS))) --jobs 1 # {}'
else
	@python3 tb/soak/soak.py --cycles $(CYCLES) --jobs $(JOBS) $(ARGS)
endif

fuzz: setup-run+test configure ## RTL, SystemC and fast core with random pins, for FUZZ_CYCLES=3000000 from SEED=1 on, by JOBS processes
	@$(BUILD) fuzz_chip
	@$(CAMPAIGN) fuzz --first $(SEED) -- \
	    'RDT_SEED=$$(($(SEED) + ({} - $(SEED)) * ($(FUZZ_CYCLES) / $(JOBS) / 100000 + 1))) RDT_CYCLES=$$(($(FUZZ_CYCLES) / $(JOBS))) build/bin/fuzz_chip --gtest_output=xml:build/fuzz.{}.xml'
	@grep -h "match on every pin" $(call logs,fuzz)

memory: setup-run+test configure ## OPERATIONS=1000000 on the shared memory, every pattern and protocol, checked; a tenth as many rounds of every litmus test
	@$(BUILD) machine_dsm machine_dsm_atomics machine_litmus
	@RDT_OPERATIONS=$(OPERATIONS) build/bin/machine_dsm --gtest_filter='*every_pattern*' \
	    --gtest_output=xml:build/memory.xml
	@RDT_INCREMENTS=$$(($(OPERATIONS) / 1000 + 1)) build/bin/machine_dsm_atomics --gtest_filter='*come_to_an_end*' \
	    --gtest_output=xml:build/increments.xml
	@RDT_LITMUS_ROUNDS=$$(($(OPERATIONS) / 10)) build/bin/machine_litmus --gtest_filter='*forbids*' \
	    --gtest_output=xml:build/litmus.xml

flips: setup-run+test configure ## FLIPS=100000 inverted pins under load, shared by JOBS processes from SEED=1 on; every packet accounted for
	@$(BUILD) attack_flips
	@$(CAMPAIGN) flips --first $(SEED) -- \
	    'RDT_SEED={} RDT_FLIPS=$$(($(FLIPS) / $(JOBS))) build/bin/attack_flips --gtest_filter="*survived*"'
	@grep -h "sent, " $(call logs,flips)

faults: setup-run+test configure ## CASES=10000 of every kind of broken part, PACKETS=10000000 with random headers, 10,300 faults of links, by JOBS processes from SEED=1 on
	@$(BUILD) attack_broken attack_headers machine_faults
	@$(CAMPAIGN) faults --first $(SEED) -- \
	    'RDT_SEED={} RDT_CASES=$$(($(CASES) / $(JOBS))) build/bin/attack_broken --gtest_filter="*throughput*" && \
	    RDT_SEED={} RDT_PACKETS=$$(($(PACKETS) / $(JOBS))) build/bin/attack_headers --gtest_filter="*fast" && \
	    RDT_SEED={} RDT_TIMES=$(FAULTS) build/bin/machine_faults --gtest_filter="faults*"'
	@grep -h "cases, \|packets, " $(call logs,faults)

fuzz-cli: setup-run+test configure ## the program under CLI_CASES=100000 of random options, traces, files, with sanitizers, from SEED=1 on
	@$(BUILD) fuzz_cli
	@$(CAMPAIGN) fuzz_cli --first $(SEED) -- 'build/bin/fuzz_cli $$(($(CLI_CASES) / $(JOBS))) {}'
	@grep -h "cases: " $(call logs,fuzz_cli)

report: setup-run+test configure ## a page with the results of the last runs, by rows of the plan (build/report/index.html, summary.svg)
	@python3 -m scripts.report
	@python3 -m rtl.flow.silicon_tables || true

# The module is off by default, since it needs more packages; PYTHON is the interpreter it is for.
configure-python: setup-run+python configure
	@cmake -S . -B build -DRDT_PYTHON=ON -DPython_EXECUTABLE=$(PYTHON) >/dev/null

python: configure-python ## build the Python module in build/python and by pip (not with PIP=0); compare both with the program
	@$(BUILD) check_python
ifneq ($(PIP),0)
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PYTHON) tb/program/pip_install.py build/bin/rdt
endif

# Debian's compiler looks for its own JavaScript there, whatever node is installed.
live: setup-run+live+browser configure ## the machine in a browser: build/live/index.html, compared with the program in Chromium
	@$(BUILD) rdt rdt-lab
	@test -f build/live/CMakeCache.txt || emcmake cmake -S sim/live -B build/live -G Ninja >/dev/null
	@NODE_PATH=/usr/share/nodejs cmake --build build/live -j $(JOBS)
	@python3 tb/browser/live.py $(if $(LIVE_PARTS),--only $(LIVE_PARTS)) build/live/index.html build/bin/rdt

slurm: setup-run+slurm configure ## sweeps and campaigns as array jobs of Slurm, on a cluster of one node that is started for it
	@$(BUILD) rdt rdt-lab
	@python3 tb/program/slurm.py build/bin/rdt

programs: setup-run+programs configure ## compile the RISC-V kernels, run them on 1 to 64 nodes of four machines: speed-up curves (build/programs/index.html)
	@$(BUILD) rdt rdt-lab
	@python3 sim/programs/programs.py page build/bin/rdt $(ARGS)

programs-isa: setup-run+programs configure ## run the programs of riscv-tests in DIR, built, by the harts; without DIR: random instructions against QEMU
	@$(BUILD) rdt rdt-lab
	@python3 sim/programs/programs.py $(if $(DIR),isa build/bin/rdt $(DIR),random build/bin/rdt $(ARGS))

mpi: setup-run+mpi configure ## build the recorder for MPI programs (build/lib/librdt_mpi.so), and run two programs of 64 ranks with it
	@$(BUILD) rdt rdt-lab rdt_mpi
	@python3 tb/program/mpi.py build/bin/rdt build

docs: setup-run+docs configure ## the documentation as a site with search: build/site/index.html
	@$(BUILD) rdt rdt-lab
	@python3 scripts/docs_site.py build/bin/rdt

browse: docs report setup-browser ## open the site, the report and the page of a run in a headless Chromium, 1280 and 390 pixels wide
	@python3 tb/browser/site_pages.py build/site $(if $(SITE_PAGES),--pages $(SITE_PAGES))
	@$(BUILD) rdt rdt-lab
	@build/bin/rdt run $(MIXED) --cycles 5000 --report build/report/run >/dev/null
	@python3 tb/browser/pages.py build/report/index.html build/report/run/index.html

pictures: configure ## draw the pictures of README and docs again, from packet logs and docs/timing.md
	@$(BUILD) rdt rdt-lab
	@python3 -m scripts.draw build/bin/rdt

install: configure-python ## install program, Python module, libraries, RTL, CMake package and examples to PREFIX=/usr/local
	@$(BUILD) install_files programs
	@cmake --install build --prefix $(PREFIX)

deb: setup-run+deb configure-python ## Debian packages rdt, rdt-dev and python3-rdt in build/packages
	@$(BUILD) install_files programs
	@cd build && cpack -G DEB >/dev/null
	@ls build/packages/*.deb

clean: ## remove build/ and build_*/
	@rm -rf build build_*
