//! The help centre: home, search, channels, documents.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{
        GetHelpBreadcrumbRequest, GetHelpChannelRequest, GetHelpChannelTreeRequest,
        GetHelpClassificationRequest, GetHelpSeoInfoRequest, GetHelpSeoInfoResponse, HelpChannel,
        HelpChannelNode, HelpDocument, HelpDocumentSummary, ListCommonQuestionsRequest,
        SearchHelpRequest,
    },
    page::v1::{SupportChannelPage, SupportDetailPage, SupportPage, SupportSearchPage},
    tags,
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest,
    frame::PageHead,
    legal::{Asked, LEGAL, legal_path},
    lists::{Timed, page_of},
    parameters::{self, Name},
};
use crate::{addresses::slug_or_id, routes::Match, services::reading, visitor::Locale};

/// Documents a page of a channel.
const DOCUMENTS: u32 = 20;

/// Hits a page of a search.
const HITS: u32 = 10;

/// Common questions on the front and beside a search.
const QUESTIONS: u32 = 8;

/// Others of its channel beneath a document.
const RELATED: u32 = 6;

impl Loaders {
    pub(super) async fn support(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let classification = async {
            let locale = request.visitor.locale.as_str().to_owned();
            let request = GetHelpClassificationRequest { locale };
            reading(self.services.help()?.get_help_classification(request)).await
        };
        let (classification, questions, seo) = tokio::join!(
            classification,
            self.common_questions(request.visitor.locale),
            self.seo("/support")
        );
        let classification = classification?;
        found.changes_at(classification.next_change_at);
        let classification = classification.items;
        found.tag(tags::HELP_CHANNELS);
        found.tag(tags::HELP_DOCUMENTS);
        let common_questions = found.timed("questions", questions);
        let seo = Seo::of(seo, request.visitor.locale, &mut found);
        let frame = self.frame_of_page(request, matched.page, seo.head());
        let document = SupportPage { frame: Some(frame), classification, common_questions };
        Ok(found.loaded(200, matched.page.as_str(), Document::Support(Box::new(document))))
    }

