import { type ParseError, visit } from 'jsonc-parser';

type Container = unknown[] | Record<string, unknown>;

/**
 * Defines an own member, also for `__proto__`, which an assignment would treat as the prototype.
 */
const define = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else object[key] = value;
};

/**
 * Parses JSON with comments and trailing commas, as in editor settings. `offset` is the position of
 * an error. An empty text is a document without a value.
 */
export function readJson(text: string): { document: unknown } | { offset: number } {
  const errors: ParseError[] = [];
  const top: unknown[] = [];
  const open: Container[] = [top];
  const keys: string[] = [];
  const put = (value: unknown): void => {
    const inside = open.at(-1) ?? top;
    if (Array.isArray(inside)) inside.push(value);
    else define(inside, keys.at(-1) ?? '', value);
  };
  const begin = (container: Container): void => {
    put(container);
    open.push(container);
    keys.push('');
  };
  const end = (): void => {
    open.pop();
    keys.pop();
  };
  visit(
    text,
    {
      onObjectBegin: () => begin({}),
      onObjectProperty: (key) => void (keys[keys.length - 1] = key),
      onObjectEnd: end,
      onArrayBegin: () => begin([]),
      onArrayEnd: end,
      onLiteralValue: put,
      onError: (error, offset, length) => void errors.push({ error, offset, length }),
    },
    { allowTrailingComma: true, allowEmptyContent: true },
  );
  const [error] = errors;
  return error ? { offset: error.offset } : { document: top[0] };
}
