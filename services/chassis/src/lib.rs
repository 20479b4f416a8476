//! What every Sahm process shares.
