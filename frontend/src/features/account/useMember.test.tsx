// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { AccountEntries } from './AccountEntries';
import { changeSession } from './session';

afterEach(() => vi.unstubAllGlobals());

test('the Sahm ID is shown once the document’s own values are known', async () => {
  const page = await renderInPage(<AccountEntries className="" />, [], {
    member: { opened: true },
  });
  expect(page.container.textContent).not.toContain('SA-1');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await act(async () => changeSession({ documentHsNo: 'SA-1' }));
  expect(page.container.textContent).toContain('SA-1');
  page.unmount();
  changeSession({ documentHsNo: undefined });
});
