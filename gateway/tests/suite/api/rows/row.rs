//! A row of the API page.

/// A call with parameters that it answers well.
pub(crate) struct Row {
    pub(crate) path: &'static str,
    /// The path as it is declared, where it holds a parameter; else the same.
    pub(crate) template: &'static str,
    /// Marked r: takes GET too.
    pub(crate) reads: bool,
    pub(crate) parameters: &'static [(&'static str, &'static str)],
    pub(crate) with: With,
}

/// What a call needs besides its parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum With {
    /// Nothing.
    Nothing,
    /// A member's session.
    Member,
    /// A session of its own, which the call may end; it answers without one too.
    OwnSession,
    /// A telephone number that nobody used yet.
    Phone,
    /// The same, and a code that was sent to it for this scene.
    Code(&'static str),
    /// The token in the document of article 1001.
    Sign,
}

pub(crate) const fn reading(
    path: &'static str,
    parameters: &'static [(&'static str, &'static str)],
) -> Row {
    Row { path, template: path, reads: true, parameters, with: With::Nothing }
}

pub(crate) const fn writing(
    path: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    with: With,
) -> Row {
    Row { path, template: path, reads: false, parameters, with }
}
