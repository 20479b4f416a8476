//! The rpcs of campaigns, invitations, participants and deposits.

use sahm_chassis::{ErrorCode, error::Error};
use sahm_proto::activity::v1::{
    BatchGetCampaignsRequest, BatchGetDepositsRequest, BatchGetParticipantsRequest,
    BatchGetShortChainsRequest, CheckInviteCodeRequest, CreateShortChainRequest,
    CreateShortChainResponse, GetAssetsStandardRequest, GetCampaignInfoRequest, GetCampaignRequest,
    GetCustomInfoRequest, GetDepositRequest, GetLotteryDrawInfoRequest,
    GetMemberCountryCodeRequest, GetParticipantRequest, GetShareValueRequest, GetShortChainRequest,
    JoinCampaignRequest, ListCampaignRulesRequest, ListCampaignsRequest, ListDepositsRequest,
    ListDrawsRequest, ListGccRulesRequest, ListInvitersRequest, ListMemberCampaignsRequest,
    ListParticipantsRequest, ListShortChainsRequest, SetMemberCountryRequest,
};

use crate::{
    on_both,
    support::{NOW, Site, acting, field, got},
};

on_both!(
    texts_of_campaigns_contain_their_figures,
    states_of_campaigns_change_with_time,
    unknown_items_are_empty,
    member_joins_by_invitation,
    deposits_in_either_currency_reach_the_standards,
    country_of_a_member_is_stored,
    lists_are_paged,
    calls_without_a_member_are_rejected,
);

async fn texts_of_campaigns_contain_their_figures(site: Site) {
    let activity_id = 6666;
    let mut campaigns = site.campaigns();
    let rules = got(campaigns.list_campaign_rules(ListCampaignRulesRequest { activity_id }).await);
    let rules = rules.unwrap();
    assert_eq!(rules.id, Some(6666));
    let deposits = rules.rules.iter().find(|rule| rule.id == "deposits").unwrap();
    assert!(deposits.text_en.contains("SAR 5,000 or $1,500"), "{}", deposits.text_en);
    assert!(deposits.text_sa.contains("5,000 ريال أو 1,500 دولار"), "{}", deposits.text_sa);
    assert_eq!(deposits.text, deposits.text_en);
    let info = got(campaigns.get_campaign_info(GetCampaignInfoRequest { activity_id }).await);
    let info = info.unwrap().info.unwrap();
    assert_eq!((info.steps.len(), info.rewards.len()), (3, 3));
    let campaign = got(campaigns.get_campaign(GetCampaignRequest { activity_id }).await);
    let campaign = campaign.unwrap().campaign.unwrap();
    let all = format!("{rules:?}{info:?}{campaign:?}");
    for text in ["{standard", "{free", "{share", "{inviter"] {
        assert!(!all.contains(text), "{text} is left");
    }
    assert_eq!(campaign.themes[0].id, "0");
    let figures = got(campaigns.get_custom_info(GetCustomInfoRequest { activity_id: 923 }).await);
    let figures = figures.unwrap().info.unwrap();
    assert_eq!((figures.ticket_amount.as_str(), figures.tickets_max), ("50", 4));
    assert_eq!(figures.weekly_prize, "18888");
    assert_eq!(
        (figures.standards[1].sar.as_str(), figures.standards[1].usd.as_str()),
        ("5000", "1500")
    );
    let gcc = got(campaigns.list_gcc_rules(ListGccRulesRequest { activity_id }).await).unwrap();
    let codes = gcc.rules.iter().map(|rule| rule.country_code.as_str()).collect::<Vec<_>>();
    assert_eq!(codes, ["SAU", "ARE", "KWT", "QAT", "BHR", "OMN"]);
    let rule = &gcc.rules[1].text_en;
    assert!(rule.contains("US dollars") && rule.contains("$1,500"), "{rule}");
}

