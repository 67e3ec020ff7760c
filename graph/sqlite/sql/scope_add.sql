-- Begins a scope.
-- Parameters: $tenant; $name; $clock, the update's time; $settings, JSON; $never, a time before all others.
INSERT INTO scopes (tenant, name, clock, destroyed, settings) VALUES ($tenant, $name, $clock, $never, $settings)
