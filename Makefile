# Entry points for development. The scripts in deploy/ do the work.

.DEFAULT_GOAL := help
.PHONY: help run dev test check lint fmt bench bench-load bench-soak proof screenshots supply-chain

help:
	@echo 'make run          build and start the whole site on http://127.0.0.1:8080'
	@echo 'make dev          start a debug build behind the frontend development server on http://127.0.0.1:5173'
	@echo 'make test         run every test: Rust, frontend, browser, with real Redis and PostgreSQL'
	@echo 'make check        run format checks, linters, types and unit tests, without a server or a browser'
	@echo 'make lint         run every linter: those of make check, generated code, manifests, images, alerts, supply chain'
	@echo 'make fmt          format everything'
	@echo 'make bench        run the benchmarks against other servers; results in target/bench/'
	@echo 'make bench-load   run a load test on separate processes: throughput, latency, CPU time'
	@echo 'make bench-soak   run the load test for 20 minutes and check that memory does not grow'
	@echo 'make proof        run the long tests: property tests, kill rounds, rolling restarts, a soak, mutation tests'
	@echo 'make supply-chain check licences, sources and advisories, write the bill of materials; part of make lint'
	@echo 'make screenshots  save screenshots of every page to target/screenshots/, and those of the README'

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
