// Made by npm run gen from the protos; do not edit.
import type { GetCampaignInfoRequestJson, GetCampaignInfoResponseJson, GetCampaignRequestJson, GetCampaignResponseJson, GetCustomInfoRequestJson, GetCustomInfoResponseJson, ListCampaignRulesRequestJson, ListCampaignRulesResponseJson, ListGccRulesRequestJson, ListGccRulesResponseJson } from './sahm/activity/v1/campaign_pb';
import type { GetLotteryDrawInfoRequestJson, GetLotteryDrawInfoResponseJson } from './sahm/activity/v1/draw_pb';
import type { CheckInviteCodeRequestJson, CheckInviteCodeResponseJson, CreateShortChainRequestJson, CreateShortChainResponseJson, GetShareValueRequestJson, GetShareValueResponseJson } from './sahm/activity/v1/invitation_pb';
import type { GetAssetsStandardRequestJson, GetAssetsStandardResponseJson, GetMemberCountryCodeRequestJson, GetMemberCountryCodeResponseJson, JoinCampaignRequestJson, JoinCampaignResponseJson } from './sahm/activity/v1/participant_pb';
import type { ReportEventRequestJson, ReportEventResponseJson } from './sahm/attribution/v1/events_pb';
import type { GetAppConfigRequestJson, GetAppConfigResponseJson, GetCommonConfigRequestJson, GetCommonConfigResponseJson, GetDownloadInfoRequestJson, GetDownloadInfoResponseJson, GetDownloadLinkInfoRequestJson, GetDownloadLinkInfoResponseJson, GetIpInfoRequestJson, GetIpInfoResponseJson, GetMenuRequestJson, GetMenuResponseJson, GetUrlsRequestJson, GetUrlsResponseJson, GetWebConfigRequestJson, GetWebConfigResponseJson, ListCountriesRequestJson, ListCountriesResponseJson, ListTelCodesRequestJson, ListTelCodesResponseJson } from './sahm/config/v1/config_pb';
import type { AddCollegeArticleLikeRequestJson, AddCollegeArticleLikeResponseJson, AddCollegeArticleReadLogRequestJson, AddCollegeArticleReadLogResponseJson, CancelCollegeArticleLikeRequestJson, CancelCollegeArticleLikeResponseJson, GetCollegeArticleRequestJson, GetCollegeArticleResponseJson, GetCollegeBreadcrumbRequestJson, GetCollegeBreadcrumbResponseJson, GetCollegeVideoRequestJson, GetCollegeVideoResponseJson, GetCourseRequestJson, GetCourseResponseJson, GetHomeRequestJson, GetHomeResponseJson, GetNavigationRequestJson, GetNavigationResponseJson, ListCollegeArticlesRequestJson, ListCollegeArticlesResponseJson, ListCompanyArticlesRequestJson, ListCompanyArticlesResponseJson, ListCoursesRequestJson, ListCoursesResponseJson, ListModulesRequestJson, ListModulesResponseJson, ListRecommendedArticlesRequestJson, ListRecommendedArticlesResponseJson, UploadCollegeVideoResultRequestJson, UploadCollegeVideoResultResponseJson } from './sahm/content/v1/college_pb';
import type { ListFlashNewsRequestJson, ListFlashNewsResponseJson } from './sahm/content/v1/flash_pb';
import type { GetHelpBreadcrumbRequestJson, GetHelpBreadcrumbResponseJson, GetHelpChannelRequestJson, GetHelpChannelResponseJson, GetHelpChannelTreeRequestJson, GetHelpChannelTreeResponseJson, GetHelpClassificationRequestJson, GetHelpClassificationResponseJson, GetHelpDocumentRequestJson, GetHelpDocumentResponseJson, GetHelpSeoInfoRequestJson, GetHelpSeoInfoResponseJson, ListCommonQuestionsRequestJson, ListCommonQuestionsResponseJson, SearchHelpRequestJson, SearchHelpResponseJson } from './sahm/content/v1/help_pb';
import type { BatchListPositionImagesRequestJson, BatchListPositionImagesResponseJson, ListPositionImagesRequestJson, ListPositionImagesResponseJson } from './sahm/content/v1/images_pb';
import type { AddArticleReadLogRequestJson, AddArticleReadLogResponseJson, BatchGetArticlesRequestJson, BatchGetArticlesResponseJson, GetArticleRequestJson, GetArticleResponseJson, ListArticlesRequestJson, ListArticlesResponseJson, ListLikesRequestJson, ListLikesResponseJson, ListRecommendedNewsRequestJson, ListRecommendedNewsResponseJson, ListRelatedStocksRequestJson, ListRelatedStocksResponseJson, ListTabArticlesRequestJson, ListTabArticlesResponseJson, ListTabsRequestJson, ListTabsResponseJson, ListUnreadRequestJson, ListUnreadResponseJson, OperateLikeRequestJson, OperateLikeResponseJson, TranslateArticleRequestJson, TranslateArticleResponseJson } from './sahm/content/v1/news_pb';
import type { ListNewsVideosRequestJson, ListNewsVideosResponseJson } from './sahm/content/v1/news_videos_pb';
import type { SubmitFeedbackResponseJson } from './sahm/identity/v1/feedback_pb';
import type { GetApplyProgressRequestJson, GetApplyProgressResponseJson, GetTadawulLoginUrlRequestJson, GetTadawulLoginUrlResponseJson } from './sahm/identity/v1/member_pb';
import type { AssessRecaptchaRequestJson, AssessRecaptchaResponseJson, CheckMemberRequestJson, CheckMemberResponseJson, CheckRecaptchaRequestJson, CheckRecaptchaResponseJson, LoginByPasswordRequestJson, LoginByPasswordResponseJson, LoginBySmsRequestJson, LoginBySmsResponseJson, LogoutRequestJson, LogoutResponseJson, SendAuthCodeRequestJson, SendAuthCodeResponseJson, SetPasswordRequestJson, SetPasswordResponseJson, UseAuthCodeRequestJson, UseAuthCodeResponseJson } from './sahm/identity/v1/passport_pb';
import type { GetAnnouncementRequestJson, GetAnnouncementResponseJson } from './sahm/quotes/v1/announcements_pb';
import type { BatchGetQuotesByTypeRequestJson, BatchGetQuotesByTypeResponseJson, BatchGetQuotesRequestJson, BatchGetQuotesResponseJson, BatchGetSaudiQuotesRequestJson, BatchGetSaudiQuotesResponseJson, BatchGetUsQuotesRequestJson, BatchGetUsQuotesResponseJson, StreamQuotesRequestJson, StreamQuotesResponseJson } from './sahm/quotes/v1/quotes_pb';

