/** How far a video was seen, in seconds from its start. */
export interface Progress {
  position: number;
  duration: number;
}

/** Less than this is not worth going back to, nor coming back from. */
const MARGIN = 5;
/** While a video plays its position is kept this often. */
const EVERY = 10;

/** Where to go on; 0 at the start, and after the end. */
export function resumeAt({ position, duration }: Progress): number {
  return position >= MARGIN && position <= duration - MARGIN ? position : 0;
}

/** The whole seconds that the service takes; nothing while the length is not known. */
export function reportOf({ position, duration }: Progress): Progress | undefined {
  if (!Number.isFinite(duration) || duration <= 0) return undefined;
  const whole = Math.ceil(duration);
  return { position: Math.min(Math.max(0, Math.floor(position)), whole), duration: whole };
}

/** Whether a position is to be kept now; `kept` is the last one. A pause keeps every change. */
export function isNews(kept: number, position: number, playing: boolean): boolean {
  return playing ? Math.abs(position - kept) >= EVERY : position !== kept;
}
