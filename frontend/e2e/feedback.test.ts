import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { address } from './site.ts';

const SUBMIT = '**/api/woms/feedback/submit';
const PAGE = '/support/detail/how-to-contact-support';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let sent: number;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

beforeEach(async () => {
  context = await newContext(browser);
  page = await context.newPage();
  sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/woms/feedback/submit')) sent++;
  });
  await page.goto(address('en-us', PAGE));
  await hydrated(page);
});

afterEach(() => context.close());

const form = () => page.locator('#feedback form');
const field = (name: string) => form().locator(`[name="${name}"]`);
const send = () => form().locator('button[type="submit"]').click();
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

/** What stands beside a field as its fault. */
async function fault(name: string): Promise<string> {
  const ids = (await field(name).getAttribute('aria-describedby')) ?? '';
  const last = ids.split(' ').at(-1);
  return (await page.locator(`[id="${last}"]`).textContent()) ?? '';
}

async function fill() {
  await field('subject').fill('A transfer');
  await field('content').fill('It has not arrived since Sunday.');
  await field('contact').fill('visitor@mail.example');
}

/** A PNG that browsers and the server take for one: signature, header, data, end, padded to a size. */
function png(size: number): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    return Buffer.concat([head, Buffer.from(kind), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(8, 0);
  header.writeUInt32BE(8, 4);
  header[8] = 8;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [signature, chunk('IHDR', header), chunk('IEND', Buffer.alloc(0))];
  const rest = size - parts.reduce((sum, part) => sum + part.length, 0) - 12;
  parts.splice(2, 0, chunk('IDAT', Buffer.alloc(rest)));
  return Buffer.concat(parts);
}

const picture = (name: string, size: number) => ({
  name,
  mimeType: 'image/png',
  buffer: png(size),
});

describe('before it is sent', () => {
  test('an empty form names every field and moves to the first', async () => {
    await send();
    expect(await fault('subject')).toBe('Enter a subject of up to 100 characters.');
    expect(await fault('content')).toContain('Describe what happened');
    expect(await fault('contact')).toBe('Enter a valid email address or phone number.');
    expect(await field('subject').getAttribute('aria-invalid')).toBe('true');
    expect(await focused()).toBe('subject');
    expect(sent).toBe(0);
  });

  test('files are judged by what they are', async () => {
    await fill();
    await field('files').setInputFiles([
      picture('small.png', 100_000),
      { name: 'letter.png', mimeType: 'image/png', buffer: Buffer.alloc(600_000, 'a') },
    ]);
    const list = form().locator('fieldset li');
    await list.nth(1).waitFor();
    expect(await list.nth(0).textContent()).toContain('smaller than 500 KB');
    expect(await list.nth(1).textContent()).toContain('Only JPEG, PNG or BMP');
    await send();
    expect(await focused()).toBe('files');
    expect(sent).toBe(0);
    await list.nth(1).locator('button').click();
    await list.nth(0).locator('button').click();
    await list.first().waitFor({ state: 'detached' });
    await send();
    await page.locator('#feedback h2', { hasText: 'We have received your message' }).waitFor();
    expect(sent).toBe(1);
  });

  test('a fourth picture is refused', async () => {
    const four = ['a.png', 'b.png', 'c.png', 'd.png'].map((name) => picture(name, 600_000));
    await field('files').setInputFiles(four);
    await form().getByText('No more than 3 pictures can be sent.').waitFor();
    expect(await form().locator('fieldset li').count()).toBe(3);
  });
});

describe('when it is sent', () => {
  test('with a picture, its ticket is shown and has the focus', async () => {
    await fill();
    await field('files').setInputFiles([picture('screen.png', 600_000)]);
    await form().locator('fieldset li').first().waitFor();
    await send();
    const title = page.locator('#feedback h2', { hasText: 'We have received your message' });
    await title.waitFor();
    expect(await page.locator('#feedback').textContent()).toMatch(/FB-\d{6}-[2-9A-Z]{8}/);
    expect(await title.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.locator('#feedback button').click();
    expect(await field('subject').inputValue()).toBe('');
  });

  test('a second press says that it is under way', async () => {
    const waiting = Promise.withResolvers<void>();
    await page.route(SUBMIT, async (route) => {
      await waiting.promise;
      await route.continue();
    });
    await fill();
    await send();
    await form().locator('button[aria-busy="true"]').waitFor();
    await send();
    await form().getByText('The data is submitting, please try again later.').waitFor();
    waiting.resolve();
    await page.locator('#feedback h2', { hasText: 'We have received your message' }).waitFor();
    expect(sent).toBe(1);
  });

  test('what the server finds stands beside its field', async () => {
    await answer(400, 10_000_003, { contact: 'must be an email or a telephone number' });
    await fill();
    await send();
    await form().locator('[aria-invalid="true"]').waitFor();
    expect(await fault('contact')).toBe('Enter a valid email address or phone number.');
    expect(await focused()).toBe('contact');
  });

  test.each([
    [true, 'Upload failed, please try again.'],
    [false, 'Service maintenance in progress, please try again later.'],
  ])('a failure is told; with a picture: %s', async (withPicture, text) => {
    await answer(503, 503, null);
    await fill();
    if (withPicture) {
      await field('files').setInputFiles([picture('screen.png', 600_000)]);
      await form().locator('fieldset li').first().waitFor();
    }
    await send();
    await form().getByRole('status').getByText(text).waitFor();
    expect(await field('content').inputValue()).not.toBe('');
  });

  async function answer(status: number, code: number, fields: Record<string, string> | null) {
    await page.route(SUBMIT, (route) =>
      route.fulfill({
        status,
        json: { code, msg: 'x', error: 'x', errorHK: 'x', data: fields && { fields } },
      }),
    );
  }
});

test('without scripts the same form is taken and the answer holds the ticket', async () => {
  const plain = await newContext(browser, { javaScriptEnabled: false });
  const off = await plain.newPage();
  await off.goto(address('ar-sa', PAGE));
  await off.locator('[name="subject"]').fill('شكوى');
  await off.locator('[name="content"]').fill('لم يصل التحويل.');
  await off.locator('[name="contact"]').fill('0512345678');
  await off.locator('#feedback button[type="submit"]').click();
  await off.waitForURL(SUBMIT);
  expect(await off.locator('body').textContent()).toMatch(/FB-\d{6}-[2-9A-Z]{8}/);
  await plain.close();
});
