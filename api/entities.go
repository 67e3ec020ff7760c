package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
)

// EntityRow is an entity in a listing of entities.
type EntityRow struct {
	Entity
	Aliases []string `json:"aliases"`
}

// EntityList is a page of entities by id.
type EntityList struct {
	Entities      []EntityRow `json:"entities"`
	NextPageToken string      `json:"next_page_token,omitempty"`
}

// EntityDetail is an entity with what is known of it.
type EntityDetail struct {
	EntityRow
	MergedInto  *string      `json:"merged_into"`
	Suggestions []Entity     `json:"suggestions" doc:"Entities that may be the same; never merged by themselves."`
	Counts      EntityCounts `json:"counts"`
}

// EntityCounts says how much is known of an entity.
type EntityCounts struct {
	Facts int `json:"facts" doc:"That hold now, with it on either side."`
}

// Paths are the walks along given predicates.
type Paths struct {
	Paths [][]Fact `json:"paths"`
	Ends  []Entity `json:"ends"`
	AsOf  AsOf     `json:"as_of"`
}

// Graph is a part of the graph.
type Graph struct {
	Entities []Entity `json:"entities"`
	Facts    []Fact   `json:"facts"`
	AsOf     AsOf     `json:"as_of"`
}

func entityRow(e graph.Entity) EntityRow {
	return EntityRow{Entity: entity(e), Aliases: list(e.Aliases, str[string])}
}

func (s *server) registerEntities(api huma.API) {
	const path, tag = "/v1/scopes/{scope}", "entities"
	handle(api, operation(http.MethodGet, path+"/entities", "list-entities", tag, "List entities"), s.listEntities)
	handle(api, operation(http.MethodGet, path+"/entities/{id}", "get-entity", tag, "Read an entity"), s.getEntity)
	handle(api, operation(http.MethodGet, path+"/follow", "follow", "reading", "Follow predicates hop by hop"), s.follow)
	handle(api, operation(http.MethodGet, path+"/graph", "graph", "reading", "Read the graph around an entity"), s.graph)
}

type listEntitiesInput struct {
	Scoped
	Name string `query:"name" maxLength:"16384" doc:"A name or alias."`
	Kind string `query:"kind" maxLength:"128"`
	Paged
}

type listEntitiesOutput struct{ Body EntityList }

func (s *server) listEntities(ctx context.Context, in *listEntitiesInput) (*listEntitiesOutput, error) {
	page, err := s.read.Entities(ctx, s.scope(in.Scope), in.Name, in.Kind, in.page())
	if err != nil {
		return nil, err
	}
	return &listEntitiesOutput{EntityList{Entities: list(page.Entities, entityRow), NextPageToken: page.Next}}, nil
}

type getEntityInput struct {
	Scoped
	ID string `path:"id" minLength:"1" maxLength:"128"`
}

type getEntityOutput struct{ Body EntityDetail }

func (s *server) getEntity(ctx context.Context, in *getEntityInput) (*getEntityOutput, error) {
	d, err := s.read.Entity(ctx, s.scope(in.Scope), graph.EntityID(in.ID))
	if err != nil {
		return nil, err
	}
	return &getEntityOutput{EntityDetail{
		EntityRow: entityRow(d.Entity), MergedInto: optional(d.MergedInto), Suggestions: list(d.Suggestions, entity), Counts: EntityCounts{d.Facts},
	}}, nil
}

type followInput struct {
	Scoped
	Start string   `query:"start" required:"true" maxLength:"16384" doc:"An entity's id, name or alias."`
	Path  []string `query:"path" required:"true" maxItems:"10" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -" doc:"Predicates, one a hop, with commas between."`
	Dated
}

type followOutput struct{ Body Paths }

func (s *server) follow(ctx context.Context, in *followInput) (*followOutput, error) {
	f, err := s.read.Follow(ctx, s.scope(in.Scope), in.Start, in.Path, in.at())
	if err != nil {
		return nil, err
	}
	return &followOutput{Paths{
		Paths: list(f.Paths, func(path []graph.Fact) []Fact { return list(path, fact) }), Ends: list(f.Ends, entity), AsOf: asOf(f.AsOf),
	}}, nil
}

type graphInput struct {
	Scoped
	Entity string `query:"entity" required:"true" maxLength:"16384" doc:"An entity's id, name or alias."`
	Hops   int    `query:"hops" minimum:"1" maximum:"5" default:"1"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000"`
	Dated
}

type graphOutput struct{ Body Graph }

func (s *server) graph(ctx context.Context, in *graphInput) (*graphOutput, error) {
	g, err := s.read.Graph(ctx, s.scope(in.Scope), in.Entity, in.Hops, in.Limit, in.at())
	if err != nil {
		return nil, err
	}
	return &graphOutput{Graph{Entities: list(g.Entities, entity), Facts: list(g.Facts, fact), AsOf: asOf(g.AsOf)}}, nil
}
