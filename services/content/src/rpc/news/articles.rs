//! Articles, the securities in them, and their translation.
use sahm_chassis::{Error, ErrorCode, Result};
use sahm_proto::content::v1 as wire;

use super::NewsCalls;
use crate::{
    domain::{Article, Locale},
    rpc::{asked, convert},
    store::Visible,
};

/// The longest word on where a reader came from, in characters.
const FROM_MAX: usize = 40;

impl NewsCalls {
    async fn shown(&self, id: u64, locale: Locale) -> Result<Visible<Article>> {
        let found = self.store.article(id, locale, self.clock.now()).await?;
        found.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))
    }

    /// An article as it goes over the wire, for whoever it is shown to.
    fn read(&self, article: Article) -> wire::Article {
        let text = &article.text;
        let sign = self.reading.signer.sign(text.id, text.locale, self.clock.now());
        convert::article(article, &self.reading.stocks.names(), sign)
    }

    pub(super) async fn article(
        &self,
        asked: wire::GetArticleRequest,
    ) -> Result<wire::GetArticleResponse> {
        asked::needed("id", asked.id)?;
        if asked.from.chars().count() > FROM_MAX {
            return Err(Error::field("from", format!("is longer than {FROM_MAX} characters")));
        }
        tracing::debug!(id = asked.id, from = asked.from, "article asked");
        let shown = self.shown(asked.id, Locale::asked(&asked.locale)).await?;
        Ok(wire::GetArticleResponse {
            article: Some(self.read(shown.item)),
            next_change_at: shown.next_change_at.unwrap_or(0),
            machine_translation: self.reading.translator.is_some(),
        })
    }

    pub(super) async fn related_stocks(
        &self,
        asked: wire::ListRelatedStocksRequest,
    ) -> Result<wire::ListRelatedStocksResponse> {
        asked::needed("content_id", asked.content_id)?;
        let shown = self.shown(asked.content_id, Locale::asked(&asked.locale)).await?;
        let names = self.reading.stocks.names();
        let (_, stocks) = names.link(&shown.item.text.body_html);
        Ok(wire::ListRelatedStocksResponse { items: convert::stocks(&stocks) })
    }

    pub(super) async fn translate(
        &self,
        asked: wire::TranslateArticleRequest,
    ) -> Result<wire::TranslateArticleResponse> {
        let signed = self.reading.signer.verify(&asked.sign, &asked.id, self.clock.now());
        let (id, source) = signed.ok_or_else(|| Error::of(ErrorCode::SignatureInvalid))?;
        let target = other(source);
        let mut article = self.shown(id, target).await?.item;
        if article.text.locale == target {
            let article = Some(self.read(article));
            return Ok(wire::TranslateArticleResponse { id, article, ..Default::default() });
        }
        let Some(translator) = &self.reading.translator else {
            let text = one_language(Locale::asked(&asked.locale)).to_owned();
            return Ok(wire::TranslateArticleResponse { id, text, ..Default::default() });
        };
        let made = translator.translate(&article.text, article.updated_at, target).await?;
        article.text.locale = target;
        article.text.title.clone_from(&made.title);
        article.text.summary.clone_from(&made.summary);
        article.text.body_html.clone_from(&made.body_html);
        let article = wire::Article { sign: String::new(), ..self.read(article) };
        Ok(wire::TranslateArticleResponse {
            id,
            article: Some(article),
            machine_translated: true,
            text: String::new(),
        })
    }

    pub(super) async fn withdraw(
        &self,
        asked: wire::WithdrawArticlesRequest,
    ) -> Result<wire::WithdrawArticlesResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids = self.store.withdraw(&asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawArticlesResponse { withdrawn_ids })
    }
}

fn other(locale: Locale) -> Locale {
    match locale {
        Locale::EnUs => Locale::ArSa,
        Locale::ArSa => Locale::EnUs,
    }
}

/// What is said where there is no translation.
fn one_language(locale: Locale) -> &'static str {
    match locale {
        Locale::EnUs => "Sorry, this article is only available in one language.",
        Locale::ArSa => "عذرًا، هذا المقال متاح بلغة واحدة فقط.",
    }
}
