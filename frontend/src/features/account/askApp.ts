/** Asks the app, by code that comes with the press; goes to `page` where it cannot be loaded. */
export async function askApp(
  page: string,
  ask: (byApp: typeof import('./byApp')) => Promise<void>,
): Promise<void> {
  try {
    await ask(await import('./byApp'));
  } catch {
    window.location.assign(page);
  }
}
