//! Switches: features that operators turn off while the site runs (docs/operations/switches.md).

use sahm_chassis::error::{Error, Result};
use sahm_proto::{
    config::v1::{SetSwitchRequest, Switch},
    options::v1::Feature,
};

const MAX_TEXT_CHARS: usize = 300;
const MAX_OPERATOR_CHARS: usize = 100;

const RETRY_AFTER_SECONDS: u32 = 60;
const MAX_RETRY_AFTER_SECONDS: u32 = 86_400;

/// The default messages for visitors: English, Arabic.
fn standard_messages(feature: Feature) -> (&'static str, &'static str) {
    match feature {
        Feature::Unspecified | Feature::Site => (
            "Service maintenance in progress, please try again later.",
            "الخدمة قيد الصيانة حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        Feature::Login => (
            "Login is not possible right now, please try again later.",
            "تسجيل الدخول غير متاح حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        Feature::SignUp => (
            "New memberships are not possible right now, please try again later.",
            "تسجيل الأعضاء الجدد غير متاح حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        Feature::Codes => (
            "Verification codes cannot be sent right now, please try again later.",
            "تعذّر إرسال رموز التحقق حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        Feature::Uploads => (
            "Feedback cannot be sent right now, please try again later.",
            "تعذّر إرسال الملاحظات حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        Feature::Streams => (
            "Live prices are not available right now, please try again later.",
            "الأسعار المباشرة غير متاحة حاليًا، يُرجى المحاولة لاحقًا.",
        ),
    }
}

/// A validated request: the feature, and its switch if it is turned off.
#[derive(Debug, PartialEq)]
pub struct SwitchChange {
    pub feature: Feature,
    /// `None` turns it on.
    pub turned_off: Option<Switch>,
}

impl SwitchChange {
    /// Validates a request made at `now` and fills in the default messages.
    ///
    /// # Errors
    /// Names a field that is missing or too long.
    pub fn parse(request: SetSwitchRequest, now: u32) -> Result<Self> {
        let feature = request.feature();
        if feature == Feature::Unspecified {
            return Err(Error::field("feature", "must name a feature"));
        }
        check_length("operator", &request.operator, 1, MAX_OPERATOR_CHARS)?;
        check_length("reason", &request.reason, 1, MAX_TEXT_CHARS)?;
        check_length("message_en", &request.message_en, 0, MAX_TEXT_CHARS)?;
        check_length("message_ar", &request.message_ar, 0, MAX_TEXT_CHARS)?;
        if request.message_en.is_empty() != request.message_ar.is_empty() {
            return Err(Error::field(
                "message_ar",
                "a message is given in both languages or in none",
            ));
        }
        if request.retry_after_seconds > MAX_RETRY_AFTER_SECONDS {
            let bound = format!("at most {MAX_RETRY_AFTER_SECONDS}");
            return Err(Error::field("retry_after_seconds", bound));
        }
        if !request.off {
            return Ok(Self { feature, turned_off: None });
        }
        let (english, arabic) = standard_messages(feature);
        let or_standard = |given: String, standard: &str| match given.is_empty() {
            true => standard.to_owned(),
            false => given,
        };
        let turned_off = Switch {
            feature: feature.into(),
            message_en: or_standard(request.message_en, english),
            message_ar: or_standard(request.message_ar, arabic),
            retry_after_seconds: match request.retry_after_seconds {
                0 => RETRY_AFTER_SECONDS,
                seconds => seconds,
            },
            turned_off_at: now,
            operator: request.operator,
            reason: request.reason,
        };
        Ok(Self { feature, turned_off: Some(turned_off) })
    }

    /// Applies the change to the list of turned-off switches, which is in the order of the
    /// features.
    pub fn apply(self, switches: &mut Vec<Switch>) {
        switches.retain(|switch| switch.feature() != self.feature);
        switches.extend(self.turned_off);
        switches.sort_by_key(|switch| switch.feature);
    }
}

