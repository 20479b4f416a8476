import { beforeEach, expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { CodeForm } from './CodeForm';

const calls: string[] = [];
/** Responses wait for it. */
let released: Promise<void>;
let page: Awaited<ReturnType<typeof renderInPage>>;

beforeEach(() => {
  calls.length = 0;
  released = Promise.resolve();
  window.sessionStorage.clear();
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    if (path.endsWith('/auth-code/send')) await released;
    const data = { retryAfter: 60, needed: false, general: [], all: [] };
    const body = JSON.stringify({ code: 10_000_000, data });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  });
});

const show = async () => {
  page = await renderInPage(<CodeForm onLogin={() => {}} />, ['login']);
};
const sends = () => calls.filter((path) => path.endsWith('/auth-code/send'));
const said = () => page.container.querySelector('[role="status"]')?.textContent ?? '';

function typePhone(text: string) {
  const input = page.container.querySelector<HTMLInputElement>('[name="phone"]');
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(input, text);
  input?.dispatchEvent(new Event('input', { bubbles: true }));
}

test('the wait for the next code is counted, named once and keeps the focus', async () => {
  await show();
  typePhone('512345678');
  const button = page.getByRole('button', { name: /Send code/ });
  button.focus();
  await vi.waitFor(() => {
    if (sends().length === 0) button.click();
    expect(button.textContent).toContain('Resend in 60 s');
  });
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  const name = () => button.querySelector(':not([aria-hidden])')?.textContent;
  const [spoken, status] = [name(), said()];
  expect(status).toContain('Resend in 60 s');
  await vi.waitFor(() => expect(button.textContent).toContain('Resend in 59 s'), 3_000);
  expect([name(), said()]).toEqual([spoken, status]);
  button.click();
  expect(sends()).toHaveLength(1);
});

const storeWait = (milliseconds: number) =>
  window.sessionStorage.setItem(
    'sahm-code-wait',
    JSON.stringify({ telCode: '966', phone: '512345678', end: Date.now() + milliseconds }),
  );

test('the wait of a number goes on after a reload', async () => {
  storeWait(30_000);
  await show();
  typePhone('٥١٢ ٣٤٥ ٦٧٨');
  await vi.waitFor(() =>
    expect(page.getByRole('button', { name: /Resend in/ }).textContent).toMatch(/Resend in 30 s/),
  );
  page.getByRole('button', { name: /Resend in/ }).click();
  expect(sends()).toHaveLength(0);
});

test('another number does not wait', async () => {
  storeWait(30_000);
  await show();
  typePhone('512345679');
  const button = page.getByRole('button', { name: /Send code/ });
  await vi.waitFor(() => {
    if (sends().length === 0) button.click();
    expect(button.textContent).toContain('Resend in 60 s');
  });
});

test('a number that is changed while its code is sent got none', async () => {
  const release = Promise.withResolvers<void>();
  released = release.promise;
  await show();
  typePhone('512345678');
  const button = page.getByRole('button', { name: /Send code/ });
  await vi.waitFor(() => {
    button.click();
    expect(sends()).toHaveLength(1);
  });
  typePhone('512345679');
  release.resolve();
  await vi.waitFor(() => expect(window.sessionStorage.getItem('sahm-code-wait')).toBeTruthy());
  await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  expect(said()).toBe('');
  expect(button.textContent).toBe('Send code');
  typePhone('512345678');
  await vi.waitFor(() => expect(said()).toMatch(/Resend in \d+ s/));
});

test('a wait that is over is forgotten', async () => {
  storeWait(-1);
  await show();
  typePhone('512345678');
  expect(page.getByRole('button', { name: /Send code/ }).getAttribute('aria-disabled')).toBe(
    'false',
  );
  expect(said()).toBe('');
});
