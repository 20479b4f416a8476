import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type LikeState, useLike } from './useLike';

test('a state that is loaded after a like does not revert it', async () => {
  const loading = Promise.withResolvers<LikeState>();
  const calls = { load: () => loading.promise, save: async () => 4 };
  const { result } = renderHook(() => useLike('a', 3, calls));
  await act(() => result.current.toggle());
  expect(result.current).toMatchObject({ liked: true, count: 4 });
  await act(async () => loading.resolve({ liked: false, count: 3 }));
  expect(result.current).toMatchObject({ liked: true, count: 4 });
});

test('the loaded state replaces that of the document', async () => {
  const calls = { load: async () => ({ liked: true, count: 8 }), save: async () => 0 };
  const { result } = renderHook(() => useLike('a', 3, calls));
  await act(async () => {});
  expect(result.current).toMatchObject({ liked: true, count: 8 });
});
