/** Runs native-app code that is loaded with the press; goes to `page` if it cannot be loaded. */
export async function withNativeApp(
  page: string,
  ask: (byApp: typeof import('./native-app')) => Promise<void>,
): Promise<void> {
  try {
    await ask(await import('./native-app'));
  } catch {
    window.location.assign(page);
  }
}
