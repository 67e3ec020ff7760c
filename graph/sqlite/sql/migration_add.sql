-- Records a schema file as applied.
-- Parameters: $name.
INSERT INTO migrations (name) VALUES ($name)
