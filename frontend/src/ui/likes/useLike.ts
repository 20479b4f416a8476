import { useEffect, useRef, useState } from 'react';

/** The calls of a like. */
export interface LikeCalls {
  /** Whether this visitor likes it, and the number of likes if known. */
  load(signal: AbortSignal): Promise<LikeState>;
  /** Saves or removes the like and shows a failure; returns the number of likes. */
  save(liked: boolean): Promise<number>;
}

export interface LikeState {
  liked: boolean;
  count?: number | undefined;
}

/** The state that is expected after the call. */
export function toggled({ liked, count = 0 }: LikeState): Required<LikeState> {
  return { liked: !liked, count: Math.max(0, count + (liked ? -1 : 1)) };
}

/**
 * A like with an optimistic update, reverted on failure. `count` comes from the document; whether
 * the visitor likes it is loaded silently after hydration.
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
