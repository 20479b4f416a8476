import { useCallback, useEffect, useState } from 'react';
import { checkLogin } from '~/features/account/login';
import { useMember } from '~/features/account/useMember';
import {
  getAssetsStandard,
  getLotteryDrawInfo,
  getMemberCountryCode,
  type ResultOf,
} from '~/gen/operations';
import { ApiError, post } from '~/lib/api';
import type { Locale } from '~/lib/locale';

const CAMPAIGN_NATIONAL_DAY = 923;

type AssetsStandard = ResultOf<typeof getAssetsStandard>;
export type Ticket = ResultOf<typeof getLotteryDrawInfo>['tickets'][number];

/** The visitor's participation; `unknown` until loaded. */
export type Participation =
  | { kind: 'visitor' | 'unknown' | 'failed' }
  | { kind: 'member'; standing: AssetsStandard; tickets: Ticket[]; country: string };

/**
 * The member's data, loaded when the login is known: deposits and thresholds, tickets of the
 * national day, and the country whose rules apply. Only the first is required.
 */
export function useParticipation(activityId: string, locale: Locale) {
  const { logined, checked } = useMember();
  const [participation, setParticipation] = useState<Participation>({ kind: 'unknown' });

  const load = useCallback(async () => {
    try {
      const [standing, tickets, country] = await Promise.all([
        post(getAssetsStandard, { activityId }, { locale }),
        Number(activityId) === CAMPAIGN_NATIONAL_DAY ? ticketsOf(locale) : [],
        countryOf(locale),
      ]);
      setParticipation({ kind: 'member', standing, tickets, country });
    } catch (error) {
      const visitor = error instanceof ApiError && error.kind === 'login';
      setParticipation({ kind: visitor ? 'visitor' : 'failed' });
    }
  }, [activityId, locale]);

  /** A call reported an expired session: updates the whole page. */
  const onSessionEnded = useCallback(async () => {
    await checkLogin(locale);
    await load();
  }, [locale, load]);

  // A separate effect, so that the login check that confirms a member does not reload everything.
  useEffect(() => {
    if (logined) load();
  }, [logined, load]);
  useEffect(() => {
    if (checked && !logined) setParticipation({ kind: 'visitor' });
  }, [checked, logined]);

  return { participation, load, onSessionEnded };
}

async function ticketsOf(locale: Locale): Promise<Ticket[]> {
  try {
    return (await post(getLotteryDrawInfo, {}, { locale })).tickets;
  } catch {
    return [];
  }
}

async function countryOf(locale: Locale): Promise<string> {
  try {
    return (await post(getMemberCountryCode, {}, { locale })).countryCode;
  } catch {
    return '';
  }
}
