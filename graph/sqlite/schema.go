package sqlite

import (
	"context"
	"io/fs"
	"slices"
)

// migrate applies the schema files that were not applied yet, in the order of their names. Where none is missing it takes no
// lock: a store can be opened while another process writes.
func migrate(ctx context.Context, conn *writeConn) error {
	names, err := fs.Glob(schema, "schema/*.sql")
	if err != nil {
		return err
	}
	if missing, err := unapplied(ctx, conn.session, names); err != nil || len(missing) == 0 {
		return err
	}
	if _, err := conn.run(ctx, updateBegin); err != nil {
		return err
	}
	if _, err := conn.exec(ctx, migrationBegin); err != nil {
		return err
	}
	missing, err := unapplied(ctx, conn.session, names) // by now another process may have done it
	if err != nil {
		return err
	}
	for _, name := range missing {
		text, err := schema.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := conn.conn.ExecContext(ctx, string(text)); err != nil { // several statements: they cannot be prepared as one
			return translate(ctx, err)
		}
		if _, err := conn.exec(ctx, migrationAdd, arg("name", name)); err != nil {
			return err
		}
	}
	_, err = conn.exec(ctx, updateCommit)
	return err
}

// unapplied returns those of the schema files that the file does not say were applied.
func unapplied(ctx context.Context, db *session, names []string) ([]string, error) {
	var begun bool
	if err := db.row(ctx, "schema", migrationFind, []any{&begun}); err != nil || !begun {
		return names, err
	}
	applied, err := all(ctx, db, migrationList, func(row scanner) (name string, err error) { return name, row.Scan(&name) })
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(applied, name) }), nil
}
