//! Processes, services and environments.
use strum::{Display, EnumString, IntoStaticStr};

/// A process of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Process {
    /// The all-in-one: gateway, every service and the renderer's supervisor.
    Site,
    /// The gateway alone.
    Gateway,
    /// One service alone.
    Service(ServiceName),
}

impl Process {
    /// `site`, `gateway` or the service's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Process::Site => "site",
            Process::Gateway => "gateway",
            Process::Service(name) => name.as_str(),
        }
    }

    /// The name of its program: `sahm`, `sahm-gateway`, `sahm-content`.
    pub fn program(self) -> String {
        match self {
            Process::Site => "sahm".to_owned(),
            process => format!("sahm-{}", process.as_str()),
        }
    }
}

/// A gRPC service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ServiceName {
    /// News, college, help, banners, search.
    Content,
    /// Last prices and streams.
    Quotes,
    /// Members, sessions, codes.
    Identity,
    /// Items, menus, countries, links, fees.
    Config,
    /// Campaigns, invitations, draws.
    Activity,
    /// Events.
    Attribution,
}

impl ServiceName {
    /// Every service, in the order of their ports (docs/configuration.md).
    pub const ALL: [ServiceName; 6] = [
        ServiceName::Content,
        ServiceName::Quotes,
        ServiceName::Identity,
        ServiceName::Config,
        ServiceName::Activity,
        ServiceName::Attribution,
    ];

    /// The name in lower case: schema, file and proto package.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The name of one of this service's settings: `SAHM_CONTENT_URL` for `URL`.
    pub(crate) fn setting(self, suffix: &str) -> String {
        format!("SAHM_{}_{suffix}", self.as_str().to_ascii_uppercase())
    }

    /// The position in `ServiceName::ALL`, 0 to 5.
    pub(crate) fn index(self) -> u16 {
        self as u16
    }
}

/// Where the process runs (docs/configuration.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Environment {
    Dev,
    Feature,
    Daily,
    Beta,
    Uat,
    Pre,
    Prod,
}

impl Environment {
    /// The name in lower case.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether this is a developer's machine.
    pub fn is_dev(self) -> bool {
        self == Environment::Dev
    }

    /// Whether this is the public site.
    pub fn is_prod(self) -> bool {
        self == Environment::Prod
    }
}
