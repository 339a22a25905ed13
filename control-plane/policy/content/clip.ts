/** Text within a value; also the name of a member, or a number as it is written. */
export interface Text {
  /** The member that holds it, if one does; of a list, the member that holds the list. */
  member: string | null;
  text: string;
}

export interface Bounds {
  /** Characters of text. */
  characters: number;
  /** Values of any kind, objects and lists too. */
  values: number;
  /** What stands for the rest, such as `##NOT_SCANNED##`. */
  placeholder: string;
  /** Characters of member names and numbers, which are not among the texts unless this is given. */
  labels?: number;
}

export interface Clipped {
  /** The same value where nothing was left out. */
  value: unknown;
  texts: Text[];
  /** Of text in all, what was left out included. */
  characters: number;
  /** How many of them were left out. */
  left: number;
  isWhole: boolean;
  /** Are these all characters, or were there more values than there are bounds for? */
  isCounted: boolean;
}

/** Far deeper than any real value. */
const DEEPEST = 100;

/** As much of a JSON value as there are bounds for: what looks at it then does bounded work. */
export function clip(given: unknown, { placeholder, labels, ...bounds }: Bounds): Clipped {
  const texts: Text[] = [];
  let characters = 0;
  let values = 0;
  let left = 0;
  let isWhole = true;
  let isCounted = true;
  let labelled = 0;

  const leaveOut = (): string => {
    isWhole = false;
    return placeholder;
  };

  const leaveUncounted = (): string => {
    isCounted = false;
    return leaveOut();
  };

  /** Is there room for a member name, or for a number? */
  const takesLabel = (label: string, member: string | null): boolean => {
    if (labels === undefined || label === '') return true;
    if (labelled + label.length > labels) return false;
    labelled += label.length;
    texts.push({ member, text: label });
    return true;
  };

  const clipText = (text: string, member: string | null): string => {
    const room = Math.max(0, bounds.characters - (characters - left));
    characters += text.length;
    if (text.length <= room) {
      if (text !== '') texts.push({ member, text });
      return text;
    }
    left += text.length - room;
    const kept = text.slice(0, room).toWellFormed();
    if (kept !== '') texts.push({ member, text: kept });
    return kept + leaveOut();
  };

  const clipList = (list: readonly unknown[], member: string | null, depth: number): unknown[] => {
    const clipped: unknown[] = [];
    for (const item of list) {
      if (values >= bounds.values) return [...clipped, leaveUncounted()];
      clipped.push(clipValue(item, member, depth + 1));
    }
    return clipped;
  };

  const clipMembers = (value: object, depth: number): unknown => {
    const clipped: [string, unknown][] = [];
    for (const [member, inner] of Object.entries(value)) {
      if (values >= bounds.values) {
        clipped.push([leaveUncounted(), null]);
        break;
      }
      const isTaken = takesLabel(member, null);
      // A name that is looked at is as much work as a value.
      if (labels !== undefined) values += 1;
      const value = clipValue(inner, member, depth + 1);
      clipped.push(isTaken ? [member, value] : [leaveOut(), null]);
    }
    return Object.fromEntries(clipped);
  };

  const clipValue = (value: unknown, member: string | null, depth: number): unknown => {
    values += 1;
    if (typeof value === 'string') return clipText(value, member);
    if (typeof value === 'number') return takesLabel(String(value), member) ? value : leaveOut();
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEEPEST) return leaveUncounted();
    return Array.isArray(value) ? clipList(value, member, depth) : clipMembers(value, depth);
  };

  const value = clipValue(given, null, 0);
  return { value: isWhole ? given : value, texts, characters, left, isWhole, isCounted };
}
