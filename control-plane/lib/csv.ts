/** Prefixes that spreadsheets treat as a formula, which would run when the file is opened. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Returns one line of CSV (RFC 4180) with quoted texts and unquoted numbers. */
export const csvLine = (values: readonly (string | number)[]): string =>
  `${values.map((value) => (typeof value === 'number' ? String(value) : quoted(value))).join(',')}\r\n`;

const quoted = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
