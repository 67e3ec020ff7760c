# `make` lists what there is to do. Nothing here is needed to run or test the project: see the README.

.DEFAULT_GOAL := help
.PHONY: help run demo test check race bench

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## start the server on 127.0.0.1:8080 with the store in tenure.db
	go run ./cmd/server

demo: ## tell the story and ask the questions
	go run ./cmd/server demo

test: ## run the tests
	go test ./...

race: ## run the tests of the rooms with goroutines under the race detector
	go test -race -short ./ingest ./retrieval ./api ./graph/sqlite ./cmd/server

check: ## what has to hold before a change lands
	.ci/run

bench: ## measure speed and size (see bench/README.md)
	go run ./bench
