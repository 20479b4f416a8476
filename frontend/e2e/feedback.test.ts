import type { Page } from '@playwright/test';
import { open } from './browser.ts';
import { address } from './site.ts';
import { expect, test } from './test.ts';

const SUBMIT = '**/api/woms/feedback/submit';
const PAGE = '/support/detail/how-to-contact-support';

let sent: number;

test.beforeEach(async ({ page }) => {
  sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/woms/feedback/submit')) sent++;
  });
  await open(page, address('en-us', PAGE));
});

const form = (page: Page) => page.locator('#feedback form');
const field = (page: Page, name: string) => form(page).locator(`[name="${name}"]`);
const send = (page: Page) => form(page).locator('button[type="submit"]').click();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

/** The error message of a field. */
async function errorAt(page: Page, name: string): Promise<string> {
  const ids = (await field(page, name).getAttribute('aria-describedby')) ?? '';
  const last = ids.split(' ').at(-1);
  return (await page.locator(`[id="${last}"]`).textContent()) ?? '';
}

async function fill(page: Page) {
  await field(page, 'subject').fill('A transfer');
  await field(page, 'content').fill('It has not arrived since Sunday.');
  await field(page, 'contact').fill('visitor@mail.example');
}

/** A valid PNG (signature, header, data, end), padded to a size. */
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

test.describe('before it is sent', () => {
  test('an empty form shows an error at every field and focuses the first', async ({ page }) => {
    await send(page);
    expect(await errorAt(page, 'subject')).toBe('Enter a subject of up to 100 characters.');
    expect(await errorAt(page, 'content')).toContain('Describe what happened');
    expect(await errorAt(page, 'contact')).toBe('Enter a valid email address or phone number.');
    expect(await field(page, 'subject').getAttribute('aria-invalid')).toBe('true');
    expect(await focused(page)).toBe('subject');
    expect(sent).toBe(0);
  });

  test('files are validated by their content', async ({ page }) => {
    await fill(page);
    await field(page, 'files').setInputFiles([
      picture('small.png', 100_000),
      { name: 'letter.png', mimeType: 'image/png', buffer: Buffer.alloc(600_000, 'a') },
    ]);
    const list = form(page).locator('fieldset li');
    await list.nth(1).waitFor();
    expect(await list.nth(0).textContent()).toContain('smaller than 500\u00a0KB');
    expect(await list.nth(1).textContent()).toContain('Only JPEG, PNG or BMP');
    await send(page);
    expect(await focused(page)).toBe('files');
    expect(sent).toBe(0);
    await list.nth(1).locator('button').click();
    await list.nth(0).locator('button').click();
    await list.first().waitFor({ state: 'detached' });
    await send(page);
    await page.locator('#feedback h2', { hasText: 'We have received your message' }).waitFor();
    expect(sent).toBe(1);
  });

  test('a fourth picture is rejected', async ({ page }) => {
    const four = ['a.png', 'b.png', 'c.png', 'd.png'].map((name) => picture(name, 600_000));
    await field(page, 'files').setInputFiles(four);
    await form(page).getByText('No more than 3 photos can be sent.').waitFor();
    expect(await form(page).locator('fieldset li').count()).toBe(3);
  });
});

test.describe('when it is sent', () => {
  test('with a picture, its ticket is shown and has the focus', async ({ page }) => {
    await fill(page);
    await field(page, 'files').setInputFiles([picture('screen.png', 600_000)]);
    await form(page).locator('fieldset li').first().waitFor();
    await send(page);
    const title = page.locator('#feedback h2', { hasText: 'We have received your message' });
    await title.waitFor();
    expect(await page.locator('#feedback').textContent()).toMatch(/FB-\d{6}-[2-9A-Z]{8}/);
    expect(await title.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.locator('#feedback button').click();
    expect(await field(page, 'subject').inputValue()).toBe('');
  });

  test('a second click shows that the form is being sent', async ({ page }) => {
    const waiting = Promise.withResolvers<void>();
    await page.route(SUBMIT, async (route) => {
      await waiting.promise;
      await route.continue();
    });
    await fill(page);
    await send(page);
    await form(page).locator('button[aria-busy="true"]').waitFor();
    await send(page);
    await form(page).getByText('The data is submitting, please try again later.').waitFor();
    waiting.resolve();
    await page.locator('#feedback h2', { hasText: 'We have received your message' }).waitFor();
    expect(sent).toBe(1);
  });

  test('an error of the server is shown at its field', async ({ page }) => {
    await answer(page, 400, 10_000_003, { contact: 'must be an email or a telephone number' });
    await fill(page);
    await send(page);
    await form(page).locator('[aria-invalid="true"]').waitFor();
    expect(await errorAt(page, 'contact')).toBe('Enter a valid email address or phone number.');
    expect(await focused(page)).toBe('contact');
  });

  for (const [withPicture, text] of [
    [true, 'Upload failed, please try again.'],
    [false, 'Service maintenance in progress, please try again later.'],
  ] as const)
    test(`a failure shows a message; with a picture: ${withPicture}`, async ({ page }) => {
      await answer(page, 503, 503, null);
      await fill(page);
      if (withPicture) {
        await field(page, 'files').setInputFiles([picture('screen.png', 600_000)]);
        await form(page).locator('fieldset li').first().waitFor();
      }
      await send(page);
      await form(page).getByRole('status').getByText(text).waitFor();
      expect(await field(page, 'content').inputValue()).not.toBe('');
    });

  async function answer(
    page: Page,
    status: number,
    code: number,
    fields: Record<string, string> | null,
  ) {
    await page.route(SUBMIT, (route) =>
      route.fulfill({
        status,
        json: { code, msg: 'x', error: 'x', errorHK: 'x', data: fields && { fields } },
      }),
    );
  }
});

test('without scripts the form is accepted and the response contains the ticket', async ({
  browser,
}) => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
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
