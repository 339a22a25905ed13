import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from 'yaml';
import type { z } from 'zod';
import type { PolicyDocument } from '#contract/policy.ts';
import { findDropped } from '../../http/storable.ts';
import { wholePolicy } from '../admin/policy-rules.ts';

/** A policy that a file holds. */
export interface WrittenPolicy {
  file: string;
  line: number;
  document: PolicyDocument;
}

const SHOWN_PROBLEMS = 5;

/**
 * The policies of one file of YAML or JSON: one, a list of them, or several documents.
 *
 * @throws Error of one line with the file, the line and the field
 */
export function parseFile(file: string, text: string): WrittenPolicy[] {
  const lines = new LineCounter();
  // JSON is YAML.
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const written = documents.flatMap((document): WrittenPolicy[] => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem)
      throw new Error(`${file}:${lines.linePos(problem.pos[0]).line}: ${problem.message}`);
    return policiesOf(file, document, lines);
  });
  if (written.length === 0) throw new Error(`${file}: there is no policy in it`);
  return written;
}

function policiesOf(file: string, document: Document, lines: LineCounter): WrittenPolicy[] {
  const root = document.contents;
  const all: unknown = valueOf(file, document);
  if (all === null) return [];
  const nodes: unknown[] = isSeq(root) ? root.items : [root];
  return (Array.isArray(all) ? all : [all]).map((value: unknown, index) => {
    const node = nodes[index];
    const dropped = findDropped(value, 'policy');
    if (dropped) throw new Error(`${file}:${lineOf(node, [], lines)}: ${dropped}`);
    const result = wholePolicy.safeParse(value);
    if (!result.success)
      throw new Error(problemsIn(file, result.error, (at) => lineOf(node, at, lines)));
    return { file, line: lineOf(node, [], lines), document: result.data };
  });
}

function valueOf(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that lead nowhere, or to too much.
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

type Path = readonly PropertyKey[];

/** One line: where, which field and what was expected there. */
function problemsIn(file: string, { issues }: z.ZodError, lineAt: (path: Path) => number): string {
  const shown = issues.slice(0, SHOWN_PROBLEMS).map((issue) => {
    const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const field = issue.path.map(String).join('.');
    return `${file}:${lineAt([...issue.path, ...key])}: ${field && `${field}: `}${issue.message}`;
  });
  if (issues.length > SHOWN_PROBLEMS) shown.push(`and ${issues.length - SHOWN_PROBLEMS} more`);
  return shown.join('; ');
}

/** Where the field stands, or where it should. */
function lineOf(root: unknown, path: Path, lines: LineCounter): number {
  let node = root;
  let place = isNode(root) ? startOf(root) : 0;
  for (const key of path) {
    const entry = isMap(node)
      ? node.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(key))
      : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(key)] : entry?.value;
    const shown = entry?.key ?? next;
    if (!isNode(shown)) break;
    place = startOf(shown);
    node = next;
  }
  return lines.linePos(place).line;
}

const startOf = (node: Node): number => node.range?.[0] ?? 0;