    /// With a keyword nothing else than this request's page; without one the common questions.
    pub(super) async fn support_search(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let keyword = request.query.keyword.clone().unwrap_or_default();
        let hits = page_of(request.query.cursor.as_deref(), |cursor| async {
            let locale = request.visitor.locale.as_str().to_owned();
            let request =
                SearchHelpRequest { keyword: keyword.clone(), locale, size: HITS, cursor };
            reading(self.services.help()?.search_help(request)).await
        });
        let (hits, questions, seo) = tokio::join!(
            hits,
            self.common_questions(request.visitor.locale),
            self.seo("/support/search")
        );
        let (hits, _) = hits?;
        found.tag(tags::HELP_DOCUMENTS);
        found.tag(tags::HELP_CHANNELS);
        let common_questions = found.timed("questions", questions);
        let seo = Seo::of(seo, request.visitor.locale, &mut found);
        let head = PageHead { noindex: request.query.bypasses(), ..seo.head() };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = SupportSearchPage {
            frame: Some(frame),
            keyword,
            hits: hits.items,
            total: hits.total,
            next_cursor: hits.next_cursor,
            common_questions,
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::SupportSearch(Box::new(document))))
    }

    pub(super) async fn support_channel(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(asked) = parameters::name(matched, "id") else {
            return Ok(self.not_found(request, None));
        };
        let locale = request.visitor.locale;
        // Without a name in the path the tree says which channel is shown.
        let (tree, name) = match asked {
            Some(name) => (None, name),
            None => {
                let tree = self.channel_tree().await?;
                let Some(first) = tree.first() else {
                    let missing = ("channel", vec![tags::HELP_CHANNELS.to_owned()]);
                    return Ok(self.not_found(request, Some(missing)));
                };
                let name = Name::Id(first.id);
                (Some(tree), name)
            }
        };
        let tree = async {
            match tree {
                Some(tree) => Ok(tree),
                None => self.channel_tree().await,
            }
        };
        let answer = page_of(request.query.cursor.as_deref(), |cursor| async {
            let (channel_id, locale) = (name.text(), locale.as_str().to_owned());
            let request = GetHelpChannelRequest { channel_id, locale, size: DOCUMENTS, cursor };
            reading(self.services.help()?.get_help_channel(request)).await
        });
        let seo = async {
            match name {
                Name::Id(id) => Some(self.channel_seo(id).await),
                // Only the channel itself says what id it has.
                Name::Slug(_) => None,
            }
        };
        let (tree, answer, seo) = tokio::join!(tree, answer, seo);
        let tree = tree?;
        let (answer, continued) = match answer {
            Err(error) if error.code() == ErrorCode::DocumentNotFound => Default::default(),
            answer => answer?,
        };
        let Some(channel) = answer.channel else {
            let mut missing = vec![tags::HELP_CHANNELS.to_owned()];
            if let Name::Id(id) = name {
                missing.push(tags::help_channel(id));
            }
            return Ok(self.not_found(request, Some(("channel", missing))));
        };
        let mut found = Found::default();
        found.changes_at(answer.next_change_at);
        found.tag(tags::HELP_CHANNELS);
        found.tag(tags::help_channel(channel.id));
        let seo = match seo {
            Some(seo) => seo,
            None => self.channel_seo(channel.id).await,
        };
        let seo = Seo::of(seo, locale, &mut found);
        let (name, description) = channel_texts(&channel, locale);
        let own = seo.head();
        let head = PageHead {
            title: name,
            description: if own.description.is_empty() { description } else { own.description },
            path: Some(format!("/support/channel/{}", slug_or_id(&channel.slug, channel.id))),
            noindex: request.query.cursor.is_some(),
            ..own
        };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = SupportChannelPage {
            frame: Some(frame),
            tree,
            channel: Some(channel.clone()),
            channels: answer.channels,
            documents: answer.documents,
            next_cursor: answer.next_cursor,
            continued,
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::SupportChannel(Box::new(document))))
    }

    pub(super) async fn support_detail(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(Some(asked)) = parameters::name(matched, "articleId") else {
            return Ok(self.not_found(request, None));
        };
        let mut found = Found::default();
        let document = match self.help_document(request, &asked, &mut found).await? {
            Asked::Found(document) => *document,
            Asked::Missing(missing) => {
                return Ok(self.not_found(request, Some(("document", missing))));
            }
        };
        let locale = request.visitor.locale;
        found.tag(tags::help_document(document.id));
        found.tag(tags::HELP_CHANNELS);
        found.tag(tags::help_channel(document.channel_id));
        let trail = async {
            let id = document.id.to_string();
            let request = GetHelpBreadcrumbRequest { id, locale: locale.as_str().to_owned() };
            reading(self.services.help()?.get_help_breadcrumb(request)).await
        };
        let (trail, related) = tokio::join!(trail, self.related_documents(&document, locale));
        let breadcrumb = found.optional("breadcrumb", trail).map(|t| t.items).unwrap_or_default();
        let related = found.timed("related", related);
        let steps = breadcrumb.iter().map(|step| (step.name.as_str(), step.link.as_str()));
        let head = PageHead {
            title: &document.title,
            description: &document.summary,
            locales: &document.available_locales,
            og_type: "article",
            path: Some(match document.kind.as_str() {
                LEGAL => legal_path(&document),
                _ => format!("/support/detail/{}", slug_or_id(&document.slug, document.id)),
            }),
            json_ld: self.breadcrumb_json_ld(locale, steps).into_iter().collect(),
            ..PageHead::default()
        };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = SupportDetailPage {
            frame: Some(frame),
            other_language: document.locale != locale.as_str(),
            document: Some(document.clone()),
            breadcrumb,
            related,
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::SupportDetail(Box::new(document))))
    }

    /// Others of a document's channel.
    pub(super) async fn related_documents(
        &self,
        document: &HelpDocument,
        locale: Locale,
    ) -> Result<Timed<HelpDocumentSummary>, Error> {
        if document.channel_id == 0 {
            return Ok(Timed::default());
        }
        let request = GetHelpChannelRequest {
            channel_id: document.channel_id.to_string(),
            locale: locale.as_str().to_owned(),
            size: RELATED + 1,
            cursor: String::new(),
        };
        let answer = reading(self.services.help()?.get_help_channel(request)).await?;
        let others = answer.documents.into_iter().filter(|other| other.id != document.id);
        let items = others.take(RELATED as usize).collect();
        Ok(Timed { items, next_change_at: answer.next_change_at })
    }

    async fn common_questions(&self, locale: Locale) -> Result<Timed<HelpDocumentSummary>, Error> {
        let request = ListCommonQuestionsRequest {
            locale: locale.as_str().to_owned(),
            size: QUESTIONS,
            cursor: String::new(),
        };
        let answer = reading(self.services.help()?.list_common_questions(request)).await?;
        Ok(Timed { items: answer.items, next_change_at: answer.next_change_at })
    }

    async fn channel_tree(&self) -> Result<Vec<HelpChannelNode>, Error> {
        let request = GetHelpChannelTreeRequest {};
        Ok(reading(self.services.help()?.get_help_channel_tree(request)).await?.items)
    }

    async fn channel_seo(&self, id: u64) -> Result<Option<GetHelpSeoInfoResponse>, Error> {
        self.seo(&format!("/support/channel/{id}")).await
    }

    /// What content has for searchers about a page; most pages have nothing of their own.
    async fn seo(&self, path: &str) -> Result<Option<GetHelpSeoInfoResponse>, Error> {
        let request = GetHelpSeoInfoRequest { path: path.to_owned() };
        match reading(self.services.help()?.get_help_seo_info(request)).await {
            Ok(info) => Ok(Some(info)),
            Err(error) if error.code() == ErrorCode::DocumentNotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Title and description of a page, in its language.
#[derive(Default)]
struct Seo {
    title: String,
    description: String,
}

impl Seo {
    fn of(
        info: Result<Option<GetHelpSeoInfoResponse>, Error>,
        locale: Locale,
        found: &mut Found,
    ) -> Self {
        found.tag(tags::HELP_SEO);
        let Some(info) = found.optional("seo", info).flatten() else { return Self::default() };
        let first = |own: String, bare: String| if own.is_empty() { bare } else { own };
        match locale {
            Locale::ArSa => Self {
                title: first(info.title_sa, info.title),
                description: first(info.description_sa, info.description),
            },
            Locale::EnUs => Self {
                title: first(info.title_en, info.title),
                description: first(info.description_en, info.description),
            },
        }
    }

    fn head(&self) -> PageHead<'_> {
        PageHead { whole_title: &self.title, description: &self.description, ..PageHead::default() }
    }
}

fn channel_texts(channel: &HelpChannel, locale: Locale) -> (&str, &str) {
    let (name, description) = match locale {
        Locale::ArSa => (&channel.name_sa, &channel.description_sa),
        Locale::EnUs => (&channel.name_en, &channel.description_en),
    };
    (if name.is_empty() { &channel.name } else { name }, description)
}
