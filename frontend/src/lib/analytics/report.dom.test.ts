import { beforeEach, expect, test, vi } from 'vitest';
import { flushQueue, report } from './report';

const QUEUE_KEY = 'sahm-events';
const event = (eventId: string) => ({ eventId, eventName: 'visit' });
const queuedIds = () =>
  JSON.parse(localStorage.getItem(QUEUE_KEY) ?? '[]').map(
    ({ eventId }: { eventId: string }) => eventId,
  );
const answer = (code: number) => Response.json({ code, data: {} });

beforeEach(() => localStorage.clear());

test('an event stays queued until the server has accepted or rejected it', async () => {
  localStorage.setItem(QUEUE_KEY, JSON.stringify(['a', 'b', 'c', 'd'].map(event)));
  const codes: Record<string, number> = { a: 10_000_000, b: 503, c: 10_000_003 };
  const last = Promise.withResolvers<Response>();
  const sent: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: URLSearchParams }) => {
    const id = body.get('eventId') ?? '';
    sent.push(id);
    return id in codes ? answer(codes[id] ?? 0) : last.promise;
  });
  const flushed = flushQueue('en-us');
  await vi.waitFor(() => expect(sent).toEqual(['a', 'b', 'c', 'd']));
  expect(queuedIds()).toEqual(['b', 'd']);
  last.resolve(answer(10_000_000));
  await flushed;
  expect(queuedIds()).toEqual(['b']);
});

test('an event that cannot be sent is queued, an accepted one is not', async () => {
  const fetched = vi.fn(async () => answer(503));
  vi.stubGlobal('fetch', fetched);
  report('visit', 'en-us');
  await vi.waitFor(() => expect(queuedIds()).toHaveLength(1));
  fetched.mockImplementation(async () => answer(10_000_000));
  await flushQueue('en-us');
  expect(queuedIds()).toEqual([]);
});
