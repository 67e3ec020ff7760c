// Package api serves the write path and the read path over HTTP: routes, JSON shapes, problems.
//
// It holds no decision about memory: a request is checked for its form, handed to a service, and what the service answers
// is rendered. docs/api.md is the contract; /openapi.json is made from the types here.
package api
