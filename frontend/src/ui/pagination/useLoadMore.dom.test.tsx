import { beforeEach, expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { LoadMore } from './LoadMore';
import { useLoadMore } from './useLoadMore';

interface Item {
  id: string;
}

function List({ ids }: { ids: string[] }) {
  const first = { items: ids.map((id) => ({ id })), nextCursor: 'next' };
  const { items, link, linkRef } = useLoadMore<Item, { ids: string[] }>(first, ({ ids }) => ({
    items: ids.map((id) => ({ id })),
    nextCursor: '',
  }));
  return (
    <>
      {items.map((item) => (
        <a key={item.id} ref={linkRef(item)} href="/x" className="item">
          {item.id}
        </a>
      ))}
      <button type="button" onClick={link.onMore}>
        More
      </button>
      <LoadMore
        link={link}
        texts={{ more: '', loading: '', end: '', loaded: (count) => `${count} loaded` }}
      />
    </>
  );
}

let page: Awaited<ReturnType<typeof renderInPage>>;
const show = async (...ids: string[]) => {
  page = await renderInPage(<List ids={ids} />, []);
};
const shown = () =>
  [...page.container.querySelectorAll('.item')].map(({ textContent }) => textContent);

beforeEach(() => {
  window.history.replaceState({ key: 'a' }, '');
  vi.stubGlobal('fetch', async () => Response.json({ document: { ids: ['2', '3'] } }));
});

test('loaded items are appended, and the first of them gets the focus', async () => {
  await show('1', '2');
  page.getByRole('button', { name: /More/ }).click();
  await vi.waitFor(() => expect(shown()).toEqual(['1', '2', '3']));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('2'));
});

test('the list of a history entry keeps its length behind new items', async () => {
  await show('1', '2');
  page.getByRole('button', { name: /More/ }).click();
  await vi.waitFor(() => expect(shown()).toHaveLength(3));
  await vi.waitFor(() => expect(window.history.state.more).toBeDefined());
  expect(window.history.state.key).toBe('a');
  await show('0', '1', '2');
  expect(shown()).toEqual(['0', '1', '2', '3']);
});

test('another history entry starts with its first page', async () => {
  await show('1', '2');
  page.getByRole('button', { name: /More/ }).click();
  await vi.waitFor(() => expect(window.history.state.more).toBeDefined());
  window.history.pushState({ key: 'b' }, '');
  await show('1', '2');
  expect(shown()).toEqual(['1', '2']);
});

test.each([
  {
    name: 'without a network',
    respond: () => Promise.reject(new TypeError('x')),
    text: 'Poor network',
  },
  {
    name: 'after a timeout',
    respond: () => Promise.reject(new DOMException('x', 'TimeoutError')),
    text: 'Poor network',
  },
  {
    name: 'status 429',
    respond: async () => new Response('{}', { status: 429 }),
    text: 'Service maintenance',
  },
  {
    name: 'status 503',
    respond: async () => new Response('x', { status: 503 }),
    text: 'Service maintenance',
  },
  {
    name: 'a redirect',
    respond: async () => Response.json({ redirect: '/' }),
    text: 'Service maintenance',
  },
])('$name is explained as “$text”', async ({ respond, text }) => {
  vi.stubGlobal('fetch', respond);
  await show('1', '2');
  page.getByRole('button', { name: /More/ }).click();
  await vi.waitFor(() => expect(page.getByRole('status').textContent).toContain(text));
});
