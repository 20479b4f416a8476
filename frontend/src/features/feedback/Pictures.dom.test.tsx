import { act } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { FeedbackForm } from './FeedbackForm';

const SUCCESS = { code: 10_000_000, data: { ticket: 'FB-1' } };

const sent = vi.fn();
/** The body of the response to the form. */
let envelope: object;
/** The response waits for it. */
let released: Promise<void>;
let page: Awaited<ReturnType<typeof renderInPage>>;

beforeEach(async () => {
  sent.mockReset();
  envelope = SUCCESS;
  released = Promise.resolve();
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: FormData }) => {
    sent(body.getAll('files').map((file) => (file as File).name));
    await released;
    return Response.json(envelope);
  });
  page = await renderInPage(<FeedbackForm />, ['feedback']);
  for (const [name, text] of [
    ['subject', 'A transfer'],
    ['content', 'It has not arrived.'],
    ['contact', 'visitor@mail.example'],
  ]) {
    const field = page.container.querySelector<HTMLInputElement>(`[name="${name}"]`);
    if (field) field.value = text ?? '';
  }
});

/** A file with a PNG signature. */
function png(name: string, kilobytes = 600): File {
  const bytes = new Uint8Array(kilobytes * 1024);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new File([bytes], name, { type: 'image/png' });
}

function choose(...files: File[]) {
  const input = page.container.querySelector<HTMLInputElement>('[name="files"]');
  if (!input) throw new Error('no file field');
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  act(() => input.dispatchEvent(new Event('change', { bubbles: true })));
}

const names = () =>
  [...page.container.querySelectorAll('li bdi')].map(({ textContent }) => textContent);
const says = () => page.container.textContent?.includes('No more than 3 photos');
const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}` });
const send = () => page.getByRole('button', { name: /Send/ }).click();

test('of four pictures the first three valid ones are kept and sent', async () => {
  choose(png('small', 10), png('a'), png('b'), png('c'), png('d'));
  await vi.waitFor(() => expect(names()).toEqual(['small', 'a', 'b', 'c']));
  expect(says()).toBe(true);
  remove('small').click();
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c']));
  expect(says()).toBe(false);
  choose(png('e'));
  await vi.waitFor(() => expect(says()).toBe(true));
  send();
  await vi.waitFor(() => expect(sent).toHaveBeenCalledWith(['a', 'b', 'c']));
});

test('two selections at once are both counted', async () => {
  choose(png('a'), png('b'));
  choose(png('c'), png('d'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c']));
  expect(says()).toBe(true);
});

test('a picture with an error is not sent, and the message about the maximum disappears with the next selection', async () => {
  choose(png('a'), png('b'), png('c'), png('d'));
  await vi.waitFor(() => expect(says()).toBe(true));
  choose(png('small', 10));
  await vi.waitFor(() => expect(names()).toHaveLength(4));
  expect(says()).toBe(false);
  send();
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('files'));
  expect(sent).not.toHaveBeenCalled();
});

test('a picture that the server rejects shows its error, takes the focus and can be removed', async () => {
  envelope = { code: 10_000_003, data: { fields: { 'files[1]': 'is larger than 5 MB' } } };
  choose(png('a'), png('b'));
  await vi.waitFor(() => expect(names()).toHaveLength(2));
  send();
  await page.findByText('This photo is larger than 5 MB.');
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('files'));
  envelope = SUCCESS;
  remove('b').click();
  await vi.waitFor(() => expect(names()).toEqual(['a']));
  send();
  await vi.waitFor(() => expect(sent).toHaveBeenLastCalledWith(['a']));
  await page.findByText('FB-1');
});

test('an error is shown at its picture if one before it was removed meanwhile', async () => {
  envelope = { code: 10_000_003, data: { fields: { 'files[1]': 'is larger than 5 MB' } } };
  const release = Promise.withResolvers<void>();
  released = release.promise;
  choose(png('a'), png('b'), png('c'));
  await vi.waitFor(() => expect(names()).toHaveLength(3));
  send();
  await vi.waitFor(() => expect(sent).toHaveBeenCalled());
  remove('a').click();
  await vi.waitFor(() => expect(names()).toEqual(['b', 'c']));
  release.resolve();
  const error = await page.findByText('This photo is larger than 5 MB.');
  expect(error.closest('li')?.textContent).toContain('Remove b');
});

test('a failure that belongs to no field is shown below the form', async () => {
  envelope = { code: 503, msg: 'x' };
  send();
  await page.findByText('Service maintenance in progress, please try again later.');
});

test('after a removal the next picture, the last one, or the field gets the focus', async () => {
  choose(png('a'), png('b'), png('c'));
  await vi.waitFor(() => expect(names()).toHaveLength(3));
  remove('b').click();
  expect(document.activeElement).toBe(remove('c'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'c']));
  remove('c').click();
  expect(document.activeElement).toBe(remove('a'));
  await vi.waitFor(() => expect(names()).toEqual(['a']));
  remove('a').click();
  expect(document.activeElement?.getAttribute('name')).toBe('files');
});

test('after “Write another message” the first field has the focus', async () => {
  send();
  await vi.waitFor(() => expect(page.container.textContent).toContain('FB-1'));
  page.container.querySelector('button')?.click();
  expect(document.activeElement?.getAttribute('name')).toBe('subject');
});
