import { useSyncExternalStore } from 'react';

/** A value outside React with subscriptions. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** Updates some fields of an object. */
  update(part: Partial<T>): void;
  /** Calls `changed` after each change. Returns a function that unsubscribes. */
  subscribe(changed: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T) => {
    value = next;
    for (const changed of listeners) changed();
  };
  return {
    get: () => value,
    set,
    update: (part) => set({ ...value, ...part }),
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** A selected part of a store's value; `onServer` on the server and during hydration. */
export function useStore<T, P>(store: Store<T>, select: (value: T) => P, onServer: P): P {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => onServer,
  );
}
