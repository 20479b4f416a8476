/** The raw value of a cookie in a `Cookie` header; the first of several. */
export function cookieOf(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
