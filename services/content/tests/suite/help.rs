//! The help centre's rpcs, with the seed.
use sahm_chassis::ErrorCode;
use sahm_content::domain::{Entry, EntryData, EntryKind, Locale};
use sahm_proto::content::v1 as wire;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
    support::NOW,
};

on_the_seed!(
    channels_and_documents_show_the_seed,
    document_is_found_by_id_and_slug,
    missing_items_are_not_found,
    responses_contain_the_time_of_the_next_publication
);

async fn channels_and_documents_show_the_seed(site: Seeded) {
    let mut help = site.help();
    let request = wire::GetHelpClassificationRequest { locale: "ar-sa".into() };
    let front = help.get_help_classification(request).await.unwrap().into_inner().items;
    assert!(front.len() >= 8);
    for item in &front {
        assert!((1..=4).contains(&item.documents.len()), "channel {}", item.id);
        assert!(item.documents.iter().all(|document| document.locale == "ar-sa"));
    }
    let request = wire::GetHelpChannelTreeRequest {};
    let tree = help.get_help_channel_tree(request).await.unwrap().into_inner().items;
    let ids =
        |items: &[wire::HelpChannelNode]| items.iter().map(|node| node.id).collect::<Vec<_>>();
    assert_eq!(ids(&tree), front.iter().map(|item| item.id).collect::<Vec<_>>());
    let parent = tree.iter().find(|node| !node.children.is_empty()).unwrap();
    let request =
        wire::GetHelpChannelRequest { channel_id: parent.id.to_string(), ..Default::default() };
    let channel = help.get_help_channel(request).await.unwrap().into_inner();
    let beneath: Vec<u64> = channel.channels.iter().map(|channel| channel.id).collect();
    assert_eq!(beneath, ids(&parent.children));
    let slug = channel.channel.unwrap().slug;
    let request = wire::GetHelpChannelRequest { channel_id: slug, size: 1, ..Default::default() };
    let page = help.get_help_channel(request).await.unwrap().into_inner();
    assert_eq!(page.channel.unwrap().id, parent.id);

    let request = wire::ListCommonQuestionsRequest::default();
    let first = help.list_common_questions(request).await.unwrap().into_inner();
    assert!(first.items.len() == 4 && !first.next_cursor.is_empty());
    let request = wire::ListCommonQuestionsRequest { size: 50, ..Default::default() };
    let common = help.list_common_questions(request).await.unwrap().into_inner().items;
    assert!(common.len() >= 10 && common.iter().all(|one| one.common && !one.summary.is_empty()));
    let request = wire::ListLegalDocumentsRequest::default();
    let legal = help.list_legal_documents(request).await.unwrap().into_inner().items;
    assert_eq!(legal.iter().map(|one| one.id).collect::<Vec<_>>(), [19, 25, 26, 27]);
    let request = wire::GetHelpSeoInfoRequest { path: "/support".into() };
    let seo = help.get_help_seo_info(request).await.unwrap().into_inner();
    assert!(seo.id > 0 && !seo.title.is_empty() && !seo.description_sa.is_empty());
    let document = async |locale: &str| {
        let (id, locale) = (common[0].id.to_string(), locale.to_owned());
        let request = wire::GetHelpDocumentRequest { id, locale, ..Default::default() };
        help.clone().get_help_document(request).await.unwrap().into_inner().document.unwrap()
    };
    let (en, sa) = (document("en-us").await, document("ar-sa").await);
    for name in [en.id.to_string(), en.slug.clone()] {
        let path = format!("/support/detail/{name}");
        let expected = wire::GetHelpSeoInfoResponse {
            id: en.id,
            path: path.clone(),
            title: en.title.clone(),
            title_en: en.title.clone(),
            title_sa: sa.title.clone(),
            description: en.summary.clone(),
            description_en: en.summary.clone(),
            description_sa: sa.summary.clone(),
        };
        let request = wire::GetHelpSeoInfoRequest { path };
        assert_eq!(help.get_help_seo_info(request).await.unwrap().into_inner(), expected);
    }
    for path in ["/support/detail/", "/support/detail/999999", "/support/detail/no-such", "/other"]
    {
        let request = wire::GetHelpSeoInfoRequest { path: path.into() };
        let status = help.get_help_seo_info(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::DocumentNotFound, "{path}");
    }
    let request = wire::ListHelpDocumentRefsRequest::default();
    let refs = help.list_help_document_refs(request).await.unwrap().into_inner().items;
    assert!(refs.len() >= 44 && refs.iter().all(|one| one.available_locales.len() == 2));
}

