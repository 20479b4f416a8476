import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { sessionStore } from '~/lib/session';
import { AccountEntries } from './AccountEntries';

test('the Sahm ID is shown once the document’s own values are known', async () => {
  const page = await renderInPage(<AccountEntries className="" />, [], {
    member: { opened: true },
  });
  expect(page.container.textContent).not.toContain('SA-1');
  await act(async () => sessionStore.update({ documentHsNo: 'SA-1' }));
  expect(page.container.textContent).toContain('SA-1');
  sessionStore.update({ documentHsNo: undefined });
});
