//! News, college and help centre.
