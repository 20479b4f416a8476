import { expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { dismissToast, toastStore } from '~/lib/toasts';
import { Invite } from './Invite';

const tab = {
  opener: null,
  document: document.implementation.createHTMLDocument(),
  location: { replace: vi.fn() },
  close: vi.fn(),
};

test.each([200, 503])(
  'a share opens its tab within the click; the calls answer %d',
  async (status) => {
    dismissToast();
    tab.location.replace.mockReset();
    tab.close.mockReset();
    const open = vi.fn(() => tab);
    vi.stubGlobal('open', open);
    const data = { inviteCode: 'X', url: 'https://sahm.example/i/X', text: 'Join' };
    const body = JSON.stringify({ code: status === 200 ? 10_000_000 : status, data });
    const headers = { 'content-type': 'application/json' };
    vi.stubGlobal('fetch', async () => new Response(body, { status, headers }));
    const invite = <Invite activityId="1" title="Campaign" onSessionEnded={async () => {}} />;
    const page = await renderInPage(invite, ['activity', 'share']);
    page.getByRole('button', { name: /WhatsApp/ }).click();
    expect(open).toHaveBeenCalledTimes(1);
    if (status === 200) {
      await vi.waitFor(() => expect(tab.location.replace).toHaveBeenCalledTimes(1));
      expect(tab.location.replace.mock.calls[0]?.[0]).toMatch(/^https:\/\/wa\.me\/\?text=/);
      expect(tab.close).not.toHaveBeenCalled();
    } else {
      await vi.waitFor(() => expect(tab.close).toHaveBeenCalledTimes(1));
      expect(toastStore.get()?.text).toContain('Service maintenance');
    }
  },
);
