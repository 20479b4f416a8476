//! How accounts stand, for members and for calling teams.
use sahm_chassis::{ErrorCode, caller::Caller};
use sahm_proto::identity::v1::{
    BatchGetMembersRequest, GetApplyProgressRequest, GetMemberRequest, GetTadawulLoginUrlRequest,
    ListMembersRequest, SetAccountRequest,
};

use crate::{
    on_both,
    support::{Site, acting, field, got},
};

on_both!(the_seed_has_every_state, tadawul_needs_a_saudi_account, teams_read_and_set_members);

fn member(id: u64) -> Caller {
    Caller { member: Some(id), session: Some("s".into()), ..Caller::default() }
}

async fn the_seed_has_every_state(site: Site) {
    let all = got(site.members().list_members(ListMembersRequest::default()).await).unwrap().items;
    assert_eq!(all.len(), 7);
    let mut actions = Vec::new();
    for one in &all {
        let asked = GetApplyProgressRequest {};
        let answer = acting(&member(one.id), site.accounts().get_apply_progress(asked)).await;
        let progress = got(answer).unwrap();
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
        let asked = GetTadawulLoginUrlRequest {};
        let answer = acting(&member(one.id), site.accounts().get_tadawul_login_url(asked)).await;
        match got(answer) {
            Ok(answer) => {
                assert!(one.opened_saudi);
                assert!(answer.url.starts_with("http://127.0.0.1:8080/?tadawul=simulated"));
            }
            Err(error) => {
                assert!(!one.opened_saudi);
                assert_eq!(error.code(), ErrorCode::Forbidden);
            }
        }
    }
}

async fn teams_read_and_set_members(site: Site) {
    let list = async |size, after_id| {
        let asked = ListMembersRequest { size, after_id };
        let items = got(site.members().list_members(asked).await).unwrap().items;
        items.into_iter().map(|member| member.id).collect::<Vec<_>>()
    };
    let (first, second) = (list(4, 0).await, list(4, list(4, 0).await[3]).await);
    assert_eq!((first.len(), second.len()), (4, 3));
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
    for (asked, code, named) in [
        (SetAccountRequest { id: 999, ..opened.clone() }, ErrorCode::NotFound, ""),
        (SetAccountRequest { id: first[1], ..opened.clone() }, ErrorCode::Conflict, ""),
        (
            SetAccountRequest { hs_no: String::new(), ..opened.clone() },
            ErrorCode::Parameter,
            "hs_no",
        ),
        (SetAccountRequest { status: -1, ..opened.clone() }, ErrorCode::Parameter, "status"),
        (SetAccountRequest { email: "x".into(), ..opened.clone() }, ErrorCode::Parameter, "email"),
    ] {
        let error = got(site.members().set_account(asked).await).unwrap_err();
        assert_eq!((error.code(), field(&error)), (code, named));
    }
}
