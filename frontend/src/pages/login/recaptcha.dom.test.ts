import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recaptchaToken } from './recaptcha';

beforeEach(() => {
  vi.stubGlobal('fetch', async () =>
    Response.json({
      code: 10_000_000,
      data: { items: [{ key: 'RECAPTCHA_SITE_KEY', value: 'k' }] },
    }),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});

test('the token is that of the provider', async () => {
  const execute = vi.fn(async () => 'token');
  vi.stubGlobal('grecaptcha', { ready: (done: () => void) => done(), execute });
  expect(await recaptchaToken('auth_code', 'en-us')).toBe('token');
  expect(execute).toHaveBeenCalledWith('k', { action: 'auth_code' });
});

test.each<{ name: string; ready(done: () => void): void }>([
  { name: 'ready', ready: () => {} },
  { name: 'execute', ready: (done) => done() },
])('a provider whose $name never settles times out', async ({ ready }) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const called = vi.fn(ready);
  vi.stubGlobal('grecaptcha', { ready: called, execute: never });
  const rejected = expect(recaptchaToken('auth_code', 'en-us')).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await vi.waitFor(() => expect(called).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(10_000);
  await rejected;
});
