//! The states of accounts, for members and for calling teams.
use sahm_chassis::{ErrorCode, caller::Caller};
use sahm_identity::seed;
use sahm_proto::{
    FieldMask,
    identity::v1::{
        BatchGetMembersRequest, EndMemberSessionsRequest, GetApplyProgressRequest,
        GetMemberRequest, GetTadawulLoginUrlRequest, ListFeedbackRequest, ListMembersRequest,
        LogoutRequest, Member, SetAccountRequest, SetPasswordRequest,
    },
};

use crate::{
    on_both,
    support::{Site, acting, field, got},
};

on_both!(
    seed_has_every_account_state,
    tadawul_needs_a_saudi_account,
    calling_teams_read_and_change_members,
    set_account_with_a_mask_changes_the_named_fields_only,
    ids_that_no_member_can_have_are_not_found,
);

fn member(id: u64) -> Caller {
    Caller { member: Some(id), session: Some("s".into()), ..Caller::default() }
}

async fn seed_has_every_account_state(site: Site) {
    let all = got(site.members().list_members(ListMembersRequest::default()).await).unwrap().items;
    assert_eq!(all.len(), 7);
    let mut actions = Vec::new();
    for one in &all {
        let request = GetApplyProgressRequest {};
        let response = acting(&member(one.id), site.accounts().get_apply_progress(request)).await;
        let progress = got(response).unwrap();
        assert_eq!((progress.id, progress.status), (one.id, one.status));
        actions.push(progress.action);
    }
    let expected = ["openAccount", "openAccount", "reviewAccount", "reviewAccount"];
    assert_eq!(actions[..4], expected);
    assert_eq!(actions[4..], ["modifyAccountInfo", "download", "download"]);
    let error = got(site.accounts().get_apply_progress(GetApplyProgressRequest {}).await);
    assert_eq!(error.unwrap_err().code(), ErrorCode::NotLoggedIn);
}

async fn tadawul_needs_a_saudi_account(site: Site) {
    let all = got(site.members().list_members(ListMembersRequest::default()).await).unwrap().items;
    for one in all {
        let request = GetTadawulLoginUrlRequest {};
        let response =
            acting(&member(one.id), site.accounts().get_tadawul_login_url(request)).await;
        match got(response) {
            Ok(response) => {
                assert!(one.opened_saudi);
                assert!(response.url.starts_with("http://127.0.0.1:8080/?tadawul=simulated"));
            }
            Err(error) => {
                assert!(!one.opened_saudi);
                assert_eq!(error.code(), ErrorCode::Forbidden);
            }
        }
    }
}

async fn calling_teams_read_and_change_members(site: Site) {
    let list = async |size, after_id, cursor| {
        let page =
            got(site.members().list_members(ListMembersRequest { size, after_id, cursor }).await);
        page.map(|page| {
            let ids = page.items.into_iter().map(|member| member.id).collect::<Vec<_>>();
            (ids, page.next_cursor)
        })
    };
    let (first, next) = list(4, 0, String::new()).await.unwrap();
    let (second, end) = list(4, 0, next.clone()).await.unwrap();
    assert_eq!((first.len(), second.len(), end.as_str()), (4, 3, ""));
    assert_eq!(list(4, first[3], String::new()).await.unwrap().0, second);
    let feedback = ListFeedbackRequest { cursor: next, ..Default::default() };
    let error = got(site.feedback().list_feedback(feedback).await).unwrap_err();
    assert_eq!(error.fields()[0].field, "cursor");
    for (size, cursor, field) in [(101, "", "size"), (4, "4", "cursor")] {
        let error = list(size, 0, cursor.to_owned()).await.unwrap_err();
        assert_eq!(error.fields()[0].field, field);
    }
    let batch = BatchGetMembersRequest { ids: vec![first[2], 999, first[0]] };
    let found = got(site.members().batch_get_members(batch).await).unwrap().items;
    assert_eq!(found.iter().map(|member| member.id).collect::<Vec<_>>(), [first[2], first[0]]);
    let error = got(site.members().get_member(GetMemberRequest { id: 999 }).await).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);

    let opened = SetAccountRequest {
        id: first[0],
        status: 4,
        opened: true,
        hs_no: "SA-1".into(),
        email: "One@Sahm.example".into(),
        ..Default::default()
    };
    let set = got(site.members().set_account(opened.clone()).await).unwrap().member.unwrap();
    assert_eq!((set.hs_no.as_deref(), set.has_email, set.opened), (Some("SA-1"), true, true));
    for (request, code, named) in [
        (SetAccountRequest { id: 999, ..opened.clone() }, ErrorCode::NotFound, ""),
        (SetAccountRequest { id: first[1], ..opened.clone() }, ErrorCode::Conflict, ""),
        (
            SetAccountRequest { hs_no: String::new(), ..opened.clone() },
            ErrorCode::Parameter,
            "hs_no",
        ),
        (SetAccountRequest { status: -2, ..opened.clone() }, ErrorCode::Parameter, "status"),
        (SetAccountRequest { email: "x".into(), ..opened.clone() }, ErrorCode::Parameter, "email"),
    ] {
        let error = got(site.members().set_account(request).await).unwrap_err();
        assert_eq!((error.code(), field(&error)), (code, named));
    }
}

