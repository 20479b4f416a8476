//! Layout data: menu and footer in the page's locale, composed once per change of the configuration.

use std::{path::Path, sync::Arc};

use arc_swap::ArcSwapOption;
use sahm_proto::{
    Localize,
    config::v1::{
        GetDownloadInfoResponse, GetMenuResponse, GetUrlsResponse, GetWebConfigResponse,
        NavigationItem,
    },
    content::v1::{CollegeNavigationVo, GetNavigationResponse},
    page::v1::{Contact, LayoutData, MenuColumn, MenuItem},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::links::make_relative;
use crate::{canonical_paths, data_file::DataFile, visitor::Locale};

/// Key of the header item that gets the education section's categories as children.
const EDUCATION_KEY: &str = "education";

/// The responses of which layout data is composed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LayoutSources {
    pub(crate) menu: Arc<GetMenuResponse>,
    pub(crate) contact: Arc<GetWebConfigResponse>,
    pub(crate) stores: Arc<GetDownloadInfoResponse>,
    /// Addresses where accounts are opened and managed.
    pub(crate) addresses: Arc<GetUrlsResponse>,
    /// Categories and courses of the education section, for the menu.
    pub(crate) college: Arc<GetNavigationResponse>,
}

impl LayoutSources {
    /// Whether all parts are the same objects, and therefore equal.
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.menu, &other.menu)
            && Arc::ptr_eq(&self.contact, &other.contact)
            && Arc::ptr_eq(&self.stores, &other.stores)
            && Arc::ptr_eq(&self.addresses, &other.addresses)
            && Arc::ptr_eq(&self.college, &other.college)
    }
}

/// Layout data in both locales.
pub(crate) struct ComposedLayout {
    pub(crate) sources: LayoutSources,
    /// Whether this process loaded the sources; otherwise, an earlier run did.
    pub(crate) is_loaded: bool,
    layouts: [LayoutData; 2],
}

impl ComposedLayout {
    /// The layout data in a locale.
    pub(crate) fn of(&self, locale: Locale) -> LayoutData {
        self.layouts[locale as usize].clone()
    }
}

/// The latest layout data, in memory and on disk, so that pages can be built while config is unavailable, also by a
/// gateway that has just started. Clones share it.
#[derive(Clone)]
pub(crate) struct LayoutCache {
    latest: Arc<ArcSwapOption<ComposedLayout>>,
    file: DataFile,
    public_url: Arc<str>,
}

impl LayoutCache {
    /// Restores the layout data of an earlier run in `data_dir`, if there is one.
    pub(crate) fn open(data_dir: &Path, public_url: Arc<str>) -> Self {
        let file = DataFile::new(data_dir, "config.json");
        let cache = Self { latest: Arc::default(), file, public_url };
        if let Some(sources) = cache.file.read::<LayoutSources>() {
            cache.store(sources, false);
        }
        cache
    }

    pub(crate) fn latest(&self) -> Option<Arc<ComposedLayout>> {
        self.latest.load_full()
    }

    /// The layout data of loaded sources, composed and written to disk only if they differ from the latest ones.
    pub(crate) fn compose(&self, sources: LayoutSources) -> Arc<ComposedLayout> {
        let is_equal = |latest: &Arc<ComposedLayout>| {
            latest.sources.is_same(&sources) || latest.sources == sources
        };
        match self.latest().filter(is_equal) {
            Some(latest) if latest.is_loaded => latest,
            Some(_) => self.store(sources, true),
            None => {
                self.file.write_in_background(&sources);
                self.store(sources, true)
            }
        }
    }

    fn store(&self, sources: LayoutSources, is_loaded: bool) -> Arc<ComposedLayout> {
        let layouts = Locale::ALL.map(|locale| compose(&sources, &self.public_url, locale));
        let composed = Arc::new(ComposedLayout { sources, is_loaded, layouts });
        self.latest.store(Some(composed.clone()));
        composed
    }

    /// Whether this is the version of the locale's current layout data.
    pub(crate) fn is_current(&self, locale: Locale, version: &[u8]) -> bool {
        let latest = self.latest.load();
        latest
            .as_ref()
            .is_some_and(|latest| latest.layouts[locale as usize].version.as_bytes() == version)
    }
}

