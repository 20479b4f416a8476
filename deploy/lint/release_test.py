"""Tests deploy/release.py on a copy of the files that it changes."""
import datetime
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "deploy"))
import release  # noqa: E402

FILES = ["Cargo.toml", "Cargo.lock", "CHANGELOG.md", release.MANIFEST, release.GUIDE]
DIGESTS = {name: f"sha256:{index:064x}" for index, name in enumerate(release.IMAGES)}


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in FILES:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)

    def text(self, name: str) -> str:
        return (self.root / name).read_text()

    def test_bump_writes_the_version_everywhere_and_check_accepts_its_tag(self):
        crates = release.members(self.root)
        others = self.text("Cargo.lock").count("[[package]]") - crates
        release.bump(self.root, "7.8.9", datetime.date(2026, 1, 2))
        release.check(self.root, "v7.8.9")
        self.assertGreater(crates, 8)
        self.assertEqual(self.text("Cargo.lock").count('version = "7.8.9"\n'), crates)
        self.assertEqual(self.text("Cargo.lock").count("[[package]]") - crates, others)
        self.assertEqual(self.text(release.MANIFEST).count("newTag: 7.8.9"), len(release.IMAGES))
        self.assertIn("## [Unreleased]\n\n## [7.8.9] - 2026-01-02\n", self.text("CHANGELOG.md"))

    def test_check_refuses_another_tag(self):
        release.bump(self.root, "7.8.9", datetime.date(2026, 1, 2))
        with self.assertRaises(SystemExit):
            release.check(self.root, "v7.9.0")

    def test_pin_writes_each_images_digest_and_a_later_bump_replaces_it(self):
        release.pin(self.root, DIGESTS)
        for name, digest in DIGESTS.items():
            self.assertRegex(self.text(release.MANIFEST), rf"sahm/{name}\n    newName: \S+\n    digest: {digest}\n")
        release.bump(self.root, "7.8.9", datetime.date(2026, 1, 2))
        self.assertNotIn("digest:", self.text(release.MANIFEST))

    def test_wrong_input_changes_nothing(self):
        before = [self.text(name) for name in FILES]
        for wrong in (
            lambda: release.bump(self.root, "7.8", datetime.date(2026, 1, 2)),
            lambda: release.pin(self.root, {"gateway": DIGESTS["gateway"]}),
            lambda: release.pin(self.root, DIGESTS | {"gateway": "latest"}),
        ):
            with self.assertRaises(SystemExit):
                wrong()
        self.assertEqual(before, [self.text(name) for name in FILES])


if __name__ == "__main__":
    unittest.main()
