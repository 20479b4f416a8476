import { act } from '@testing-library/react';
import { useEffect } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lazyHydrate } from './lazy-hydrate';
import { PageProvider } from './page';
import type { PagePayload } from './payload';
import { renderInPage } from './render-in-page';

const payload: PagePayload = {
  build: 'test',
  page: 'home',
  visitor: { locale: 'en-us', platform: 'pc', theme: 'light' },
  url: '/en-us',
  document: {},
};

/** Observed elements with the callback that reports them as visible. */
const observed = new Map<Element, () => void>();

class ObserverOnDemand {
  readonly disconnect = vi.fn();
  private readonly onChange: (entries: { isIntersecting: boolean }[]) => void;

  constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
    this.onChange = onChange;
  }

  observe(element: Element) {
    observed.set(element, () => this.onChange([{ isIntersecting: true }]));
  }
}

let root: Root | undefined;

beforeEach(() => {
  observed.clear();
  vi.stubGlobal('IntersectionObserver', ObserverOnDemand);
});

afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  vi.unstubAllGlobals();
});

function Content({ hydrated }: { hydrated(): void }) {
  useEffect(() => hydrated(), [hydrated]);
  return <p>text</p>;
}

/** A part with the function that loads it, and one that is called when it is hydrated. */
function partOf(hydrateOn: 'load' | 'visible' | 'never') {
  const load = vi.fn(async () => Content);
  return { Part: lazyHydrate([], load, { hydrateOn }), load, hydrated: vi.fn() };
}

/** Hydrates the HTML that the server renders for a part inside a link. */
async function hydrate(hydrateOn: 'load' | 'visible' | 'never', html: string) {
  const part = partOf(hydrateOn);
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = `<a href="#target">${html}</a>`;
  const onRecoverableError = vi.fn();
  await act(async () => {
    root = hydrateRoot(
      container,
      <PageProvider payload={payload}>
        <a href="#target">
          <part.Part hydrated={part.hydrated} />
        </a>
      </PageProvider>,
      { onRecoverableError },
    );
  });
  return { ...part, container, onRecoverableError };
}

const SUSPENDED = '<!--$--><p>text</p><!--/$-->';

test('a part that is hydrated on load keeps its HTML and loads its code', async () => {
  const { container, hydrated, onRecoverableError } = await hydrate('load', SUSPENDED);
  const served = container.querySelector('p');
  await vi.waitFor(() => expect(hydrated).toHaveBeenCalled());
  expect(container.querySelector('p')).toBe(served);
  expect(onRecoverableError).not.toHaveBeenCalled();
});

test('a part that is hydrated when visible loads its code when it comes into view', async () => {
  const html = `<div>${SUSPENDED}</div>`;
  const { container, load, hydrated, onRecoverableError } = await hydrate('visible', html);
  const served = container.querySelector('p');
  expect(load).not.toHaveBeenCalled();
  await act(async () => observed.get(container.querySelector('div') as Element)?.());
  await vi.waitFor(() => expect(hydrated).toHaveBeenCalled());
  expect(container.querySelector('p')).toBe(served);
  expect(onRecoverableError).not.toHaveBeenCalled();
});

test('a part that is never hydrated keeps its HTML without its code, and clicks leave it', async () => {
  const html = `<div class="contents">${SUSPENDED}</div>`;
  const { container, load, onRecoverableError } = await hydrate('never', html);
  const clicked = vi.fn();
  document.addEventListener('click', clicked);
  container.querySelector('p')?.click();
  document.removeEventListener('click', clicked);
  expect(container.querySelector('p')?.textContent).toBe('text');
  expect(clicked).toHaveBeenCalledOnce();
  expect(load).not.toHaveBeenCalled();
  expect(onRecoverableError).not.toHaveBeenCalled();
});

test.each(['load', 'visible', 'never'] as const)(
  'a part with hydrateOn %s that the browser renders loads its code at once',
  async (hydrateOn) => {
    const { Part, hydrated } = partOf(hydrateOn);
    const { container } = await renderInPage(<Part hydrated={hydrated} />, []);
    await vi.waitFor(() => expect(hydrated).toHaveBeenCalled());
    expect(container.textContent).toBe('text');
  },
);
