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

/** `2:05`, `1:02:05`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
