/** Runs native-app code that is loaded on demand; goes to `page` if it cannot be loaded. */
export async function withNativeApp(
  page: string,
  run: (nativeApp: typeof import('./native-app')) => Promise<void>,
): Promise<void> {
  try {
    await run(await import('./native-app'));
  } catch {
    window.location.assign(page);
  }
}
