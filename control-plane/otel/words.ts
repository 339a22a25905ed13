/** Splits text into words: lists of names are easier to read without quotes around each. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
