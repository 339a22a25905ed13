import { isObject } from './json.ts';

/** An entry on the stack of what to print: literal text, or a value with its indentation. */
type PrintTask = string | { value: unknown; indent: string };

/**
 * Formats a value like `JSON.stringify` with two spaces, but without recursion, because recorded
 * JSON may be deeply nested.
 */
export function printJson(value: unknown): string {
  const printed: string[] = [];
  const jobs: PrintTask[] = [{ value, indent: '' }];
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop())
    if (typeof job === 'string') printed.push(job);
    else for (const next of printTasks(job.value, job.indent).reverse()) jobs.push(next);

  return printed.join('');
}

/** Maximum indentation: without it, the text of a deeply nested value would be enormous. */
const MAX_INDENT = 200;

function printTasks(value: unknown, indent: string): PrintTask[] {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [JSON.stringify(value) ?? 'null'];
  const inner = indent.length < MAX_INDENT ? `${indent}  ` : indent;
  const members: PrintTask[][] = isList
    ? value.map((item: unknown) => [{ value: item, indent: inner }])
    : Object.entries(value).map(([name, item]) => [
        `${JSON.stringify(name)}: `,
        { value: item, indent: inner },
      ]);
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return [`${open}${close}`];
  const lines = members.flatMap((member, at) => [at === 0 ? '' : ',', `\n${inner}`, ...member]);
  return [`${open}`, ...lines, `\n${indent}${close}`];
}