async fn states_of_campaigns_change_with_time(site: Site) {
    let mut campaigns = site.campaigns();
    for (now, expected) in [
        (1_767_225_600, ["notStarted", "notStarted", "active"]),
        (NOW, ["active", "ended", "active"]),
        (1_795_219_200, ["ended", "ended", "active"]),
    ] {
        site.clock.set(now);
        let items =
            got(campaigns.list_campaigns(ListCampaignsRequest::default()).await).unwrap().items;
        let states = items.iter().map(|one| one.state.as_str()).collect::<Vec<_>>();
        assert_eq!(states, expected, "{now}");
        for one in items {
            let message = match one.state.as_str() {
                "notStarted" => "The campaign has not started yet.",
                "ended" => "The campaign has ended.",
                _ => "",
            };
            assert_eq!(
                (one.state_text.as_str(), one.state_text_sa.is_empty()),
                (message, message.is_empty())
            );
        }
    }
    let request = BatchGetCampaignsRequest { ids: vec![901, 5, 6666] };
    let items = got(campaigns.batch_get_campaigns(request).await).unwrap().items;
    assert_eq!(items.iter().map(|one| one.id).collect::<Vec<_>>(), [901, 6666]);
    let none = BatchGetCampaignsRequest { ids: Vec::new() };
    assert_eq!(field(&got(campaigns.batch_get_campaigns(none).await).unwrap_err()), "ids");
}

async fn unknown_items_are_empty(site: Site) {
    for activity_id in [1, u64::MAX] {
        let mut campaigns = site.campaigns();
        let one = got(campaigns.get_campaign(GetCampaignRequest { activity_id }).await).unwrap();
        assert!(one.campaign.is_none());
        let rules = ListCampaignRulesRequest { activity_id };
        let rules = got(campaigns.list_campaign_rules(rules).await).unwrap();
        assert!(rules.id.is_none() && rules.rules.is_empty());
        let joined = site.join(1, activity_id, "").await.unwrap();
        assert_eq!((joined.joined, joined.id, joined.state.as_str()), (false, None, ""));
        let request = GetAssetsStandardRequest { activity_id };
        let standard = acting(1, site.participants().get_assets_standard(request)).await;
        assert!(got(standard).unwrap().thresholds.is_empty());
        let chain = link(&site, 1, activity_id, "cms_fb").await.unwrap();
        assert_eq!(chain, CreateShortChainResponse::default());
    }
    let missing = got(site.campaigns().get_campaign(GetCampaignRequest::default()).await);
    assert_eq!(field(&missing.unwrap_err()), "activity_id");
}

async fn link(
    site: &Site,
    member: u64,
    activity_id: u64,
    channel: &str,
) -> Result<CreateShortChainResponse, Error> {
    let request =
        CreateShortChainRequest { activity_id, channel: channel.into(), locale: "ar-sa".into() };
    got(acting(member, site.invitations().create_short_chain(request)).await)
}