fn compose(sources: &LayoutSources, public_url: &str, locale: Locale) -> LayoutData {
    let mut menu = sources.menu.menu.clone().unwrap_or_default();
    let mut college = sources.college.navigation_vo_list.clone();
    make_relative(&mut menu.header, public_url);
    menu.localize(locale);
    for category in &mut college {
        category.localize(locale);
    }
    let items = &sources.contact.items;
    let value = |key: &str| {
        items.iter().find(|item| item.key == key).map(|item| item.value.clone()).unwrap_or_default()
    };
    let footer = menu.footer.into_iter().map(|column| MenuColumn {
        key: column.key,
        name: column.name,
        items: column.items.into_iter().map(menu_item).collect(),
    });
    let mut layout = LayoutData {
        version: String::new(),
        header: menu.header.into_iter().map(|item| header_item(item, &college)).collect(),
        footer: footer.collect(),
        social: menu.social,
        address: menu.address,
        address_url: menu.address_url,
        stores: sources.stores.items.clone(),
        contact: Some(Contact {
            whatsapp_url: value("SA_CUSTOMER_SERVICE_WHATSAPP"),
            phone: value("SA_CUSTOMER_SERVICE_PHONE"),
            email: value("SA_CUSTOMER_SERVICE_EMAIL"),
        }),
    };
    layout.version = version(&layout);
    layout
}

