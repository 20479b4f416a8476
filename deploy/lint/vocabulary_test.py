"""Tests that the vocabulary lint finds a new use of a former word and names the replacement."""
import unittest

import vocabulary


class Additions(unittest.TestCase):
    ASKER = r"\bAskers?\b"

    def test_new_use_is_named_with_its_replacement(self):
        now = {"a.rs": vocabulary.uses("struct Asker; fn of(asker: Asker)")}
        self.assertEqual(now, {"a.rs": {self.ASKER: 2}})
        [line] = vocabulary.additions(now, {"a.rs": {self.ASKER: 1}})
        self.assertIn("ClientProfile", line)

    def test_former_and_fewer_uses_are_allowed(self):
        allowed = {"a.rs": {self.ASKER: 2}}
        for text in ["Asker Asker", "Asker", ""]:
            self.assertEqual(vocabulary.additions({"a.rs": vocabulary.uses(text)}, allowed), [], text)

    def test_use_moved_to_another_file_is_new(self):
        self.assertEqual(len(vocabulary.additions({"b.rs": {self.ASKER: 1}}, {"a.rs": {self.ASKER: 1}})), 1)


if __name__ == "__main__":
    unittest.main()
