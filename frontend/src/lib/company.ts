/** The company's facts that texts name. */
export const LICENCE_NUMBER = '22251-25';
export const CAPITAL_SAR = 93_750_000;
export const CAPITAL_BEFORE_SAR = 56_250_000;
export const COMPLAINT_BUSINESS_DAYS = 20;
/** Support's hours in Riyadh, Sunday to Thursday. */
export const SUPPORT_HOURS = { from: '9:30', to: '17:00' } as const;
