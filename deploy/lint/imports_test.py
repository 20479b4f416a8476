"""Tests that the imports lint finds circles of files and of top-level modules, also through re-exports."""
import unittest

import imports


class Circles(unittest.TestCase):
    def test_circle_of_files_is_named(self):
        sources = {"a.rs": "use crate::b::B;", "b.rs": "fn f() { crate::c::g() }", "c.rs": "use super::{x, a::A};"}
        self.assertIn("a -> b -> c -> a", imports.circles(sources))

    def test_re_export_leads_to_the_defining_file(self):
        sources = {
            "rpc/mod.rs": "mod convert; pub use convert::message as quote_message;\npub use convert::message;",
            "rpc/convert.rs": "use crate::feed;",
            "feed.rs": "use crate::rpc::message;",
        }
        self.assertIn("feed -> rpc::convert -> feed", imports.circles(sources))

    def test_top_level_modules_without_a_circle_of_files_are_named(self):
        files = {"a.rs": "", "a/x.rs": "use crate::b::x::X;", "a/y.rs": ""}
        sources = files | {"b.rs": "", "b/x.rs": "", "b/y.rs": "use crate::a::y::Y;"}
        self.assertEqual(imports.circles(sources), ["a -> b -> a"])

    def test_module_and_its_content_may_refer_to_each_other(self):
        sources = {"a/mod.rs": "use self::b::B;", "a/b.rs": "use super::{A, c::C};", "a/c.rs": "use crate::a::A;"}
        self.assertEqual(imports.circles(sources), [])

    def test_tests_comments_and_strings_are_ignored(self):
        sources = {
            "a.rs": 'use crate::b::B; // crate::a::A\n#[cfg(test)]\nmod tests {\n    use crate::c::C;\n}\n',
            "b.rs": 'const PATH: &str = "crate::a::A";\n#[cfg(test)]\nuse crate::a::A;\n',
            "c.rs": "use crate::a::A;",
            "c/tests.rs": "use crate::c::C;",
        }
        self.assertEqual(imports.circles(sources), [])

    def test_nested_use_trees_and_new_names_are_expanded(self):
        self.assertEqual(
            imports.expand("crate::{a::{self, b}, c as d}"),
            [("crate::a", "a"), ("crate::a::b", "b"), ("crate::c", "d")],
        )


if __name__ == "__main__":
    unittest.main()
