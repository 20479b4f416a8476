import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EmptyState } from './EmptyState';

test.each([
  [undefined, 'empty'],
  [503, 'error'],
  [0, 'no-network'],
])('what an answer %s leaves empty is marked %s', (httpStatus, status) => {
  const html = renderToStaticMarkup(<EmptyState title="Nothing" httpStatus={httpStatus} />);
  expect(html).toContain(`data-status="${status}"`);
});
