import type { ActivityPageJson } from '~/gen/sahm/page/v1/activity_pb';
import type {
  AboutPageJson,
  AppDeepLinkPageJson,
  BrandPageJson,
  DownloadPageJson,
  LoginPageJson,
  TermsPageJson,
} from '~/gen/sahm/page/v1/company_pb';
import type {
  CompanyNewsListPageJson,
  EducationArticlePageJson,
  EducationCategoryPageJson,
  EducationCoursePageJson,
  EducationPageJson,
} from '~/gen/sahm/page/v1/education_pb';
import type { InvestPageJson, PricingPageJson } from '~/gen/sahm/page/v1/invest_pb';
import type {
  ArticlePageJson,
  ErrorPageJson,
  FrameJson,
  HomePageJson,
  NewsListPageJson,
  NotFoundPageJson,
  NoticePageJson,
} from '~/gen/sahm/page/v1/page_pb';
import type { PreviewPageJson } from '~/gen/sahm/page/v1/preview_pb';
import type {
  SupportChannelPageJson,
  SupportDetailPageJson,
  SupportDocPageJson,
  SupportPageJson,
  SupportSearchPageJson,
} from '~/gen/sahm/page/v1/support_pb';
import type { Locale } from '~/lib/locale';

export type Platform = 'app' | 'mobile' | 'pc';
export type Theme = 'light' | 'dark' | 'auto';

/** Who is looking, as far as pages differ by it (docs/sessions.md). */
export interface Visitor {
  locale: Locale;
  platform: Platform;
  theme: Theme;
}

/** Any page document: canonical JSON of a message of `sahm.page.v1`. */
export type PageDocument =
  | HomePageJson
  | NewsListPageJson
  | ArticlePageJson
  | EducationPageJson
  | EducationCategoryPageJson
  | EducationCoursePageJson
  | EducationArticlePageJson
  | CompanyNewsListPageJson
  | LoginPageJson
  | AboutPageJson
  | AppDeepLinkPageJson
  | BrandPageJson
  | DownloadPageJson
  | TermsPageJson
  | SupportChannelPageJson
  | SupportDetailPageJson
  | SupportDocPageJson
  | SupportPageJson
  | SupportSearchPageJson
  | ActivityPageJson
  | NotFoundPageJson
  | NoticePageJson
  | InvestPageJson
  | PricingPageJson
  | PreviewPageJson
  | ErrorPageJson;

/** What the server's HTML is made from, and the first client render again. */
export interface PagePayload {
  /** The build that made the page. */
  build: string;
  /** Id of the route table, or `error`. */
  page: string;
  visitor: Visitor;
  /** Site path with locale prefix and declared query; empty where the path matched no route. */
  url: string;
  document: PageDocument;
  /** The server could not render: the browser renders instead of hydrating. */
  shell?: true;
  /** The site runs in production: only there are errors reported. */
  production?: true;
}

/** Headers of a request for page data: the response omits layout data of the version named here. */
export function dataHeaders({ layoutData }: FrameJson): Record<string, string> {
  const { version } = layoutData ?? {};
  return { accept: 'application/json', ...(version && { 'x-layout-version': version }) };
}

/** The frame of a payload's document; an empty one where it is missing. */
export function frameOf(payload: PagePayload): FrameJson {
  return payload.document.frame ?? {};
}
