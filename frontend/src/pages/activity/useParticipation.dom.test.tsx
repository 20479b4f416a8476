import { expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { sessionStore } from '~/lib/session';
import { useParticipation } from './useParticipation';

function Probe() {
  return <p>{useParticipation('6666', 'en-us').participation.kind}</p>;
}

test('a member’s campaign is loaded once, also after the login check confirms the member', async () => {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    const body = JSON.stringify({ code: 10_000_000, data: { countryCode: 'SAU' } });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  });
  const page = await renderInPage(<Probe />, [], { member: { mid: '2' } });
  await vi.waitFor(() => expect(page.container.textContent).toBe('member'));
  const user = { opened: false, openedSaudi: false, hsNo: null, mid: '2', isObtainSns: false };
  sessionStore.update({ user: { ...user, logined: true } });
  page.rerender(<Probe />);
  expect(calls).toEqual([
    '/api/activity/member/assets-standard',
    '/api/activity/base/member-country-code',
  ]);
  sessionStore.update({ user: { ...user, logined: false } });
  await vi.waitFor(() => expect(page.container.textContent).toBe('visitor'));
});