async fn member_joins_by_invitation(site: Site) {
    let one = link(&site, 1, 6666, "cms_twitter").await.unwrap();
    let code = one.invite_code.as_str();
    assert_eq!(
        one.url,
        format!(
            "http://127.0.0.1:8080/ar-sa/activity/pre-activity-new\
             ?activityId=6666&inviteCode={code}&_scnl=1110619"
        )
    );
    assert_eq!(link(&site, 1, 6666, "TWITTER").await.unwrap(), one);
    assert_eq!(field(&link(&site, 1, 6666, "fax").await.unwrap_err()), "channel");

    for (typed, locale, valid, text) in [
        (code.to_lowercase(), "", true, ""),
        (format!(" {code} "), "ar-sa", true, ""),
        ("NOBODY12".to_owned(), "", false, "Invitation code does not exist."),
        ("NOBODY12".to_owned(), "ar-sa", false, "رمز الدعوة غير موجود."),
        ("a-b".to_owned(), "", false, "Invalid invitation code."),
    ] {
        let request = CheckInviteCodeRequest { invite_code: typed.clone(), locale: locale.into() };
        let checked = got(site.invitations().check_invite_code(request).await).unwrap();
        assert_eq!((checked.valid, checked.text.as_str()), (valid, text), "{typed}");
    }
    let none = got(site.invitations().check_invite_code(CheckInviteCodeRequest::default()).await);
    assert_eq!(field(&none.unwrap_err()), "invite_code");

    for invalid in [code, "NOBODY12", "a-b"] {
        assert_eq!(
            field(&site.join(1, 6666, invalid).await.unwrap_err()),
            "invite_code",
            "{invalid}"
        );
    }
    let joined = site.join(2, 6666, code).await.unwrap();
    assert_eq!((joined.joined, joined.joined_at, joined.text.as_str()), (true, NOW, ""));
    site.clock.set(NOW + 60);
    assert_eq!(site.join(2, 6666, "").await.unwrap(), joined);
    let request = ListInvitersRequest { activity_id: 6666, ..Default::default() };
    let inviters = got(site.invitations().list_inviters(request).await).unwrap().items;
    assert_eq!((inviters[0].id, inviters[0].invited), (1, 1));
    assert_eq!((inviters[0].invite_code.as_str(), inviters.len()), (code, 1));
    let request = ListMemberCampaignsRequest { member: 2 };
    let items = got(site.participants().list_member_campaigns(request).await).unwrap().items;
    assert_eq!((items.len(), items[0].inviter), (1, Some(1)));

    let late = site.join(3, 901, "").await.unwrap();
    assert_eq!((late.joined, late.state.as_str()), (false, "ended"));
    assert_eq!(late.text, "The campaign has ended.");
    for (channel, id, campaign_id) in
        [("edu_fb", "edu_fb", 1_110_623), ("WHATSAPP", "cms_others", 1_110_621)]
    {
        let request = GetShareValueRequest { channel: channel.into(), locale: "ar".into() };
        let share = got(site.invitations().get_share_value(request).await).unwrap();
        assert_eq!((share.id.as_str(), share.campaign_id), (id, campaign_id));
        assert!(share.text == share.text_sa && share.text != share.text_en);
    }
}

async fn deposits_in_either_currency_reach_the_standards(site: Site) {
    let standing = async || {
        let request = GetAssetsStandardRequest { activity_id: 6666 };
        let got = got(acting(5, site.participants().get_assets_standard(request)).await).unwrap();
        let reached = got.thresholds.iter().map(|one| one.reached).collect::<Vec<_>>();
        (got.joined, got.deposited_sar, got.deposited_usd, reached)
    };
    let text = str::to_owned;
    assert_eq!(standing().await, (false, text("0"), text("0"), vec![false, false]));
    site.join(5, 6666, "").await.unwrap();
    site.deposit(5, "one", "999.99").await.unwrap();
    assert_eq!(standing().await, (true, text("999.99"), text("0"), vec![false, false]));
    let counted = site.deposit(5, "two", "0.01").await.unwrap();
    let again = site.deposit(5, "two", "0.01").await.unwrap();
    assert_eq!((counted.counted, again.counted), (true, false));
    assert_eq!(standing().await, (true, text("1000"), text("0"), vec![true, false]));
    let other = site.deposit(5, "two", "5").await.unwrap_err();
    assert_eq!(other.code(), ErrorCode::Conflict);
    assert_eq!(field(&site.deposit(5, "three", "-5").await.unwrap_err()), "deposit.amount");
}

async fn country_of_a_member_is_stored(site: Site) {
    let country = async |member| {
        let request = GetMemberCountryCodeRequest {};
        got(acting(member, site.participants().get_member_country_code(request)).await)
            .unwrap()
            .country_code
    };
    assert_eq!(country(1).await, "SAU");
    for code in ["KWT", "ARE"] {
        let request = SetMemberCountryRequest { member: 1, country_code: code.into() };
        got(site.participants().set_member_country(request).await).unwrap();
        assert_eq!(country(1).await, code);
    }
    assert_eq!(country(2).await, "SAU");
    let invalid = SetMemberCountryRequest { member: 1, country_code: "kw".into() };
    let error = got(site.participants().set_member_country(invalid).await).unwrap_err();
    assert_eq!(field(&error), "country_code");
}

