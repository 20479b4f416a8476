"""Tests that the migrations lint finds statements that the previous release does not survive."""
import unittest

import migrations

RELEASES = {"1.2.0"}


class Problems(unittest.TestCase):
    def test_statements_that_break_the_previous_release_are_found(self):
        for sql in [
            "DROP TABLE article;",
            "ALTER TABLE article DROP COLUMN title;",
            "ALTER TABLE article RENAME COLUMN title TO name;",
            "ALTER TABLE article RENAME TO news;",
            "ALTER TABLE article ALTER COLUMN id TYPE integer;",
            "ALTER TABLE article ALTER COLUMN title SET NOT NULL;",
            "ALTER TABLE article ADD CONSTRAINT one UNIQUE (title);",
            "CREATE UNIQUE INDEX one ON article (title);",
            "alter table article\n  add column title text\n  not null;",
            "-- Contract: unused since 1.3.0\nDROP TABLE article;",
            "-- Contract: unused since 1.2.0\nDROP TABLE article;\nDROP TABLE news;",
        ]:
            self.assertEqual(len(migrations.problems(sql, RELEASES)), 1, sql)

    def test_additions_and_removals_since_a_release_are_allowed(self):
        for sql in [
            "CREATE TABLE article (id bigint NOT NULL); CREATE UNIQUE INDEX one ON article (id);",
            "ALTER TABLE article ADD COLUMN title text;",
            "ALTER TABLE article ADD COLUMN views bigint NOT NULL DEFAULT 0;",
            "CREATE INDEX titles ON article (title); DROP INDEX names;",
            "-- The table is not dropped; RENAME is not used.\nINSERT INTO news SELECT * FROM article;",
            "-- Contract: unused since 1.2.0\nDROP TABLE article;",
        ]:
            self.assertEqual(migrations.problems(sql, RELEASES), [], sql)


if __name__ == "__main__":
    unittest.main()
