/** A text within a value, a member name, or a number as text. */
export interface Text {
  /**
   * The member that contains the text, if any. For a list item, it is the member that contains the
   * list.
   */
  member: string | null;
  text: string;
}

export interface Bounds {
  /** The maximum number of characters of text. */
  characters: number;
  /** The maximum number of values of any kind, including objects and lists. */
  values: number;
  /** The text that replaces what was cut, such as `##NOT_SCANNED##`. */
  placeholder: string;
  /**
   * The maximum number of characters of member names and numbers. Unless set, these are not among
   * the texts.
   */
  labels?: number;
}

export interface Clipped {
  /** The clipped value, which is the same object if nothing was cut. */
  value: unknown;
  texts: Text[];
  /** The number of all characters of text, including those that were cut. */
  characters: number;
  /** The number of characters cut. */
  left: number;
  isWhole: boolean;
  /** Whether `characters` is complete; false if values beyond the limit were not counted. */
  isCounted: boolean;
}

/** The maximum nesting depth, which is far deeper than any real value. */
const MAX_DEPTH = 100;

/** Cuts a JSON value to the bounds, so that the work of scanning it is bounded. */
export function clip(input: unknown, { placeholder, labels, ...bounds }: Bounds): Clipped {
  const texts: Text[] = [];
  let characters = 0;
  let values = 0;
  let left = 0;
  let isWhole = true;
  let isCounted = true;
  let labelled = 0;

  const omit = (): string => {
    isWhole = false;
    return placeholder;
  };

  const omitUncounted = (): string => {
    isCounted = false;
    return omit();
  };

  /** Adds a member name or number to the texts; returns false if there is no room. */
  const addLabel = (label: string, member: string | null): boolean => {
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
    const head = text.slice(0, room).toWellFormed();
    if (head !== '') texts.push({ member, text: head });
    return head + omit();
  };

  const clipList = (list: readonly unknown[], member: string | null, depth: number): unknown[] => {
    const clipped: unknown[] = [];
    for (const item of list) {
      if (values >= bounds.values) return [...clipped, omitUncounted()];
      clipped.push(clipValue(item, member, depth + 1));
    }
    return clipped;
  };

  const clipMembers = (value: object, depth: number): unknown => {
    const clipped: [string, unknown][] = [];
    for (const [member, inner] of Object.entries(value)) {
      if (values >= bounds.values) {
        clipped.push([omitUncounted(), null]);
        break;
      }
      const fits = addLabel(member, null);
      // Scanning a name costs as much as scanning a value.
      if (labels !== undefined) values += 1;
      const value = clipValue(inner, member, depth + 1);
      clipped.push(fits ? [member, value] : [omit(), null]);
    }
    return Object.fromEntries(clipped);
  };

  const clipValue = (value: unknown, member: string | null, depth: number): unknown => {
    values += 1;
    if (typeof value === 'string') return clipText(value, member);
    if (typeof value === 'number') return addLabel(String(value), member) ? value : omit();
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return omitUncounted();
    return Array.isArray(value) ? clipList(value, member, depth) : clipMembers(value, depth);
  };

  const value = clipValue(input, null, 0);
  return { value: isWhole ? input : value, texts, characters, left, isWhole, isCounted };
}
