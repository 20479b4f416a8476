import { expect, test, vi } from 'vitest';
import type { PagePayload } from '~/lib/page/payload';
import { errorReporter } from './error-reporter';

const payload: PagePayload = {
  build: 'build-1',
  page: 'home',
  visitor: { locale: 'en-us', platform: 'pc', theme: 'light' },
  url: '/en-us',
  document: {},
};

/** A reporter with the messages that it has sent. */
function reporterWithMessages() {
  const messages: (string | null)[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: { body: URLSearchParams }) => {
    expect(path).toBe('/api/log/report');
    expect(body.get('build')).toBe('build-1');
    messages.push(body.get('message'));
    throw new Error('offline');
  });
  return { report: errorReporter(payload), messages };
}

test('an error that is dispatched twice is reported once, others with the same text again', () => {
  const { report, messages } = reporterWithMessages();
  const error = new Error('failure');
  report(error);
  report(error);
  report(new Error('failure'));
  expect(messages).toEqual(['failure', 'failure']);
});

test('a thrown value that is no error is reported as text', () => {
  const { report, messages } = reporterWithMessages();
  report('text');
  report(undefined);
  expect(messages).toEqual(['text', 'undefined']);
});

test('at most five errors of a document are reported', () => {
  const { report, messages } = reporterWithMessages();
  for (let at = 0; at < 8; at += 1) report(new Error(`failure ${at}`));
  expect(messages).toEqual([0, 1, 2, 3, 4].map((at) => `failure ${at}`));
});
