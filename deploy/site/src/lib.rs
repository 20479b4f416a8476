//! The all-in-one binary and the test kit that boots the real site.
