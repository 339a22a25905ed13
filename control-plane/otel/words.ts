/** The words of a text: names in data read better without quotes around each. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
