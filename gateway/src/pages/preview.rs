//! `/preview/{type}`: drafts of a type, each as the page shows it that it is meant for.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{
        Article, ArticleSummary, CollegeArticle, CollegeArticleSummary, CollegeStep,
        GetCollegeBreadcrumbRequest, GetDraftRequest, GetHelpChannelTreeRequest, HelpChannelNode,
        HelpDocument, HelpStep, ListArticlesRequest, ListCollegeArticlesRequest,
        ListCompanyArticlesRequest, ListDraftsRequest, get_draft_response::Item,
    },
    page::v1::{
        ArticlePage, EducationArticlePage, PreviewPage, SupportDetailPage, TermsPage, preview_page,
    },
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest,
    article::RELATED,
    college_article::{COMPANY, RECOMMENDED},
    frame::PageHead,
    legal::LEGAL,
    links::localised,
    lists::Timed,
};
use crate::{routes::Match, services::reading, visitor::Locale};

impl Loaders {
    pub(super) async fn preview(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let asked = matched.parameters.get("type");
        let Some(draft_type) = asked.filter(|asked| self.preview_types.contains(asked)) else {
            return Ok(self.not_found(request, None));
        };
        let locale = request.visitor.locale;
        let id = request.query.get("draft").unwrap_or_default();
        let (mut drafts, mut draft) = (self.services.drafts()?, self.services.drafts()?);
        let (drafts, draft) = tokio::join!(
            reading(drafts.list_drafts(ListDraftsRequest {
                r#type: draft_type.clone(),
                locale: locale.as_str().to_owned(),
                ..Default::default()
            })),
            reading(draft.get_draft(GetDraftRequest {
                r#type: draft_type.clone(),
                id: id.to_owned(),
                locale: locale.as_str().to_owned(),
            }))
        );
        let draft = match draft {
            Err(error) if error.code() == ErrorCode::NotFound && id.is_empty() => None,
            Err(error) if error.code() == ErrorCode::NotFound => {
                return Ok(self.not_found(request, None));
            }
            draft => Some(draft?),
        };
        let draft = draft.unwrap_or_default();
        let mut found = Found::default();
        let page = match draft.item {
            Some(item) => Some(self.draft_page(item, locale, &mut found).await),
            None => None,
        };
        let (title, description) = page.as_ref().map_or((draft_type.as_str(), ""), texts);
        let head = PageHead { title, description, noindex: true, ..PageHead::default() };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = PreviewPage {
            frame: Some(frame),
            r#type: draft_type.clone(),
            drafts: drafts?.items,
            draft_id: draft.id,
            page,
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::Preview(Box::new(document))))
    }

    /// The page that a draft is meant for, with what is published around it.
    async fn draft_page(
        &self,
        item: Item,
        locale: Locale,
        found: &mut Found,
    ) -> preview_page::Page {
        match item {
            Item::Article(mut article) => {
                article.body_html = localised(&article.body_html, locale);
                self.article_draft(article, locale, found).await
            }
            Item::CollegeArticle(mut article) => {
                article.body_html = localised(&article.body_html, locale);
                self.college_draft(article, locale, found).await
            }
            Item::HelpDocument(mut document) => {
                document.body_html = localised(&document.body_html, locale);
                match document.kind.as_str() {
                    LEGAL => self.legal_draft(document, locale, found).await,
                    _ => self.help_draft(document, locale, found).await,
                }
            }
        }
    }

    async fn article_draft(
        &self,
        article: Article,
        locale: Locale,
        found: &mut Found,
    ) -> preview_page::Page {
        let (related, quotes) =
            tokio::join!(self.newest_others(&article, locale), self.article_quotes(&article));
        let related = found.optional("related", related);
        let quotes = found.optional("quotes", quotes);
        preview_page::Page::Article(ArticlePage {
            frame: None,
            other_language: article.locale != locale.as_str(),
            related_unavailable: related.is_none(),
            related: related.unwrap_or_default(),
            quotes_unavailable: quotes.is_none(),
            quotes: quotes.unwrap_or_default(),
            article: Some(article),
            // Only published articles are translated.
            machine_translation: false,
        })
    }

    /// Published articles of its market, which is what is recommended beside an article.
    async fn newest_others(
        &self,
        article: &Article,
        locale: Locale,
    ) -> Result<Vec<ArticleSummary>, Error> {
        let request = ListArticlesRequest {
            market: article.market.clone(),
            locale: locale.as_str().to_owned(),
            size: RELATED + 1,
            ..ListArticlesRequest::default()
        };
        let newest = reading(self.services.news()?.list_articles(request)).await?.items;
        let others = newest.into_iter().filter(|other| other.id != article.id);
        Ok(others.take(RELATED as usize).collect())
    }

    async fn college_draft(
        &self,
        article: CollegeArticle,
        locale: Locale,
        found: &mut Found,
    ) -> preview_page::Page {
        let name = locale.as_str();
        let (trail, course, newest) = tokio::join!(
            self.course_trail(&article, name),
            self.course_articles(&article, name),
            self.newest_college_articles(&article, name)
        );
        // Its course may not be published either.
        preview_page::Page::EducationArticle(EducationArticlePage {
            frame: None,
            other_language: article.locale != name,
            breadcrumb: found.optional("breadcrumb", trail).unwrap_or_default(),
            course_articles: found.optional("course", course).unwrap_or_default(),
            recommended: found.optional("recommended", newest).unwrap_or_default(),
            videos: Vec::new(),
            article: Some(article),
        })
    }

    async fn course_trail(
        &self,
        article: &CollegeArticle,
        locale: &str,
    ) -> Result<Vec<CollegeStep>, Error> {
        if article.category_id == 0 {
            return Ok(Vec::new());
        }
        let request = GetCollegeBreadcrumbRequest {
            course_id: article.course_id.to_string(),
            locale: locale.to_owned(),
            ..GetCollegeBreadcrumbRequest::default()
        };
        Ok(reading(self.services.college()?.get_college_breadcrumb(request)).await?.items)
    }

    async fn newest_college_articles(
        &self,
        article: &CollegeArticle,
        locale: &str,
    ) -> Result<Vec<CollegeArticleSummary>, Error> {
        let (locale, size) = (locale.to_owned(), RECOMMENDED + 1);
        let mut college = self.services.college()?;
        let newest = if article.kind == COMPANY {
            let request = ListCompanyArticlesRequest { locale, size, ..Default::default() };
            reading(college.list_company_articles(request)).await?.items
        } else {
            let request = ListCollegeArticlesRequest { locale, size, ..Default::default() };
            reading(college.list_college_articles(request)).await?.items
        };
        let others = newest.into_iter().filter(|other| other.id != article.id);
        Ok(others.take(RECOMMENDED as usize).collect())
    }

    async fn help_draft(
        &self,
        document: HelpDocument,
        locale: Locale,
        found: &mut Found,
    ) -> preview_page::Page {
        let tree = async {
            let mut help = self.services.help()?;
            reading(help.get_help_channel_tree(GetHelpChannelTreeRequest {})).await
        };
        let (tree, related) = tokio::join!(tree, self.related_documents(&document, locale));
        let tree = found.optional("breadcrumb", tree).map(|tree| tree.items).unwrap_or_default();
        // Its channel may not be published either.
        let related = match related {
            Err(error) if error.code() == ErrorCode::DocumentNotFound => Ok(Timed::default()),
            related => related,
        };
        preview_page::Page::SupportDetail(SupportDetailPage {
            frame: None,
            other_language: document.locale != locale.as_str(),
            breadcrumb: way_to(&tree, document.channel_id, locale).unwrap_or_default(),
            related: found.timed("related", related),
            document: Some(document),
        })
    }

    async fn legal_draft(
        &self,
        document: HelpDocument,
        locale: Locale,
        found: &mut Found,
    ) -> preview_page::Page {
        let documents = self.legal_documents(locale.as_str()).await;
        preview_page::Page::Terms(TermsPage {
            frame: None,
            other_language: document.locale != locale.as_str(),
            documents: found.timed("legal documents", documents),
            document: Some(document),
        })
    }
}

