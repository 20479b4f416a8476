//! Arabic translations of the reasons in `data.fields`, which services and the gateway write in English. The English
//! pattern is the key of its translation; each `{}` captures a value.

use std::borrow::Cow;

use crate::visitor::Locale;

/// Text for a reason without translation.
const INVALID: &str = "قيمة غير صالحة";

/// English and Arabic patterns. The first match is used, so specific patterns precede general ones.
const TEXTS: &[(&str, &str)] = &[
    // Any field.
    ("is needed", "مطلوب"),
    ("must be given", "مطلوب"),
    ("is given more than once", "وردت القيمة أكثر من مرة"),
    ("is needed: who asks is not known", "مطلوب: تعذّر التعرف على الزائر"),
    ("one of the ids is needed", "مطلوب أحد المعرّفات"),
    ("must be text", "يجب أن يكون نصًا"),
    ("must be text, not empty", "يجب أن يكون نصًا غير فارغ"),
    ("must be true", "يجب أن تكون القيمة true"),
    ("must be true or false", "يجب أن تكون القيمة true أو false"),
    ("must be a number", "يجب أن يكون رقمًا"),
    ("must be a whole number of 64 bits", "يجب أن يكون عددًا صحيحًا من 64 بت"),
    ("must be a whole number from {} to {}", "يجب أن يكون عددًا صحيحًا من {} إلى {}"),
    ("must be one of the declared values", "يجب أن تكون إحدى القيم المعرّفة"),
    ("must be base64", "يجب أن يكون بترميز base64"),
    ("must be a list", "يجب أن تكون قائمة"),
    ("must be an object", "يجب أن يكون كائنًا"),
    ("must not hold the character U+0000", "يجب ألا يحتوي على الحرف U+0000"),
    ("must be 1, 2 or 3", "يجب أن تكون القيمة 1 أو 2 أو 3"),
    ("must be 6 digits", "يجب أن يتكون من 6 أرقام"),
    ("must be {} to {} characters", "يجب أن يكون عدد الأحرف من {} إلى {}"),
    ("must be at least {} characters", "يجب ألا يقل عن {} أحرف"),
    ("must be at most {} characters", "يجب ألا يزيد على {} حرفًا"),
    ("is longer than {} characters", "يجب ألا يزيد على {} حرفًا"),
    ("must be at most {} items", "يجب ألا يزيد على {} عنصرًا"),
    ("may hold only the characters {}", "الأحرف المسموح بها فقط: {}"),
    ("must be one of {}", "يجب أن تكون القيمة واحدة من: {}"),
    ("must be {} to {} bytes", "يجب أن يكون من {} إلى {} بايت"),
    ("must be {} to {} letters, digits, {}", "يجب أن يكون من {} إلى {} من الأحرف والأرقام و{}"),
    ("must be {} to {} codes", "يجب أن يكون عدد الرموز من {} إلى {}"),
    ("must be {} to {} ids", "يجب أن يكون عدد المعرّفات من {} إلى {}"),
    ("must be {} to {}", "يجب أن تكون القيمة من {} إلى {}"),
    ("must be at least {}", "يجب ألا تقل القيمة عن {}"),
    ("must be at most {}", "يجب ألا تزيد القيمة على {}"),
    ("is not a cursor of this list", "مؤشر الصفحة لا يخص هذه القائمة"),
    ("must be a decimal id", "يجب أن يكون معرّفًا رقميًا"),
    ("must be decimal ids joined by commas", "يجب أن تكون معرّفات رقمية مفصولة بفواصل"),
    // The request as a whole.
    ("is larger than {} KB", "الحجم أكبر من {} كيلوبايت"),
    ("is larger than {} MB", "الحجم أكبر من {} ميجابايت"),
    ("broke off", "انقطع الإرسال"),
    ("did not arrive in time", "لم يصل في الوقت المحدد"),
    ("is not UTF-8", "الترميز ليس UTF-8"),
    ("must be a JSON object", "يجب أن يكون كائن JSON"),
    ("nests deeper than {} levels", "التداخل أعمق من {} مستوى"),
    ("is not valid JSON (line {}, column {})", "ليس JSON صالحًا (السطر {}، العمود {})"),
    ("names a key twice (line {}, column {})", "ورد مفتاح مرتين (السطر {}، العمود {})"),
    ("has bad percent-encoding", "ترميز النسبة المئوية غير صالح"),
    ("has percent-encoding that is not UTF-8", "ترميز النسبة المئوية ليس UTF-8"),
    (
        "must be application/x-www-form-urlencoded or application/json in UTF-8",
        "يجب أن يكون النوع application/x-www-form-urlencoded أو application/json بترميز UTF-8",
    ),
    (
        "must be multipart/form-data with a boundary",
        "يجب أن يكون النوع multipart/form-data مع boundary",
    ),
    ("is not a whole multipart form", "نموذج multipart غير مكتمل"),
    // Logging in.
    ("is not a telephone code", "رمز الدولة غير صحيح"),
    ("is not a telephone number", "رقم الهاتف غير صحيح"),
    ("is not a telephone number of this country", "رقم الهاتف لا يخص هذه الدولة"),
    (
        "a Saudi mobile has 9 digits and starts with 5",
        "رقم الجوال السعودي مكوّن من 9 أرقام ويبدأ بالرقم 5",
    ),
    ("is neither a telephone number nor an email", "ليس رقم هاتف ولا بريدًا إلكترونيًا"),
    ("account or password is wrong", "الحساب أو كلمة المرور غير صحيحة"),
    ("is wrong or no longer valid", "غير صحيح أو انتهت صلاحيته"),
    ("is not the old password", "كلمة المرور القديمة غير صحيحة"),
    (
        "the old password, or a code sent to your number, is needed",
        "يلزم إدخال كلمة المرور القديمة أو رمز مُرسل إلى رقمك",
    ),
    ("is not valid", "غير صالح"),
    ("is needed and was not good enough", "مطلوب ولم يكن كافيًا"),
    (
        "the Services Agreement & Privacy Policy must be agreed to",
        "يجب الموافقة على اتفاقية الخدمات وسياسة الخصوصية",
    ),
    (
        "must be letters, digits and symbols without spaces",
        "يجب أن تتكون من أحرف وأرقام ورموز دون مسافات",
    ),
    (
        "must have upper and lower letters, numbers and symbols",
        "يجب أن تحتوي على أحرف كبيرة وصغيرة وأرقام ورموز",
    ),
    // Invitations and feedback.
    ("Invalid invitation code.", "رمز الدعوة غير صالح."),
    ("Invitation code does not exist.", "رمز الدعوة غير موجود."),
    ("must be an email or a telephone number", "يجب أن يكون بريدًا إلكترونيًا أو رقم هاتف"),
    ("is no JPEG, PNG or BMP", "ليست صورة JPEG أو PNG أو BMP"),
    ("is smaller than {} KB", "الحجم أصغر من {} كيلوبايت"),
    ("one of {}", "يجب أن تكون القيمة واحدة من: {}"),
    // Content, quotes and config.
    ("1 to {} keys, joined by commas", "من مفتاح واحد إلى {} مفتاحًا مفصولة بفواصل"),
    (
        "a key has letters, digits, '_', '.' and '-'",
        "يتكون المفتاح من أحرف وأرقام والرموز '_' و'.' و'-'",
    ),
    ("1 to {} pairs of {}", "من زوج واحد إلى {} زوجًا من {}"),
    ("the video has {} s", "مدة الفيديو {} ثانية"),
    ("lies beyond the duration", "يتجاوز مدة الفيديو"),
    ("must be us, saudi, all or empty", "يجب أن تكون القيمة us أو saudi أو all أو فارغة"),
    ("is no security code", "ليس رمز ورقة مالية"),
    ("holds what is no security code", "يحتوي على ما ليس رمز ورقة مالية"),
    ("must be a comma list of security codes", "يجب أن تكون رموز أوراق مالية مفصولة بفواصل"),
    ("{} is not known", "{} غير معروف"),
    (
        "four numbers 0 to 255 joined by dots, or an IPv6 address",
        "أربعة أرقام من 0 إلى 255 مفصولة بنقاط، أو عنوان IPv6",
    ),
    // Event reports.
    ("too large", "القيمة كبيرة جدًا"),
    ("a JSON object as text", "كائن JSON كنص"),
    ("at most {} bytes", "يجب ألا يزيد على {} بايت"),
    ("at most {} levels deep", "يجب ألا يزيد التداخل على {} مستوى"),
    ("at most {} characters, no control characters", "{} حرفًا على الأكثر دون أحرف تحكم"),
    ("{} to {} of {}", "من {} إلى {} من الأحرف {}"),
    // The most general pattern comes last.
    ("1 to {}", "يجب أن تكون القيمة من 1 إلى {}"),
];

