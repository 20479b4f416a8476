import { useEffect } from 'react';
import { Toaster } from '~/app/layouts/Toaster';
import { checkLogin } from '~/features/account/login';
import { loadProgress } from '~/features/account/progress';
import { useMember } from '~/features/account/useMember';
import { InAppGuide } from '~/features/in-app-guide/InAppGuide';
import { startHeatmap } from '~/lib/analytics/heatmap';
import { flushQueue, report } from '~/lib/analytics/report';
import { takeVisit } from '~/lib/analytics/visit';
import { native } from '~/lib/bridge/bridge';
import type { Locale } from '~/lib/locale';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';
import { documentMember, isExpired, restoreSeedAbort, sessionStore } from '~/lib/session';
import { onFirstVisible } from '~/lib/viewport';

/** Reporting, checks and overlays of every page. The server renders none of them. */
export function ClientEffects() {
  return useHydrated() && <Effects />;
}

function Effects() {
  const { locale, platform } = usePage();
  useLoginCheck(locale);
  useReports(locale);
  useNativeTitle(platform === 'app');
  useSystemTheme(platform === 'app');
  return (
    <>
      <Toaster />
      <InAppGuide />
      {/* Screen readers miss a text that is inserted together with its live region. */}
      <div id="sahm-announcer" aria-live="polite" className="visually-hidden" />
    </>
  );
}

/** Checks the login on load, and on navigations after it has expired. */
function useLoginCheck(locale: Locale) {
  const { logined } = useMember();
  useEffect(() => {
    const { mid, hsNo } = documentMember();
    sessionStore.update({ documentMid: mid, documentHsNo: hsNo });
  }, []);
  useEffect(() => {
    restoreSeedAbort();
    const check = () => {
      if (isExpired(Date.now(), sessionStore.get())) checkLogin(locale);
    };
    check();
    window.addEventListener('sahm:navigated', check);
    return () => window.removeEventListener('sahm:navigated', check);
  }, [locale]);
  useEffect(() => {
    if (logined) loadProgress(locale);
  }, [logined, locale]);
}

/** The footer's first view is reported once for each document. */
let footerSeen = false;

function useReports(locale: Locale) {
  useEffect(() => {
    const pageNow = () => document.documentElement.dataset.page ?? '';
    flushQueue(locale);
    const visit = takeVisit(pageNow());
    if (visit) report('visit', locale, visit);

    let giveUp = () => {};
    const watchFooter = () => {
      giveUp();
      if (footerSeen) return;
      giveUp = onFirstVisible(document.querySelector('[data-chrome="footer"]'), () => {
        footerSeen = true;
        report('footer_exposure', locale, { page: pageNow() });
      });
    };
    watchFooter();
    window.addEventListener('sahm:navigated', watchFooter);
    const stop = startHeatmap(pageNow, (value) => report('heatmap', locale, value));
    return () => {
      giveUp();
      stop();
      window.removeEventListener('sahm:navigated', watchFooter);
    };
  }, [locale]);
}

/** Shows the page's title in the app's title bar. */
function useNativeTitle(inApp: boolean) {
  useEffect(() => {
    if (!inApp) return;
    const tell = () => native(window, 'title', { title: document.title });
    tell();
    window.addEventListener('sahm:navigated', tell);
    return () => window.removeEventListener('sahm:navigated', tell);
  }, [inApp]);
}

/** Follows the system's colour scheme outside the app. */
function useSystemTheme(inApp: boolean) {
  useEffect(() => {
    if (inApp) return;
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const follow = () => {
      document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
    };
    // The theme may have changed since the document was cached; CSS follows the system for `auto`.
    if (document.documentElement.dataset.theme !== 'auto') follow();
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, [inApp]);
}
