//! Messages for people in responses, in both languages.

use sahm_chassis::error::ErrorCode;

use crate::visitor::Locale;

/// `msg` of a success.
pub(super) fn success(locale: Locale) -> &'static str {
    match locale {
        Locale::EnUs => "Success",
        Locale::ArSa => "تمت العملية بنجاح",
    }
}

/// `msg` of a failure.
pub(super) fn failure(code: ErrorCode, locale: Locale) -> &'static str {
    let (english, arabic) = match code {
        ErrorCode::NotLoggedIn | ErrorCode::SessionExpired => (
            "For your safety concern, please log in again.",
            "حرصًا على أمانك، يُرجى تسجيل الدخول مرة أخرى.",
        ),
        ErrorCode::ArticleNotFound => ("The article has been removed.", "تمت إزالة المقال."),
        ErrorCode::CourseNotFound => ("The course has been removed.", "تمت إزالة الدورة."),
        ErrorCode::DocumentNotFound => ("Page does not exist.", "الصفحة غير موجودة."),
        ErrorCode::Conflict | ErrorCode::FailedPrecondition => (
            "The data is submitting, please try again later.",
            "يجري إرسال البيانات، يُرجى المحاولة لاحقًا.",
        ),
        ErrorCode::Timeout => (
            "Poor network, please check and try again.",
            "الاتصال بالشبكة ضعيف، يُرجى التحقق منه والمحاولة مرة أخرى.",
        ),
        ErrorCode::Parameter
        | ErrorCode::TooLarge
        | ErrorCode::Rejected
        | ErrorCode::CallerTokenRequired
        | ErrorCode::GatewayOnly
        | ErrorCode::Unimplemented
        | ErrorCode::SignatureInvalid
        | ErrorCode::Forbidden
        | ErrorCode::NotFound
        | ErrorCode::MethodNotAllowed
        | ErrorCode::TooMany
        | ErrorCode::Internal
        | ErrorCode::Unavailable
        | ErrorCode::TurnedOff => (
            "Service maintenance in progress, please try again later.",
            "الخدمة قيد الصيانة حاليًا، يُرجى المحاولة لاحقًا.",
        ),
    };
    match locale {
        Locale::EnUs => english,
        Locale::ArSa => arabic,
    }
}
