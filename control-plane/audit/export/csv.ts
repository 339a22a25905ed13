/** What spreadsheets take for the beginning of a formula, and would run when the file is opened. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** One line as RFC 4180 has it, every value quoted. */
export const csvLine = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`;

const quoted = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
