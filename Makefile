# The commands of this house. The work is in deploy/*.sh and in the tools they call.

.DEFAULT_GOAL := help
.PHONY: help run dev test check lint fmt bench bench-load bench-soak proof screenshots supply-chain

help:
	@echo 'make run          build what is missing and start the whole site on http://127.0.0.1:8080'
	@echo 'make dev          a debug build behind the frontend development server on http://127.0.0.1:5173'
	@echo 'make test         every test: Rust, frontend, browser; real Redis and PostgreSQL'
	@echo 'make check        formats, linters, types and unit tests: nothing that starts a server or a browser'
	@echo 'make lint         formatters in check mode, linters, types, protos, scripts'
	@echo 'make fmt          format everything'
	@echo 'make bench        the benchmarks: ratios against peers, results in target/bench/'
	@echo 'make bench-load   a realistic mix on the site as separate processes: what it holds, latencies, costs'
	@echo 'make bench-soak   the same for 20 minutes: whether memory stays as it is'
	@echo 'make proof        the property tests at full count'
	@echo 'make supply-chain licences, sources, known weaknesses, the bill of materials; part of make lint'
	@echo 'make screenshots  pictures of every page into target/screenshots/, and those of the README'

run:
	@exec deploy/run.sh

dev:
	@exec deploy/dev.sh

test:
	@exec deploy/test.sh

check:
	@exec deploy/check.sh

lint:
	@exec deploy/lint.sh

fmt:
	@deploy/setup.sh packages
	@cargo fmt --all
	@deploy/with-node.sh npm --prefix frontend run --silent fmt

bench:
	@exec deploy/bench.sh

bench-load:
	@exec deploy/bench.sh load

bench-soak:
	@exec deploy/bench.sh soak

proof:
	@exec deploy/proof.sh

screenshots:
	@exec deploy/screenshots.sh

supply-chain:
	@exec deploy/supply-chain.sh
