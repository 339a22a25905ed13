import type { Detector } from './detector.ts';
import { wordsOfName } from './secret-names.ts';
import { type StructuredField, structuredFields } from './structured-fields.ts';

/** Placeholders instead of values: in schemas, forms, templates and tests. */
const standIn =
  /^(?:string|text|str|varchar|null|none|nil|undefined|unknown|true|false|yes|no|n\/a|na|required|optional|example|test|todo|name)$/i;
const wording = /^(?:enter|your|please|type|select|choose|the|a|an|e\.g\.|must|invalid|missing)\b/i;

const LONGEST_NAME = 80;

interface Field {
  /** Matches the words of a member's name, separated by blanks. */
  ending: RegExp;
  value: RegExp;
}

const fieldOf = ({ names, value }: StructuredField): Field => ({
  ending: new RegExp(`(?:^| )(?:${names.map((words) => words.replaceAll(' ', ' ?')).join('|')})$`),
  value,
});

/** A detector for values that only their member name identifies. It finds nothing in text. */
function ofFields(type: StructuredField['type']): Detector {
  const fields = structuredFields.filter((field) => field.type === type).map(fieldOf);
  return {
    type,
    find: () => [],
    ofMember(member) {
      if (member.length > LONGEST_NAME) return undefined;
      const words = wordsOfName(member).join(' ');
      const field = fields.find(({ ending }) => ending.test(words));
      return field && ((value) => field.value.test(value) && isValue(words, value));
    },
  };
}

/** Not a placeholder, and not the name of the field itself, such as a label. */
const isValue = (words: string, value: string): boolean =>
  !standIn.test(value) && !wording.test(value) && !words.endsWith(value.toLowerCase());

export const personName = ofFields('PERSON_NAME');
export const postalAddress = ofFields('POSTAL_ADDRESS');