declare const types: unique symbol;

/** A result as REST sends it: with its default values; absent messages and optional fields are null. */
export type Result<Message, Optional = never> = {
  [Field in keyof Message]-?: Field extends Optional
    ? NonNullable<Message[Field]> | null
    : NonNullable<Message[Field]> extends (infer Item extends object)[]
      ? Result<Item>[]
      : NonNullable<Message[Field]> extends string | number | boolean | string[]
        ? NonNullable<Message[Field]>
        : NonNullable<Message[Field]> | null;
};

/** The path of a REST call below `/api`, with the types of its parameters and its result. */
export type Operation<Request, Response> = string & { readonly [types]: [Request, Response] };

export type ResultOf<O> = O extends Operation<infer _, infer Response> ? Response : never;

export const addArticleReadLog = '/news/content/log/add' as Operation<AddArticleReadLogRequestJson, Result<AddArticleReadLogResponseJson>>;
export const addCollegeArticleLike = '/college/article/like/add' as Operation<AddCollegeArticleLikeRequestJson, Result<AddCollegeArticleLikeResponseJson>>;
export const addCollegeArticleReadLog = '/college/log/add' as Operation<AddCollegeArticleReadLogRequestJson, Result<AddCollegeArticleReadLogResponseJson>>;
export const assessRecaptcha = '/passport/recaptcha/assess' as Operation<AssessRecaptchaRequestJson, Result<AssessRecaptchaResponseJson>>;
export const batchGetArticles = '/news/content/list-by-ids' as Operation<BatchGetArticlesRequestJson, Result<BatchGetArticlesResponseJson>>;
export const batchGetQuotes = '/hq/querySimpleBySecurityCodes' as Operation<BatchGetQuotesRequestJson, Result<BatchGetQuotesResponseJson>>;
export const batchGetQuotesByType = '/hq/batch/querySimpleBySecurityCodes' as Operation<BatchGetQuotesByTypeRequestJson, Result<BatchGetQuotesByTypeResponseJson>>;
export const batchGetSaudiQuotes = '/stock/querySimpleBySecurityCodes' as Operation<BatchGetSaudiQuotesRequestJson, Result<BatchGetSaudiQuotesResponseJson>>;
export const batchGetUsQuotes = '/us/querySimpleBySecurityCodes' as Operation<BatchGetUsQuotesRequestJson, Result<BatchGetUsQuotesResponseJson>>;
export const batchListPositionImages = '/cms/position/images/batch/v2' as Operation<BatchListPositionImagesRequestJson, Result<BatchListPositionImagesResponseJson>>;
export const cancelCollegeArticleLike = '/college/article/like/cancel' as Operation<CancelCollegeArticleLikeRequestJson, Result<CancelCollegeArticleLikeResponseJson>>;
export const checkInviteCode = '/activity/invite-code/check-validity' as Operation<CheckInviteCodeRequestJson, Result<CheckInviteCodeResponseJson>>;
export const checkMember = '/passport/member/check' as Operation<CheckMemberRequestJson, Result<CheckMemberResponseJson, 'id' | 'hsNo' | 'mid'>>;
export const checkRecaptcha = '/passport/auth-code/check-recaptcha' as Operation<CheckRecaptchaRequestJson, Result<CheckRecaptchaResponseJson>>;
export const createShortChain = '/activity/short-chain/create/invite-code' as Operation<CreateShortChainRequestJson, Result<CreateShortChainResponseJson, 'id'>>;
export const getAnnouncement = '/hq/iisnews/detail/{id}' as Operation<GetAnnouncementRequestJson, Result<GetAnnouncementResponseJson>>;
export const getAppConfig = '/config/rest/app-config/multi-value' as Operation<GetAppConfigRequestJson, Result<GetAppConfigResponseJson>>;
export const getApplyProgress = '/openaccount/account/apply-progress' as Operation<GetApplyProgressRequestJson, Result<GetApplyProgressResponseJson>>;
export const getArticle = '/news/content/detail' as Operation<GetArticleRequestJson, Result<GetArticleResponseJson>>;
export const getAssetsStandard = '/activity/member/assets-standard' as Operation<GetAssetsStandardRequestJson, Result<GetAssetsStandardResponseJson, 'id'>>;
export const getCampaign = '/activity/regular/config' as Operation<GetCampaignRequestJson, Result<GetCampaignResponseJson>>;
export const getCampaignInfo = '/activity/base/info' as Operation<GetCampaignInfoRequestJson, Result<GetCampaignInfoResponseJson>>;
export const getCollegeArticle = '/college/article/detail' as Operation<GetCollegeArticleRequestJson, Result<GetCollegeArticleResponseJson>>;
export const getCollegeBreadcrumb = '/college/os/bread/crumb' as Operation<GetCollegeBreadcrumbRequestJson, Result<GetCollegeBreadcrumbResponseJson>>;
export const getCollegeVideo = '/college/video/get-video-by-id' as Operation<GetCollegeVideoRequestJson, Result<GetCollegeVideoResponseJson>>;
export const getCommonConfig = '/config/rest/common' as Operation<GetCommonConfigRequestJson, Result<GetCommonConfigResponseJson>>;
export const getCourse = '/college/course/detail' as Operation<GetCourseRequestJson, Result<GetCourseResponseJson>>;
export const getCustomInfo = '/activity/base/custom-info' as Operation<GetCustomInfoRequestJson, Result<GetCustomInfoResponseJson>>;
export const getDownloadInfo = '/config/app/download-info' as Operation<GetDownloadInfoRequestJson, Result<GetDownloadInfoResponseJson>>;
export const getDownloadLinkInfo = '/config/app/download-link-info' as Operation<GetDownloadLinkInfoRequestJson, Result<GetDownloadLinkInfoResponseJson>>;
export const getHelpBreadcrumb = '/help/breadcrumb/content' as Operation<GetHelpBreadcrumbRequestJson, Result<GetHelpBreadcrumbResponseJson>>;
export const getHelpChannel = '/help/channel/sub' as Operation<GetHelpChannelRequestJson, Result<GetHelpChannelResponseJson>>;
export const getHelpChannelTree = '/help/channel/tree' as Operation<GetHelpChannelTreeRequestJson, Result<GetHelpChannelTreeResponseJson>>;
export const getHelpClassification = '/help/getHelpClassification' as Operation<GetHelpClassificationRequestJson, Result<GetHelpClassificationResponseJson>>;
export const getHelpDocument = '/help/rest/doc/{id}/contentV2' as Operation<GetHelpDocumentRequestJson, Result<GetHelpDocumentResponseJson>>;
export const getHelpSeoInfo = '/help/page/seo-info' as Operation<GetHelpSeoInfoRequestJson, Result<GetHelpSeoInfoResponseJson>>;
export const getHome = '/college/os/home/page' as Operation<GetHomeRequestJson, Result<GetHomeResponseJson>>;
export const getIpInfo = '/basic/ipInfo' as Operation<GetIpInfoRequestJson, Result<GetIpInfoResponseJson>>;
export const getLotteryDrawInfo = '/activity/national-day/lottery-draw-info' as Operation<GetLotteryDrawInfoRequestJson, Result<GetLotteryDrawInfoResponseJson, 'id'>>;
export const getMemberCountryCode = '/activity/base/member-country-code' as Operation<GetMemberCountryCodeRequestJson, Result<GetMemberCountryCodeResponseJson>>;
export const getMenu = '/config/rest/menu' as Operation<GetMenuRequestJson, Result<GetMenuResponseJson>>;
export const getNavigation = '/college/os/navigation/list' as Operation<GetNavigationRequestJson, Result<GetNavigationResponseJson>>;
export const getShareValue = '/activity/anniversary/share/value' as Operation<GetShareValueRequestJson, Result<GetShareValueResponseJson>>;
export const getTadawulLoginUrl = '/openaccount/getTadawulLoginUrl' as Operation<GetTadawulLoginUrlRequestJson, Result<GetTadawulLoginUrlResponseJson>>;
export const getUrls = '/config/rest/urls' as Operation<GetUrlsRequestJson, Result<GetUrlsResponseJson>>;
export const getWebConfig = '/config/rest/web' as Operation<GetWebConfigRequestJson, Result<GetWebConfigResponseJson>>;
export const joinCampaign = '/activity/invite/join' as Operation<JoinCampaignRequestJson, Result<JoinCampaignResponseJson, 'id'>>;
export const listArticles = '/news/content/info/list' as Operation<ListArticlesRequestJson, Result<ListArticlesResponseJson>>;
export const listCampaignRules = '/activity/base/rule' as Operation<ListCampaignRulesRequestJson, Result<ListCampaignRulesResponseJson, 'id'>>;
export const listCollegeArticles = '/college/article/list' as Operation<ListCollegeArticlesRequestJson, Result<ListCollegeArticlesResponseJson>>;
export const listCommonQuestions = '/help/content/commonQA' as Operation<ListCommonQuestionsRequestJson, Result<ListCommonQuestionsResponseJson>>;
export const listCompanyArticles = '/college/company/article/list' as Operation<ListCompanyArticlesRequestJson, Result<ListCompanyArticlesResponseJson>>;
export const listCountries = '/base/countries' as Operation<ListCountriesRequestJson, Result<ListCountriesResponseJson>>;
export const listCourses = '/college/course/list' as Operation<ListCoursesRequestJson, Result<ListCoursesResponseJson>>;
export const listFlashNews = '/news/flash/list' as Operation<ListFlashNewsRequestJson, Result<ListFlashNewsResponseJson>>;
export const listGccRules = '/activity/base/gcc/rule-list' as Operation<ListGccRulesRequestJson, Result<ListGccRulesResponseJson, 'id'>>;
export const listLikes = '/news/like/list' as Operation<ListLikesRequestJson, Result<ListLikesResponseJson>>;
export const listModules = '/college/os/module/list' as Operation<ListModulesRequestJson, Result<ListModulesResponseJson>>;
export const listNewsVideos = '/news/video/list' as Operation<ListNewsVideosRequestJson, Result<ListNewsVideosResponseJson>>;
export const listPositionImages = '/cms/position/images/v2' as Operation<ListPositionImagesRequestJson, Result<ListPositionImagesResponseJson>>;
export const listRecommendedArticles = '/college/recommend/list' as Operation<ListRecommendedArticlesRequestJson, Result<ListRecommendedArticlesResponseJson>>;
export const listRecommendedNews = '/news/content/recommend/list' as Operation<ListRecommendedNewsRequestJson, Result<ListRecommendedNewsResponseJson>>;
export const listRelatedStocks = '/news/content/relative/stock' as Operation<ListRelatedStocksRequestJson, Result<ListRelatedStocksResponseJson>>;
export const listTabArticles = '/news/tab/content/list' as Operation<ListTabArticlesRequestJson, Result<ListTabArticlesResponseJson>>;
export const listTabs = '/news/tab/list' as Operation<ListTabsRequestJson, Result<ListTabsResponseJson>>;
export const listTelCodes = '/basic/country/tel-codes' as Operation<ListTelCodesRequestJson, Result<ListTelCodesResponseJson>>;
export const listUnread = '/news/tab/unread' as Operation<ListUnreadRequestJson, Result<ListUnreadResponseJson>>;
export const loginByPassword = '/passport/password/login' as Operation<LoginByPasswordRequestJson, Result<LoginByPasswordResponseJson>>;
export const loginBySms = '/passport/sms/login' as Operation<LoginBySmsRequestJson, Result<LoginBySmsResponseJson, 'signedUp'>>;
export const logout = '/passport/logout' as Operation<LogoutRequestJson, Result<LogoutResponseJson>>;
export const operateLike = '/news/like/operate' as Operation<OperateLikeRequestJson, Result<OperateLikeResponseJson>>;
export const reportEvent = '/event-report/report' as Operation<ReportEventRequestJson, Result<ReportEventResponseJson>>;
export const searchHelp = '/help/m/search' as Operation<SearchHelpRequestJson, Result<SearchHelpResponseJson>>;
export const sendAuthCode = '/passport/auth-code/send' as Operation<SendAuthCodeRequestJson, Result<SendAuthCodeResponseJson>>;
export const setPassword = '/passport/password/set' as Operation<SetPasswordRequestJson, Result<SetPasswordResponseJson>>;
export const streamQuotes = '/hq/stream' as Operation<StreamQuotesRequestJson, Result<StreamQuotesResponseJson>>;
export const submitFeedback = '/woms/feedback/submit' as Operation<FormData, Result<SubmitFeedbackResponseJson>>;
export const translateArticle = '/news/content/translate' as Operation<TranslateArticleRequestJson, Result<TranslateArticleResponseJson>>;
export const uploadCollegeVideoResult = '/college/video/view-result/upload' as Operation<UploadCollegeVideoResultRequestJson, Result<UploadCollegeVideoResultResponseJson>>;
export const useAuthCode = '/passport/auth-code/use' as Operation<UseAuthCodeRequestJson, Result<UseAuthCodeResponseJson>>;
export const reportLog = '/log/report' as Operation<{ build?: string; message: string; stack?: string; url?: string }, { accepted: boolean }>;
