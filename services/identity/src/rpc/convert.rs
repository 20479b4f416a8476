//! Conversion of domain types to proto messages.

use sahm_proto::identity::v1 as proto;

use crate::{domain::Member, store::StoredFeedback};

/// The member's data for pages.
pub(super) fn user_info(member: &Member) -> proto::UserInfo {
    let account_status = &member.account_status;
    proto::UserInfo {
        id: Some(member.id),
        logined: true,
        opened: account_status.opened,
        opened_saudi: account_status.opened_saudi,
        hs_no: account_status.hs_no.clone(),
        mid: Some(member.id),
        is_obtain_sns: account_status.is_obtain_sns,
    }
}

/// The same data in a flat message.
pub(super) fn checked(info: proto::UserInfo) -> proto::CheckMemberResponse {
    proto::CheckMemberResponse {
        id: info.id,
        logined: info.logined,
        opened: info.opened,
        opened_saudi: info.opened_saudi,
        hs_no: info.hs_no,
        mid: info.mid,
        is_obtain_sns: info.is_obtain_sns,
    }
}

/// The member's data for calling teams.
pub(super) fn member(member: Member) -> proto::Member {
    proto::Member {
        id: member.id,
        tel_code: member.phone.tel_code().to_owned(),
        masked_phone: member.phone.masked(),
        region: member.phone.region().unwrap_or_default(),
        has_email: member.has_email,
        has_password: member.has_password,
        status: member.account_status.status,
        opened: member.account_status.opened,
        opened_saudi: member.account_status.opened_saudi,
        hs_no: member.account_status.hs_no,
        is_obtain_sns: member.account_status.is_obtain_sns,
        invite_code: member.invite_code,
        created_at: member.created_at,
    }
}

pub(super) fn feedback(stored: StoredFeedback) -> proto::Feedback {
    let file = |(position, name, content_type, size)| proto::FeedbackFile {
        position,
        name,
        content_type,
        size,
    };
    proto::Feedback {
        id: stored.ticket.clone(),
        ticket: stored.ticket,
        subject: stored.head.subject,
        content: stored.head.content,
        contact: stored.head.contact,
        member: stored.member,
        created_at: stored.created_at,
        files: stored.files.into_iter().map(file).collect(),
        number: stored.number,
    }
}
