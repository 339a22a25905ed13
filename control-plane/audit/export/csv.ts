/** Prefixes that spreadsheets treat as a formula, which would run when the file is opened. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** One line of CSV (RFC 4180), every value quoted. */
export const csvLine = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`;

const quoted = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