/// Title and description of the page that is shown.
fn texts(page: &preview_page::Page) -> (&str, &str) {
    use preview_page::Page;
    let texts = match page {
        Page::Article(page) => page.article.as_ref().map(|text| (&text.title, &text.summary)),
        Page::EducationArticle(page) => {
            page.article.as_ref().map(|text| (&text.title, &text.summary))
        }
        Page::SupportDetail(page) => {
            page.document.as_ref().map(|text| (&text.title, &text.summary))
        }
        Page::Terms(page) => page.document.as_ref().map(|text| (&text.title, &text.summary)),
    };
    texts.map_or(("", ""), |(title, summary)| (title, summary))
}

/// The steps from the top channel to one; `None` where it is not in the tree.
fn way_to(nodes: &[HelpChannelNode], id: u64, locale: Locale) -> Option<Vec<HelpStep>> {
    nodes.iter().find_map(|node| {
        let beneath = match node.id == id {
            true => Vec::new(),
            false => way_to(&node.children, id, locale)?,
        };
        let channel = node.channel.as_ref()?;
        let name = match locale {
            Locale::ArSa if !channel.name_sa.is_empty() => &channel.name_sa,
            _ => &channel.name_en,
        };
        let step = HelpStep {
            id: node.id,
            kind: "channel".to_owned(),
            name: name.clone(),
            link: format!("/support/channel/{}", node.id),
        };
        Some([vec![step], beneath].concat())
    })
}

#[cfg(test)]
mod tests {
    use sahm_proto::content::v1::HelpChannel;

    use super::*;

    fn node(id: u64, children: Vec<HelpChannelNode>) -> HelpChannelNode {
        let name_sa = if id == 2 { "قناة".to_owned() } else { String::new() };
        let channel =
            HelpChannel { name_en: format!("Channel {id}"), name_sa, ..Default::default() };
        HelpChannelNode { id, channel: Some(channel), children }
    }

    #[test]
    fn ways_through_the_tree() {
        let tree = [node(1, vec![node(3, Vec::new())]), node(2, vec![node(4, Vec::new())])];
        for (id, expected) in [
            (1, Some(vec!["Channel 1 /support/channel/1"])),
            (4, Some(vec!["قناة /support/channel/2", "Channel 4 /support/channel/4"])),
            (9, None),
        ] {
            let way = way_to(&tree, id, Locale::ArSa);
            let way = way.map(|steps| {
                steps.iter().map(|step| format!("{} {}", step.name, step.link)).collect::<Vec<_>>()
            });
            assert_eq!(way, expected.map(|steps| steps.into_iter().map(str::to_owned).collect()));
        }
    }
}