async fn set_account_with_a_mask_changes_the_named_fields_only(site: Site) {
    let all = got(site.members().list_members(ListMembersRequest::default()).await).unwrap().items;
    let before = all[6].clone();
    assert!(before.opened_saudi && before.hs_no.is_some() && before.has_email);
    let set = async |paths: Option<&[&str]>, request: SetAccountRequest| {
        let mask = paths.map(|paths| FieldMask {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        });
        let request = SetAccountRequest { id: before.id, update_mask: mask, ..request };
        got(site.members().set_account(request).await).map(|response| response.member.unwrap())
    };
    let email = |email: &str| SetAccountRequest { email: email.into(), ..Default::default() };
    // Only the email changes, with a mask and without.
    assert_eq!(set(Some(&["email"]), email("new@sahm.example")).await.unwrap(), before);
    assert_eq!(set(None, email("newer@sahm.example")).await.unwrap(), before);
    site.password_login("newer@sahm.example", seed::PASSWORD).await.unwrap();
    let removed = set(Some(&["email"]), email("")).await.unwrap();
    assert_eq!(removed, Member { has_email: false, ..before.clone() });

    let status = SetAccountRequest { status: 5, ..email("not.taken@sahm.example") };
    let changed = set(Some(&["status"]), status).await.unwrap();
    assert_eq!(changed, Member { status: 5, ..removed.clone() });
    let error = set(Some(&["hs_no"]), SetAccountRequest::default()).await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, "hs_no"));
    let error = set(Some(&["phone"]), SetAccountRequest::default()).await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, "update_mask"));
    let signed_up = SetAccountRequest { status: -1, ..Default::default() };
    let replaced = set(Some(&["*"]), signed_up).await.unwrap();
    assert_eq!((replaced.status, replaced.opened, replaced.hs_no), (-1, false, None));
    let request = GetApplyProgressRequest {};
    let response = acting(&member(before.id), site.accounts().get_apply_progress(request)).await;
    assert_eq!(got(response).unwrap().action, "signUp");
}

async fn ids_that_no_member_can_have_are_not_found(site: Site) {
    for id in [999_999, i64::MAX as u64, 1 << 63, u64::MAX] {
        let get = got(site.members().get_member(GetMemberRequest { id }).await).map(|_| ());
        let request = SetAccountRequest { id, ..Default::default() };
        let set = got(site.members().set_account(request).await).map(|_| ());
        let request = EndMemberSessionsRequest { member: id };
        let end = got(site.sessions().end_member_sessions(request).await).map(|_| ());
        for outcome in [get, set, end] {
            assert_eq!(outcome.unwrap_err().code(), ErrorCode::NotFound, "{id}");
        }
        let batch = BatchGetMembersRequest { ids: vec![id] };
        assert!(got(site.members().batch_get_members(batch).await).unwrap().items.is_empty());

        let request = SetPasswordRequest { password: "Strong#1234".into(), ..Default::default() };
        let set = got(acting(&member(id), site.passport().set_password(request)).await).map(|_| ());
        let request = GetApplyProgressRequest {};
        let progress = acting(&member(id), site.accounts().get_apply_progress(request)).await;
        // An id in the metadata that exceeds SQL's range names no member.
        let expected = match i64::try_from(id) {
            Ok(_) => ErrorCode::SessionExpired,
            Err(_) => ErrorCode::NotLoggedIn,
        };
        for outcome in [set, got(progress).map(|_| ())] {
            assert_eq!(outcome.unwrap_err().code(), expected, "{id}");
        }
        got(acting(&member(id), site.passport().logout(LogoutRequest {})).await).unwrap();
    }
}