fn check_length(field: &str, text: &str, min: usize, max: usize) -> Result<()> {
    match (min..=max).contains(&text.chars().count()) {
        true => Ok(()),
        false => Err(Error::field(field, format!("{min} to {max} characters"))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn request(feature: Feature) -> SetSwitchRequest {
        SetSwitchRequest {
            feature: feature.into(),
            off: true,
            operator: "reem".to_owned(),
            reason: "R-1".to_owned(),
            ..SetSwitchRequest::default()
        }
    }

    #[test]
    fn absent_messages_have_defaults() {
        let off = SwitchChange::parse(request(Feature::Codes), 7).unwrap().turned_off.unwrap();
        assert!(off.message_en.starts_with("Verification codes"));
        assert!(off.message_ar.contains("رموز التحقق"));
        assert_eq!((off.retry_after_seconds, off.turned_off_at), (60, 7));
        let own = SetSwitchRequest {
            message_en: "Back at 9.".to_owned(),
            message_ar: "نعود في التاسعة.".to_owned(),
            retry_after_seconds: 900,
            ..request(Feature::Site)
        };
        let off = SwitchChange::parse(own, 7).unwrap().turned_off.unwrap();
        assert_eq!((&*off.message_en, &*off.message_ar), ("Back at 9.", "نعود في التاسعة."));
        assert_eq!(off.retry_after_seconds, 900);
    }

    #[test]
    fn invalid_field_is_reported() {
        let long = "x".repeat(301);
        let valid = || request(Feature::Login);
        for (field, invalid) in [
            ("feature", request(Feature::Unspecified)),
            ("feature", SetSwitchRequest { feature: 99, ..valid() }),
            ("operator", SetSwitchRequest { operator: String::new(), ..valid() }),
            ("operator", SetSwitchRequest { operator: "x".repeat(101), ..valid() }),
            ("reason", SetSwitchRequest { reason: String::new(), ..valid() }),
            ("message_en", SetSwitchRequest { message_en: long.clone(), ..valid() }),
            ("message_ar", SetSwitchRequest { message_ar: long, ..valid() }),
            ("message_ar", SetSwitchRequest { message_en: "x".to_owned(), ..valid() }),
            ("message_ar", SetSwitchRequest { message_ar: "x".to_owned(), ..valid() }),
            ("retry_after_seconds", SetSwitchRequest { retry_after_seconds: 86_401, ..valid() }),
        ] {
            let error = SwitchChange::parse(invalid, 7).unwrap_err();
            assert_eq!(error.fields()[0].field, field);
        }
    }

    #[test]
    fn longest_texts_and_time_are_accepted() {
        let longest = SetSwitchRequest {
            operator: "م".repeat(100),
            reason: "م".repeat(300),
            message_en: "x".repeat(300),
            message_ar: "م".repeat(300),
            retry_after_seconds: 86_400,
            ..request(Feature::Login)
        };
        let off = SwitchChange::parse(longest.clone(), 7).unwrap().turned_off.unwrap();
        assert_eq!((off.operator, off.reason), (longest.operator, longest.reason));
        assert_eq!((off.message_en, off.message_ar), (longest.message_en, longest.message_ar));
        assert_eq!(off.retry_after_seconds, 86_400);
    }

    #[test]
    fn feature_has_one_switch_until_turned_on() {
        let mut switches = Vec::new();
        for feature in [Feature::Streams, Feature::Login, Feature::Streams] {
            SwitchChange::parse(request(feature), 7).unwrap().apply(&mut switches);
        }
        let features = switches.iter().map(Switch::feature).collect::<Vec<_>>();
        assert_eq!(features, [Feature::Login, Feature::Streams]);
        let on = SetSwitchRequest { off: false, ..request(Feature::Streams) };
        SwitchChange::parse(on, 8).unwrap().apply(&mut switches);
        assert_eq!(switches.iter().map(Switch::feature).collect::<Vec<_>>(), [Feature::Login]);
    }
}
