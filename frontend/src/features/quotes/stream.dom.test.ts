import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_STREAM_CODES, QuoteStream, STREAM_REOPEN_MS } from './stream';

class FakeSource extends EventTarget {
  readyState = 1;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close() {
    this.readyState = 2;
  }

  send(type: 'snapshot' | 'quote', quote: object) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(quote) }));
  }

  refuse() {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }
}

let opened: FakeSource[];
let stream: QuoteStream;
let visibility: DocumentVisibilityState;
let stops: (() => void)[];

beforeEach(() => {
  vi.stubGlobal('EventSource', { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  opened = [];
  stops = [];
  stream = new QuoteStream((url) => {
    const source = new FakeSource(url);
    opened.push(source);
    return source as unknown as EventSource;
  });
});

afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops) stop();
  await settled();
});

const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));
const open = () => opened.filter(({ readyState }) => readyState !== 2);
const show = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};
const nothing = () => {};
const watch = (code: string, changed = nothing) => {
  const stop = stream.watch(code, changed);
  stops.push(stop);
  return stop;
};

describe('the stream of a page', () => {
  test('is one connection for everything watched', async () => {
    watch('2222');
    watch('AAPL');
    watch('BRK.B');
    await settled();
    expect(opened.map(({ url }) => url)).toEqual(['/api/hq/stream?codes=2222%2CAAPL%2CBRK.B']);
  });

  test('is reopened when the watched securities change, and only then', async () => {
    watch('2222');
    await settled();
    const stop = watch('2222');
    await settled();
    stop();
    await settled();
    expect(opened.length).toBe(1);
    watch('AAPL');
    await settled();
    expect(opened.length).toBe(2);
    expect(open().map(({ url }) => url)).toEqual(['/api/hq/stream?codes=2222%2CAAPL']);
  });

  test('ends when nothing is watched', async () => {
    const stop = watch('2222');
    await settled();
    stop();
    await settled();
    expect(open()).toEqual([]);
  });

  test('requests at most as many securities as the server accepts', async () => {
    for (let code = 1000; code < 1100; code++) watch(String(code));
    await settled();
    expect(opened[0]?.url.split('%2C').length).toBe(MAX_STREAM_CODES);
  });

  test('pauses while the page is hidden', async () => {
    watch('2222');
    await settled();
    show('hidden');
    expect(open()).toEqual([]);
    show('visible');
    expect(open().length).toBe(1);
  });

  test('does not open on a hidden page', async () => {
    visibility = 'hidden';
    watch('2222');
    await settled();
    expect(opened).toEqual([]);
    show('visible');
    expect(open().length).toBe(1);
  });

  test('that was rejected is reopened after a delay', async () => {
    watch('2222');
    await settled();
    vi.useFakeTimers();
    opened[0]?.refuse();
    vi.advanceTimersByTime(STREAM_REOPEN_MS - 1);
    expect(opened.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(opened.length).toBe(2);
  });

  test('that lost its connection is reconnected by the browser', async () => {
    watch('2222');
    await settled();
    vi.useFakeTimers();
    const [source] = opened as [FakeSource];
    source.readyState = 0;
    source.dispatchEvent(new Event('error'));
    vi.advanceTimersByTime(STREAM_REOPEN_MS * 2);
    expect(opened.length).toBe(1);
  });
});

describe('a quote', () => {
  test('notifies only watchers of its security', async () => {
    const [aramco, apple] = [vi.fn(), vi.fn()];
    watch('2222', aramco);
    watch('AAPL', apple);
    await settled();
    opened[0]?.send('snapshot', { securityCode: '2222', lastPrice: '25.40', time: 10 });
    opened[0]?.send('quote', { securityCode: '2222', lastPrice: '25.42', time: 11 });
    expect(aramco).toHaveBeenCalledTimes(2);
    expect(apple).not.toHaveBeenCalled();
    expect(stream.quote('2222')?.lastPrice).toBe('25.42');
    expect(stream.quote('AAPL')).toBeUndefined();
  });

  test('extends the history if its price differs and is not older', async () => {
    watch('2222');
    await settled();
    for (const [lastPrice, time] of [
      ['25.40', 10],
      ['25.40', 11],
      ['25.42', 12],
      ['25.39', 9],
      ['', 13],
    ]) {
      opened[0]?.send('quote', { securityCode: '2222', lastPrice, time });
    }
    expect(stream.history('2222')).toEqual([
      { time: 10, price: 25.4 },
      { time: 12, price: 25.42 },
    ]);
    const before = stream.history('2222');
    opened[0]?.send('quote', { securityCode: '2222', lastPrice: '25.42', time: 14 });
    expect(stream.history('2222')).toBe(before);
  });

  test('the history keeps only the newest prices', async () => {
    watch('2222');
    await settled();
    for (let time = 1; time <= 100; time++) {
      opened[0]?.send('quote', { securityCode: '2222', lastPrice: String(time), time });
    }
    expect(stream.history('2222').length).toBe(60);
    expect(stream.history('2222').at(-1)?.price).toBe(100);
  });
});
