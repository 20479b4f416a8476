/** Constants of specification §9 that the browser uses. Times are milliseconds, lengths CSS pixels. */

/** A call's time limit, and the bounds of the one after a timeout (§9 'Timeouts'). */
export const TIMEOUT_DEFAULT = 10_000;
export const TIMEOUT_LEAST = 10_000;
export const TIMEOUT_MOST = 15_000;
/** The next limit is this times what the last call took (§7). */
export const TIMEOUT_MULTIPLIER = 1.5;

/** A failed chunk reloads the page at most once in this time (§9 'Chunk reload guard'). */
export const CHUNK_RELOAD_GUARD = 60_000;

/** Back-to-top appears past the viewport's height less this. */
export const BACK_TO_TOP_INSET = 400;
/** The home header turns light past the viewport's height less this. */
export const HEADER_THEME_INSET = 100;
export const SCROLL_DEBOUNCE = 200;
export const STICKY_OBSERVER_DEBOUNCE = 100;
export const RESIZE_DEBOUNCE = 500;
export const MENU_CLOSE = 400;

export const SLIDE_IN_DURATION = 500;
export const SLIDE_IN_DISTANCE = 100;
export const SLIDE_IN_THRESHOLD = 0.05;

/** Links are prefetched after this much idle time; never on 2G or save-data. */
export const PREFETCH_IDLE = 2_000;

/** Above this width it is a PC; below, the root size is width / 37.5 (§9). */
export const PC_BREAKPOINT = 768;

/** Articles on a page of news (§9). */
export const NEWS_PAGE_SIZE = 4;

/** Characters of a share description before its ellipsis (§5). */
export const SHARE_TEXT_LENGTH = 80;

/** §9. */
export const TIME_ZONE = 'Asia/Riyadh';

/** Success in the response envelope (§8). */
export const CODE_SUCCESS = 10_000_000;
export const CODE_NOT_LOGGED_IN = 10_000_006;
export const CODE_SESSION_EXPIRED = 10_000_007;
export const CODE_SIGNATURE_INVALID = 10_030_001;

/** Company facts (§9). */
export const LICENCE_NUMBER = '22251-25';
export const CAPITAL_SAR = 93_750_000;
export const CAPITAL_BEFORE_SAR = 56_250_000;
export const COMPLAINT_BUSINESS_DAYS = 20;
