//! The HTML around a page: `<html>`, `<head>`, `#root` and the page data (docs/pages.md).
//!
//! Rendered pages and shells share it, so that they have the same head.

use std::{fmt::Write as _, sync::LazyLock};

use sahm_proto::page::v1::{Frame, Head};

use crate::{
    site::{ShellText, Site},
    visitor::{Locale, Visitor},
};

/// The end of every document.
pub(super) const BODY_END: &str = "</body>\n</html>\n";

pub(crate) struct HtmlPage<'a> {
    pub site: &'a Site,
    pub visitor: Visitor,
    pub page: &'a str,
    pub frame: &'a Frame,
    pub payload: &'a str,
}

impl HtmlPage<'_> {
    /// A shell without [`BODY_END`], which the browser renders. Without JavaScript it shows a notice; the hidden text
    /// appears if the scripts fail to load.
    pub(crate) fn open_shell(&self) -> String {
        let head = self.head();
        let locale = self.visitor.locale;
        let ShellText { noscript, unavailable_text, home, .. } = self.site.shell(locale);
        self.open(&format!(
            "<main id=\"main\" data-shell><h1>{}</h1><noscript><p>{}</p></noscript>\
             <p hidden>{} <a href=\"{}\">{}</a></p></main>",
            escape(&head.title),
            escape(noscript),
            escape(unavailable_text),
            locale.prefix(),
            escape(home),
        ))
    }

    fn head(&self) -> &Head {
        static EMPTY_HEAD: LazyLock<Head> = LazyLock::new(Head::default);
        self.frame.head.as_ref().unwrap_or(&EMPTY_HEAD)
    }

    /// The page around the renderer's HTML without [`BODY_END`].
    pub(crate) fn open(&self, root: &str) -> String {
        let mut html = String::with_capacity(root.len() + self.payload.len() + 8_192);
        let locale = self.visitor.locale;
        // Writing to a String cannot fail.
        let _ = write!(
            html,
            "<!doctype html>\n<html lang=\"{}\" dir=\"{}\" data-platform=\"{}\" data-theme=\"{}\" \
             data-page=\"{}\" data-layout=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">\n",
            locale.tag(),
            locale.dir(),
            self.visitor.platform.as_str(),
            self.visitor.theme.as_str(),
            escape(self.page),
            escape(&self.frame.layout),
        );
        self.write_head(&mut html);
        self.write_assets(&mut html);
        let _ = write!(
            html,
            "</head>\n<body>\n<div id=\"root\">{root}</div>\n\
             <script type=\"application/json\" id=\"sahm-page\">{}</script>\n\
             <script src=\"{}\" defer></script>\n",
            script_json(self.payload),
            // The boot script again; it is fetched twice only if the first request failed.
            escape(&self.site.assets.scripts.boot),
        );
        html
    }

    fn write_head(&self, html: &mut String) {
        let head = self.head();
        let locale = self.visitor.locale;
        let (title, description) = (escape(&head.title), escape(&head.description));
        let _ = write!(
            html,
            "<title>{title}</title>\n<meta name=\"description\" content=\"{description}\">\n"
        );
        if head.noindex {
            html.push_str("<meta name=\"robots\" content=\"noindex\">\n");
        }
        if !head.canonical.is_empty() {
            let _ = writeln!(html, "<link rel=\"canonical\" href=\"{}\">", escape(&head.canonical));
        }
        for alternate in &head.alternates {
            let _ = writeln!(
                html,
                "<link rel=\"alternate\" hreflang=\"{}\" href=\"{}\">",
                escape(&alternate.hreflang),
                escape(&alternate.href)
            );
        }
        let mut open_graph = vec![
            ("og:title", head.title.as_str()),
            ("og:description", &head.description),
            ("og:type", &head.og_type),
            ("og:site_name", self.site.name(locale)),
            ("og:locale", if locale == Locale::ArSa { "ar_SA" } else { "en_US" }),
        ];
        if !head.canonical.is_empty() {
            open_graph.push(("og:url", &head.canonical));
        }
        if !head.og_image.is_empty() {
            open_graph.push(("og:image", &head.og_image));
        }
        for (property, content) in open_graph {
            let _ =
                writeln!(html, "<meta property=\"{property}\" content=\"{}\">", escape(content));
        }
        html.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\">\n");
        for object in &head.json_ld {
            let _ = writeln!(
                html,
                "<script type=\"application/ld+json\">{}</script>",
                script_json(object)
            );
        }
    }

    fn write_assets(&self, html: &mut String) {
        let locale = self.visitor.locale;
        let scripts = &self.site.assets.scripts;
        let _ = write!(
            html,
            // Delays the first paint until the markup is complete, which avoids layout shifts.
            "<link rel=\"expect\" href=\"#sahm-page\" blocking=\"render\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"theme-color\" content=\"#fbf8f2\" media=\"(prefers-color-scheme: light)\">\n\
             <meta name=\"theme-color\" content=\"#0b1529\" media=\"(prefers-color-scheme: dark)\">\n\
             <link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">\n\
             <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n\
             <link rel=\"apple-touch-icon\" href=\"/apple-touch-icon.png\">\n\
             <link rel=\"manifest\" href=\"/manifest.webmanifest\">\n\
             <script src=\"{}\"></script>\n",
            escape(&scripts.boot)
        );
        for font in self.site.fonts(locale) {
            let _ = writeln!(
                html,
                "<link rel=\"preload\" href=\"{}\" as=\"font\" type=\"font/woff2\" crossorigin>",
                escape(font)
            );
        }
        let assets = self.site.page_assets(self.page);
        for style in assets.iter().flat_map(|assets| &assets.styles) {
            let _ = writeln!(html, "<link rel=\"stylesheet\" href=\"{}\">", escape(style));
        }
        let messages = assets.and_then(|assets| assets.messages.get(locale.as_str()));
        let preload = assets.iter().flat_map(|assets| &assets.preload);
        // The boot script fetches them once the page is painted (frontend/src/app/page-scripts.ts).
        let page_scripts = serde_json::json!({
            "entry": scripts.entry,
            "preload": preload.chain(messages.into_iter().flatten()).collect::<Vec<_>>(),
            "prefetch": assets.map_or(&[][..], |assets| &assets.prefetch),
        });
        let _ = writeln!(
            html,
            "<script type=\"application/json\" id=\"sahm-scripts\">{}</script>",
            script_json(&page_scripts.to_string())
        );
    }
}

