import { beforeEach, expect, test, vi } from 'vitest';
import { openPendingTab } from '~/lib/links/pending-tab';
import { renderInPage } from '~/lib/page/render-in-page';
import { dismissToast, toastStore } from '~/lib/toasts';
import { AccountEntries } from './AccountEntries';

const replace = vi.fn();
const tab = {
  opener: window as unknown,
  closed: false,
  document: document.implementation.createHTMLDocument(),
  location: { replace },
  close: vi.fn(),
};
const open = vi.fn();
let page: Awaited<ReturnType<typeof renderInPage>>;

beforeEach(async () => {
  vi.stubGlobal('open', open.mockReset().mockReturnValue(tab));
  replace.mockReset();
  tab.close.mockReset();
  dismissToast();
  const member = { opened: true, openedSaudi: true, hsNo: 'SA-1', mid: '7' };
  page = await renderInPage(<AccountEntries className="" />, [], { member });
});

/** Sets the response of the login call; reports are accepted. */
function answer(status: number, data: unknown) {
  const body = { code: status === 200 ? 10_000_000 : status, msg: '', data };
  const init = { status, headers: { 'content-type': 'application/json' } };
  const reply = vi.fn(async (_path: string) => new Response(JSON.stringify(body), init));
  vi.stubGlobal('fetch', reply);
  return reply;
}

test('Register Tadawul opens its tab within the click, then shows the address', async () => {
  answer(200, { url: 'https://tadawul.example/login' });
  page.getByRole('button', { name: /Register Tadawul/ }).click();
  expect(open).toHaveBeenCalledTimes(1);
  expect(tab.opener).toBeNull();
  await vi.waitFor(() => expect(replace).toHaveBeenCalledWith('https://tadawul.example/login'));
  expect(tab.close).not.toHaveBeenCalled();
});

test('Register Tadawul that fails closes the tab and shows a message', async () => {
  answer(503, null);
  page.getByRole('button', { name: /Register Tadawul/ }).click();
  await vi.waitFor(() => expect(tab.close).toHaveBeenCalledTimes(1));
  expect(toastStore.get()?.text).toBe('Service maintenance in progress, please try again later.');
  expect(replace).not.toHaveBeenCalled();
});

test('an address is shown in this tab where the browser opens none', () => {
  open.mockReturnValue(null);
  const here = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  const pending = openPendingTab('Loading');
  pending.show('https://tadawul.example/login');
  pending.close();
  expect(here).toHaveBeenCalledWith('https://tadawul.example/login');
});