/// The reason why a field is rejected, in the caller's language.
pub(super) fn localized(why: &str, locale: Locale) -> Cow<'_, str> {
    match locale {
        Locale::EnUs => why.into(),
        Locale::ArSa => {
            let known = TEXTS.iter().find_map(|(english, arabic)| {
                let values = captured(english, why)?;
                Some(
                    values
                        .iter()
                        .fold((*arabic).to_owned(), |text, value| text.replacen("{}", value, 1)),
                )
            });
            known.map_or(INVALID.into(), Cow::from)
        }
    }
}

/// The values that the `{}` of a pattern capture in a text; `None` if the pattern does not match.
fn captured<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}").peekable();
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut values = Vec::new();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            None if part.is_empty() => rest.len(),
            None => rest.len().checked_sub(part.len()).filter(|_| rest.ends_with(part))?,
            Some(_) => rest.find(part)?,
        };
        values.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod sources_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_is_localized_for_the_caller() {
        let cases = [
            ("is needed", "مطلوب"),
            ("must be at most 50", "يجب ألا تزيد القيمة على 50"),
            ("must be at most 50 items", "يجب ألا يزيد على 50 عنصرًا"),
            ("must be 1 to 3", "يجب أن تكون القيمة من 1 إلى 3"),
            ("must be one of us, saudi, all", "يجب أن تكون القيمة واحدة من: us, saudi, all"),
            ("is a text that the catalogue lacks", INVALID),
        ];
        for (english, arabic) in cases {
            assert_eq!(localized(english, Locale::ArSa), arabic);
            assert_eq!(localized(english, Locale::EnUs), english);
        }
    }

    #[test]
    fn every_pattern_matches_its_own_translation() {
        for (english, arabic) in TEXTS {
            assert_eq!(english.matches("{}").count(), arabic.matches("{}").count(), "{english}");
            let values = ["7"; 3];
            let fill = |text: &str| {
                values.iter().fold(text.to_owned(), |text, value| text.replacen("{}", value, 1))
            };
            assert_eq!(localized(&fill(english), Locale::ArSa), fill(arabic), "{english}");
        }
    }
}
