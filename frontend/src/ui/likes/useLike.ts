import { useEffect, useRef, useState } from 'react';

/** What a like is made of: how it is learned and how it is kept. */
export interface LikeCalls {
  /** Whether this visitor likes it, and how many do as far as that is told. */
  load(signal: AbortSignal): Promise<LikeState>;
  /** Keeps the like or its end, and says so when that fails; gives how many like it now. */
  save(liked: boolean): Promise<number>;
}

export interface LikeState {
  liked: boolean;
  count?: number | undefined;
}

/** The state as it will be once the service has agreed. */
export function toggled({ liked, count = 0 }: LikeState): Required<LikeState> {
  return { liked: !liked, count: Math.max(0, count + (liked ? -1 : 1)) };
}

/**
 * A like that shows at once what was asked for and goes back when the service does not take it.
 * `count` is the document's; whether the visitor likes it is asked after hydration, silently.
 */
export function useLike(id: string, count: number, calls: LikeCalls) {
  const [state, setState] = useState<LikeState>({ liked: false, count });
  const busy = useRef(false);
  const latest = useRef(calls);
  latest.current = calls;

  useEffect(() => {
    const left = new AbortController();
    setState({ liked: false, count });
    if (id) {
      latest.current.load(left.signal).then(
        (told) => {
          if (!busy.current) setState({ liked: told.liked, count: told.count ?? count });
        },
        () => {},
      );
    }
    return () => left.abort();
  }, [id, count]);

  async function toggle() {
    if (busy.current) return;
    busy.current = true;
    const before = state;
    const after = toggled(before);
    setState(after);
    try {
      setState({ liked: after.liked, count: await latest.current.save(after.liked) });
    } catch {
      setState(before);
    } finally {
      busy.current = false;
    }
  }
  return { ...state, toggle };
}
