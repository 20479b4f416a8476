//! Real Redis and PostgreSQL servers for tests.
