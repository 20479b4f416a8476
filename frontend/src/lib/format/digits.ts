/** Replaces Arabic-Indic and Persian digits with Western ones. */
export function westernDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) =>
    String(digit.charCodeAt(0) & 0xf),
  );
}

/**
 * Groups a Saudi telephone number: `+966 11 000 0000`. Numbers of other countries are unchanged.
 */
export function formatPhone(number: string): string {
  return number.replace(/^\+966(\d{2})(\d{3})(\d{4})$/, '+966 $1 $2 $3');
}
