/**
 * The product's constants that the browser uses. Times are milliseconds, lengths CSS pixels.
 * Two of the product's constants name nothing that this site does: a failed call is not tried again, so tries have no
 * delay; the app is opened without an iframe, so none is removed.
 */

/** A call's time limit, and the bounds of the one after a timeout. */
export const DEFAULT_TIMEOUT_MS = 10_000;
export const MIN_TIMEOUT_MS = 10_000;
export const MAX_TIMEOUT_MS = 15_000;
/** The next limit is this times what the last call took. */
export const TIMEOUT_MULTIPLIER = 1.5;

/** A failed chunk reloads the page at most once in this time. */
export const CHUNK_RELOAD_GUARD = 60_000;

/** Back-to-top appears past the viewport's height less this. */
export const BACK_TO_TOP_INSET = 400;
/** The home header turns light past the viewport's height less this. */
export const HEADER_THEME_INSET = 100;
/** How long what follows scrolling, the sticky header and resizing may lag behind. */
export const SCROLL_DEBOUNCE = 200;
export const STICKY_OBSERVER_DEBOUNCE = 100;
export const RESIZE_DEBOUNCE = 500;
/** A condition that nothing tells of is asked for so often. */
export const POLL_INTERVAL = 300;
export const POLL_ATTEMPTS = 20;
/** The slide-out menu's way in and out. */
export const MENU_CLOSE = 400;

export const SLIDE_IN_DURATION = 500;
export const SLIDE_IN_DISTANCE = 100;
export const SLIDE_IN_THRESHOLD = 0.05;

/** Links are prefetched after this much idle time; never on 2G or save-data. */
export const PREFETCH_IDLE = 2_000;

/** Above this width it is a PC. */
export const PC_BREAKPOINT = 768;
/** The root size: the width's part below the breakpoint, else so many pixels. */
export const ROOT_PARTS = 37.5;
export const ROOT_PC = 20;

/** Pages whose clicks and scrolling are counted, by the first part of their path. */
export const HEATMAP_PAGES = ['home', 'download', 'invest', 'news'] as const;

/** The kind of client that the website is in reports and checks. */
export const SELL_CLIENT = 10;
/** Saudi Arabia's telephone code, chosen first. */
export const TEL_CODE_DEFAULT = '966';
/** A Saudi mobile: so many digits, the first of them 5. */
export const SAUDI_MOBILE_DIGITS = 9;
/** Digits of a verification code. */
export const CODE_DIGITS = 6;
/** Characters of a password. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 20;
/** Campaigns: the regular one, Eid al-Adha, the national day. */
export const CAMPAIGN_REGULAR = 6666;
export const CAMPAIGN_EID = 901;
export const CAMPAIGN_NATIONAL_DAY = 923;

/** Characters of a share description before its ellipsis. */
export const SHARE_TEXT_LENGTH = 80;

/** Times on pages are Riyadh's. */
export const TIME_ZONE = 'Asia/Riyadh';

/** Success in the response envelope. */
export const CODE_SUCCESS = 10_000_000;
export const CODE_NOT_LOGGED_IN = 10_000_006;
export const CODE_SESSION_EXPIRED = 10_000_007;
export const CODE_SIGNATURE_INVALID = 10_030_001;
export const CODE_ARTICLE_NOT_FOUND = 20_390_030;
export const CODE_COURSE_NOT_FOUND = 20_360_014;
export const CODE_DOCUMENT_NOT_FOUND = 30_010_002;

/** Company facts. */
export const LICENCE_NUMBER = '22251-25';
export const CAPITAL_SAR = 93_750_000;
export const CAPITAL_BEFORE_SAR = 56_250_000;
export const COMPLAINT_BUSINESS_DAYS = 20;
/** Support's hours in Riyadh, Sunday to Thursday. */
export const SUPPORT_HOURS = { from: '9:30', to: '17:00' } as const;

/** Securities on one stream of quotes (design: api, `/hq/stream`). */
export const QUOTE_STREAM_CODES = 50;
/** A stream that the server refused is tried again after this. */
export const QUOTE_STREAM_REOPEN = 30_000;

/** A picture that may be uploaded: 500 KB to 5 MB. */
export const MIN_UPLOAD_KB = 500;
export const MAX_UPLOAD_MB = 5;

/** Address scheme that the app registers on phones; links into it begin `sahm://`. */
export const APP_SCHEME = 'sahm:';
/** How long a page waits for the app to open. */
export const APP_LAUNCH = 2_000;