async fn lists_are_paged(site: Site) {
    let code = link(&site, 1, 6666, "cms_fb").await.unwrap().invite_code;
    let other = link(&site, 2, 6666, "cms_fb").await.unwrap().invite_code;
    for member in 10..15 {
        let code = if member % 2 == 0 { &code } else { &other };
        site.join(member, 6666, code).await.unwrap();
        site.deposit(10, &format!("deposit-{member}"), "10").await.unwrap();
    }
    let (mut members, mut all, mut after_id) = (Vec::new(), Vec::new(), 0);
    loop {
        let request =
            ListParticipantsRequest { activity_id: 6666, size: 2, after_id, ..Default::default() };
        let items = got(site.participants().list_participants(request).await).unwrap().items;
        let Some(last) = items.last() else { break };
        after_id = last.id;
        members.extend(items.iter().map(|one| one.member));
        all.extend(items);
    }
    assert_eq!(members, [10, 11, 12, 13, 14]);
    let request = BatchGetParticipantsRequest { ids: vec![all[3].id, 1 << 40, all[0].id] };
    let items = got(site.participants().batch_get_participants(request).await).unwrap().items;
    assert_eq!(items, [all[3], all[0]]);
    let none = BatchGetParticipantsRequest { ids: Vec::new() };
    let error = got(site.participants().batch_get_participants(none).await).unwrap_err();
    assert_eq!(field(&error), "ids");
    let request = GetParticipantRequest { id: all[1].id };
    let found = got(site.participants().get_participant(request).await).unwrap().participant;
    assert_eq!(found.as_ref(), Some(&all[1]));
    let request = GetParticipantRequest { id: 1 << 40 };
    let error = got(site.participants().get_participant(request).await).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let request =
            ListParticipantsRequest { activity_id: 6666, size: 2, cursor, ..Default::default() };
        let page = got(site.participants().list_participants(request).await).unwrap();
        paged.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all);
    let request = ListDepositsRequest { member: 10, size: 2, ..Default::default() };
    let next_deposits = got(site.participants().list_deposits(request).await).unwrap().next_cursor;
    assert!(!next_deposits.is_empty());
    let request = ListDepositsRequest { member: 11, cursor: next_deposits.clone(), size: 0 };
    let error = got(site.participants().list_deposits(request).await).unwrap_err();
    assert_eq!(field(&error), "cursor");
    for request in [1 << 40, 1] {
        let participants = ListParticipantsRequest { activity_id: request, ..Default::default() };
        let inviters = ListInvitersRequest { activity_id: request, ..Default::default() };
        let draws = ListDrawsRequest { activity_id: request, ..Default::default() };
        for error in [
            got(site.participants().list_participants(participants).await).err(),
            got(site.invitations().list_inviters(inviters).await).err(),
            got(site.draws().list_draws(draws).await).err(),
        ] {
            assert_eq!(error.map(|error| error.code()), Some(ErrorCode::NotFound), "{request}");
        }
    }
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = ListDepositsRequest { member: 10, size: 2, cursor };
        let page = got(site.participants().list_deposits(request).await).unwrap();
        ids.extend(page.items.into_iter().map(|one| one.id));
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(ids.len(), 5);
    let request = GetDepositRequest { id: ids[1].clone() };
    let deposit = got(site.participants().get_deposit(request).await).unwrap().deposit.unwrap();
    assert_eq!((&deposit.id, deposit.member), (&ids[1], 10));
    let request = GetDepositRequest { id: "nobody's".into() };
    let error = got(site.participants().get_deposit(request).await).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    let request = vec![ids[3].clone(), "nobody's".to_owned(), ids[0].clone(), ids[3].clone()];
    let request = BatchGetDepositsRequest { ids: request };
    let items = got(site.participants().batch_get_deposits(request).await).unwrap().items;
    assert_eq!(items.iter().map(|one| &one.id).collect::<Vec<_>>(), [&ids[3], &ids[0]]);
    for ids in [Vec::new(), vec!["x".to_owned(); 51]] {
        let request = BatchGetDepositsRequest { ids };
        let error = got(site.participants().batch_get_deposits(request).await).unwrap_err();
        assert_eq!(field(&error), "ids");
    }
    let request = |cursor: &str| ListInvitersRequest {
        activity_id: 6666,
        size: 1,
        cursor: cursor.to_owned(),
    };
    let first = got(site.invitations().list_inviters(request("")).await).unwrap();
    assert_eq!((first.items[0].id, first.items[0].invited), (1, 3));
    let second = got(site.invitations().list_inviters(request(&first.next_cursor)).await).unwrap();
    assert_eq!((second.items[0].id, second.items[0].invited), (2, 2));
    assert_eq!(second.next_cursor, "");
    for invalid in ["x", "1", "1-", "-1", "1-0", &next_deposits] {
        let error = got(site.invitations().list_inviters(request(invalid)).await).unwrap_err();
        assert_eq!(field(&error), "cursor", "{invalid}");
    }
    let request = ListShortChainsRequest { size: 101, ..Default::default() };
    let error = got(site.invitations().list_short_chains(request).await).unwrap_err();
    assert_eq!(field(&error), "size");
    let (mut campaigns, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = ListCampaignsRequest { size: 1, cursor };
        let page = got(site.campaigns().list_campaigns(request).await).unwrap();
        assert_eq!(page.items.len(), 1);
        campaigns.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    let whole = got(site.campaigns().list_campaigns(ListCampaignsRequest::default()).await);
    assert_eq!(campaigns, whole.unwrap().items);
    let request = ListShortChainsRequest { member: 2, ..Default::default() };
    let chains = got(site.invitations().list_short_chains(request).await).unwrap().items;
    assert_eq!((chains.len(), chains[0].channel.as_str()), (1, "cms_fb"));
    let request = GetShortChainRequest { id: chains[0].id };
    let found = got(site.invitations().get_short_chain(request).await).unwrap().short_chain;
    assert_eq!(found.as_ref(), Some(&chains[0]));
    for id in [0, 1 << 40, u64::MAX] {
        let request = GetShortChainRequest { id };
        let error = got(site.invitations().get_short_chain(request).await).unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotFound, "{id}");
    }
    let request = ListShortChainsRequest::default();
    let all = got(site.invitations().list_short_chains(request).await).unwrap().items;
    let (first, last) = (all.first().unwrap(), all.last().unwrap());
    assert_ne!(first, last);
    let request = BatchGetShortChainsRequest { ids: vec![last.id, 1 << 40, first.id] };
    let items = got(site.invitations().batch_get_short_chains(request).await).unwrap().items;
    assert_eq!(items, [last.clone(), first.clone()]);
    let request = BatchGetShortChainsRequest::default();
    let error = got(site.invitations().batch_get_short_chains(request).await).unwrap_err();
    assert_eq!(field(&error), "ids");
}

async fn calls_without_a_member_are_rejected(site: Site) {
    let (mut participants, mut invitations) = (site.participants(), site.invitations());
    let codes = [
        got(participants.join_campaign(JoinCampaignRequest::default()).await).err(),
        got(participants.get_assets_standard(GetAssetsStandardRequest::default()).await).err(),
        got(participants.get_member_country_code(GetMemberCountryCodeRequest {}).await).err(),
        got(invitations.create_short_chain(CreateShortChainRequest::default()).await).err(),
        got(site.draws().get_lottery_draw_info(GetLotteryDrawInfoRequest {}).await).err(),
    ];
    for error in codes {
        assert_eq!(error.unwrap().code(), ErrorCode::NotLoggedIn);
    }
}
