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
  const loading = useRef<AbortController>(undefined);
  const latest = useRef(calls);
  latest.current = calls;

  useEffect(() => {
    const controller = new AbortController();
    loading.current = controller;
    setState({ liked: false, count });
    if (id) {
      latest.current.load(controller.signal).then(
        (loaded) => {
          if (controller.signal.aborted) return;
          setState({ liked: loaded.liked, count: loaded.count ?? count });
        },
        () => {},
      );
    }
    return () => controller.abort();
  }, [id, count]);

  async function toggle() {
    if (busy.current) return;
    busy.current = true;
    // A state from before the change must not replace it.
    loading.current?.abort();
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
