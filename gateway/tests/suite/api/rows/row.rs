//! A call of the API.

/// A call with valid parameters.
pub(crate) struct Row {
    pub(crate) path: &'static str,
    /// The declared path template.
    pub(crate) template: &'static str,
    /// Whether it accepts GET.
    pub(crate) reads: bool,
    pub(crate) parameters: &'static [(&'static str, &'static str)],
    pub(crate) with: With,
}

/// What a call requires besides its parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum With {
    /// Nothing.
    Nothing,
    /// A member's session.
    Member,
    /// A separate session, which the call may end.
    OwnSession,
    /// An unused telephone number.
    Phone,
    /// An unused telephone number, and a code that was sent to it for this scene.
    Code(&'static str),
    /// The token in the page data of article 1001.
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
