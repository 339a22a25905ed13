/** The characters of English and of program code, the most frequent first. */
const FREQUENT = ' etaoinsrlcdhpumfgybw.-/_"\'(),:=vk';

/** A rough measure of how often a character occurs; 0 for characters that are not listed. */
export function frequencyOf(character: string): number {
  const rank = FREQUENT.indexOf(character);
  return rank === -1 ? 0 : FREQUENT.length - rank;
}

/** More than the frequency of any character. */
export const MAX_FREQUENCY = FREQUENT.length + 1;