fn version(layout: &LayoutData) -> String {
    let json = serde_json::to_vec(layout).unwrap_or_default();
    let digest = Sha256::digest(&json);
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An item of the header. The children of "Education" are those in the configuration, then the categories, then the hot
/// item of the configuration or, without one, the last hot course.
fn header_item(item: NavigationItem, college: &[CollegeNavigationVo]) -> MenuItem {
    let is_education = item.key == EDUCATION_KEY;
    let mut item = menu_item(item);
    if is_education {
        let (mut hot, named): (Vec<_>, Vec<_>) =
            item.children.into_iter().partition(|child| child.badge == "hot");
        if hot.is_empty() {
            hot.extend(hot_course(college));
        }
        item.children =
            named.into_iter().chain(college.iter().map(category_item)).chain(hot).collect();
    }
    item
}

fn menu_item(item: NavigationItem) -> MenuItem {
    MenuItem {
        key: item.key,
        name: item.name,
        url: item.url,
        new_tab: item.target == "_blank",
        strong_badge: item.is_hot_label || item.badge == "hot",
        badge: item.badge,
        description: item.description,
        large: item.dropdown_item_size == "large",
        children: item.children.into_iter().map(menu_item).collect(),
    }
}

fn category_item(category: &CollegeNavigationVo) -> MenuItem {
    let CollegeNavigationVo { id, name, link, .. } = category;
    let url = if link.is_empty() { canonical_paths::category(*id) } else { link.clone() };
    MenuItem { key: format!("category-{id}"), name: name.clone(), url, ..MenuItem::default() }
}

fn hot_course(college: &[CollegeNavigationVo]) -> Option<MenuItem> {
    let course =
        college.iter().flat_map(|category| &category.course_vo_list).rfind(|course| course.hot)?;
    let url = if course.link.is_empty() {
        let path = canonical_paths::course(&course.slug, course.id);
        format!("{path}/{}?pageFrom=2", course.category_id)
    } else {
        course.link.clone()
    };
    Some(MenuItem {
        key: format!("course-{}", course.id),
        name: course.name.clone(),
        url,
        new_tab: course.external,
        badge: "hot".to_owned(),
        strong_badge: true,
        ..MenuItem::default()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sahm_proto::{
        config::v1::{FooterColumn, Menu},
        content::v1::CollegeCourseVo,
    };

    use super::*;

    fn item(key: &str, badge: &str, children: Vec<NavigationItem>) -> NavigationItem {
        NavigationItem {
            key: key.to_owned(),
            name: key.to_owned(),
            name_en: format!("{key} en"),
            name_sa: format!("{key} sa"),
            badge: badge.to_owned(),
            children,
            ..NavigationItem::default()
        }
    }

    fn sources(header: Vec<NavigationItem>, college: Vec<CollegeNavigationVo>) -> LayoutSources {
        let footer =
            vec![FooterColumn { name_sa: "عمود".to_owned(), ..FooterColumn::default() }];
        let menu = Some(Menu { header, footer, ..Menu::default() });
        LayoutSources {
            menu: GetMenuResponse { menu }.into(),
            college: GetNavigationResponse { navigation_vo_list: college, ..Default::default() }
                .into(),
            ..LayoutSources::default()
        }
    }

    fn college() -> Vec<CollegeNavigationVo> {
        let course = |id, hot| CollegeCourseVo {
            id,
            slug: if id == 111 { "research".to_owned() } else { String::new() },
            category_id: 6,
            name: format!("course {id}"),
            hot,
            external: true,
            ..CollegeCourseVo::default()
        };
        let category = |id, link: &str, courses| CollegeNavigationVo {
            id,
            name: format!("category {id}"),
            name_sa: format!("فئة {id}"),
            link: link.to_owned(),
            course_vo_list: courses,
            ..CollegeNavigationVo::default()
        };
        vec![
            category(1, "/education/category/basics", vec![course(11, true)]),
            category(6, "", vec![course(111, true), course(112, false)]),
        ]
    }

    fn children(header: Vec<NavigationItem>, college: Vec<CollegeNavigationVo>) -> Vec<MenuItem> {
        let layout = compose(&sources(header, college), "", Locale::EnUs);
        layout.header.into_iter().find(|item| item.key == "education").unwrap_or_default().children
    }

    #[test]
    fn education_item_has_categories_and_last_hot_course() {
        let header = vec![item("education", "", vec![item("home", "", Vec::new())])];
        let children = children(header, college());
        let keys: Vec<_> = children.iter().map(|child| &*child.key).collect();
        assert_eq!(keys, ["home", "category-1", "category-6", "course-111"]);
        assert_eq!(children[1].url, "/education/category/basics");
        assert_eq!(children[2].url, "/education/category/6");
        let hot = &children[3];
        assert_eq!(hot.url, "/education/course/research/6?pageFrom=2");
        assert!(hot.new_tab && hot.strong_badge && hot.badge == "hot");
    }

    #[test]
    fn education_item_without_content_has_config_children_only() {
        let header = vec![item("education", "", vec![item("home", "", Vec::new())])];
        assert_eq!(children(header, Vec::new()).len(), 1);
    }

    #[test]
    fn hot_item_of_config_comes_last_and_replaces_hot_course() {
        let named = vec![item("research", "hot", Vec::new()), item("home", "", Vec::new())];
        let children = children(vec![item("education", "", named)], college());
        let keys: Vec<_> = children.iter().map(|child| &*child.key).collect();
        assert_eq!(keys, ["home", "category-1", "category-6", "research"]);
    }

    #[test]
    fn layout_has_names_of_its_locale_only() {
        let header = vec![item("pricing", "new", Vec::new()), item("education", "", Vec::new())];
        let sources = sources(header, college());
        let [english, arabic] = Locale::ALL.map(|locale| compose(&sources, "", locale));
        assert_eq!(english.header[0].name, "pricing en");
        assert_eq!(arabic.header[0].name, "pricing sa");
        assert_eq!(arabic.header[1].children[0].name, "فئة 1");
        assert_eq!(arabic.footer[0].name, "عمود");
        assert!(!english.header[0].strong_badge);
    }

    #[tokio::test]
    async fn version_changes_with_content_and_locale() {
        let data = tempfile::tempdir().unwrap();
        let cache = LayoutCache::open(data.path(), "".into());
        let first = sources(vec![item("pricing", "", Vec::new())], Vec::new());
        assert!(!cache.is_current(Locale::EnUs, b""));
        let english = cache.compose(first.clone()).of(Locale::EnUs).version;
        let arabic = cache.compose(first.clone()).of(Locale::ArSa).version;
        let equal = LayoutSources { college: Arc::default(), ..first };
        assert_eq!(cache.compose(equal).of(Locale::EnUs).version, english);
        assert_ne!(english, arabic);
        assert!(cache.is_current(Locale::EnUs, english.as_bytes()));
        assert!(!cache.is_current(Locale::ArSa, english.as_bytes()));
        cache.compose(sources(Vec::new(), Vec::new()));
        assert!(!cache.is_current(Locale::EnUs, english.as_bytes()));
    }
}
