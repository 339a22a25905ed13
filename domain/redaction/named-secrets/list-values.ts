import { type Assignment, valueAt } from './assigned-value.ts';
import { endOf } from '../detector.ts';

/** The operator and the start of a list in code, TOML or a shell, up to the first string. */
const list =
  /["']?[ \t]{0,20}(?:=>|[:=])[ \t]{0,20}(?:new )?(?:[[(]|list\()\s{0,40}(?:\[\d\]=)?(?=["'])/y;
/** From a string to the next one. */
const comma = /["'](?:\s{0,3},\s{0,40}|[ \t]{1,4}\[\d{1,3}\]=)(?=["'])/y;
/** In YAML. */
const firstItem = /["']?:[ \t]{0,3}\r?\n[ \t]{0,40}- (?=["']?\w)/y;
const nextItem = /["']?[ \t]{0,3}\r?\n[ \t]{0,40}- (?=["']?\w)/y;
const MAX_ITEMS = 20;

/** The items of a list after its name: `tokens = ["…", "…"]`, or a sequence of YAML. */
export function* listedValues(text: string, nameEnd: number): Generator<Assignment> {
  const inCode = endOf(list, text, nameEnd);
  const next = inCode === -1 ? nextItem : comma;
  let at = inCode === -1 ? endOf(firstItem, text, nameEnd) : inCode;
  for (let items = 0; at !== -1 && items < MAX_ITEMS; items += 1) {
    const value = valueAt(text, at, false);
    if (!value) return;
    yield { ...value, isListed: true, isUnspaced: false };
    at = endOf(next, text, value.start + value.value.length);
  }
}

/** The new value in a plan of Terraform, after the old one: `password = "…" -> "…"`. */
const change = /["'] -> (?=["'])/y;

export function newValueAfter(text: string, end: number): Assignment | undefined {
  const at = endOf(change, text, end);
  return at === -1 ? undefined : valueAt(text, at, false);
}