async fn document_is_found_by_id_and_slug(site: Seeded) {
    let mut help = site.help();
    for (id, slug, kind) in [
        (142, "how-to-reach-us", "help-document"),
        (19, "help-privacy-policy", "legal-document"),
        (25, "disclaimer", "legal-document"),
        (26, "privacy-policy", "legal-document"),
        (27, "service-agreement", "legal-document"),
    ] {
        for name in [id.to_string(), slug.to_owned()] {
            let locale = "ar-sa".to_owned();
            let request = wire::GetHelpDocumentRequest { id: name, locale, ..Default::default() };
            let found =
                help.get_help_document(request).await.unwrap().into_inner().document.unwrap();
            assert_eq!((found.id, found.slug.as_str(), found.kind.as_str()), (id, slug, kind));
            assert_eq!((found.locale.as_str(), found.effective_at > 0), ("ar-sa", id != 142));
        }
    }
    let request =
        wire::GetHelpDocumentRequest { id: "how-to-contact-support".into(), ..Default::default() };
    let found = help.get_help_document(request).await.unwrap().into_inner().document.unwrap();
    assert!(found.channel_id > 0 && found.updated_at > 0);
    let request = wire::GetHelpBreadcrumbRequest { id: found.slug.clone(), ..Default::default() };
    let steps = help.get_help_breadcrumb(request).await.unwrap().into_inner().items;
    assert!(steps.len() >= 2 && steps[0].kind == "channel");
    assert_eq!(steps.last().unwrap().link, "/support/detail/how-to-contact-support");
    let request = wire::GetHelpBreadcrumbRequest { id: "25".into(), ..Default::default() };
    assert_eq!(help.get_help_breadcrumb(request).await.unwrap().into_inner().items.len(), 1);
}

async fn missing_items_are_not_found(site: Seeded) {
    let mut help = site.help();
    for (id, channel_id) in [("9999", ""), ("no-such", ""), ("A B", ""), ("142", "1"), ("25", "1")]
    {
        let (id, channel_id) = (id.to_owned(), channel_id.to_owned());
        let request = wire::GetHelpDocumentRequest { id, channel_id, ..Default::default() };
        let status = help.get_help_document(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::DocumentNotFound);
    }
    let request = wire::GetHelpChannelRequest { channel_id: "99".into(), ..Default::default() };
    assert_eq!(
        code(&help.get_help_channel(request).await.unwrap_err()),
        ErrorCode::DocumentNotFound
    );
    let request = wire::GetHelpSeoInfoRequest { path: "/nowhere".into() };
    let status = help.get_help_seo_info(request).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::DocumentNotFound);
    let status = help.get_help_document(wire::GetHelpDocumentRequest::default()).await.unwrap_err();
    assert_eq!(fields(&status), ["id"]);
    let request = wire::WithdrawHelpDocumentsRequest { ids: vec![142, 9999] };
    let answer = help.withdraw_help_documents(request).await.unwrap().into_inner();
    assert_eq!(answer.withdrawn_ids, [142]);
    let request = wire::GetHelpDocumentRequest { id: "142".into(), ..Default::default() };
    assert!(help.get_help_document(request).await.is_err());
}

async fn responses_contain_the_time_of_the_next_publication(site: Seeded) {
    let (store, mut help) = (site.store().await, site.help());
    let (document, legal) = (NOW + 60, NOW + 90);
    let mut ahead = Vec::new();
    let mut channel_id = 0;
    for (id, new, published_at) in [(142, 90_142, document), (25, 90_025, legal)] {
        let held =
            store.entry(EntryKind::HelpDocument, id, Locale::EnUs, NOW).await.unwrap().unwrap();
        let mut entry = Entry { id: new, slug: String::new(), published_at, ..held.entry };
        if let EntryData::HelpDocument(text) = &mut entry.data {
            (text.common, channel_id) = (true, text.parent);
        }
        ahead.push(entry);
    }
    // The same document in the other locale, published later: until then the first one is returned.
    let held = store.entry(EntryKind::HelpDocument, 142, Locale::ArSa, NOW).await.unwrap().unwrap();
    let arabic = Entry { id: 90_142, slug: String::new(), published_at: legal, ..held.entry };
    ahead.push(arabic);
    store.put(&ahead, &[], NOW).await.unwrap();

    for (now, common, of_legal) in [(NOW, document, legal), (document, 0, legal), (legal, 0, 0)] {
        site.clock.set(now);
        let request = wire::GetHelpClassificationRequest::default();
        let front = help.get_help_classification(request).await.unwrap().into_inner();
        assert_eq!(front.next_change_at, common);
        let channel_id = channel_id.to_string();
        let request = wire::GetHelpChannelRequest { channel_id, size: 1, ..Default::default() };
        let channel = help.get_help_channel(request).await.unwrap().into_inner();
        assert_eq!(channel.next_change_at, common);
        let request = wire::ListCommonQuestionsRequest::default();
        let questions = help.list_common_questions(request).await.unwrap().into_inner();
        assert_eq!(questions.next_change_at, common);
        let request = wire::ListLegalDocumentsRequest::default();
        let documents = help.list_legal_documents(request).await.unwrap().into_inner();
        assert_eq!(documents.next_change_at, of_legal);
        let request = wire::GetHelpDocumentRequest { id: "90142".into(), ..Default::default() };
        match help.get_help_document(request).await {
            Ok(found) => assert_eq!(found.into_inner().next_change_at, of_legal),
            Err(error) => assert_eq!((code(&error), now), (ErrorCode::DocumentNotFound, NOW)),
        }
    }
}