/// The static error page (503, 429, 400), which needs no script, style sheet or service. `message` replaces its text.
pub(crate) fn unavailable(site: &Site, visitor: Visitor, message: Option<&str>) -> String {
    let locale = visitor.locale;
    let ShellText { unavailable_title: title, unavailable_text: text, home, .. } =
        site.shell(locale);
    format!(
        "<!doctype html>\n<html lang=\"{lang}\" dir=\"{dir}\" data-platform=\"{platform}\" \
         data-theme=\"{theme}\" data-page=\"error\" data-layout=\"default\">\n<head>\n\
         <meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n<p>{text}</p>\n<p><a href=\"{prefix}\">{home}</a></p>\n\
         </main>\n</body>\n</html>\n",
        lang = locale.tag(),
        dir = locale.dir(),
        platform = visitor.platform.as_str(),
        theme = visitor.theme.as_str(),
        prefix = locale.prefix(),
        title = escape(title),
        text = escape(message.unwrap_or(text)),
        home = escape(home),
    )
}

/// Escapes text for element content and quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Escapes JSON for a `<script>`. `<` occurs only in strings, where `\u003c` is equivalent.
pub(super) fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_and_json_is_escaped() {
        assert_eq!(escape("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
        assert_eq!(
            script_json("{\"a\":\"</script><!--\u{2028}\"}"),
            "{\"a\":\"\\u003c/script>\\u003c!--\\u2028\"}"
        );
    }
}
