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
import type { PolicyDocument } from '#contract/policy-document.ts';
import { findProtoMember } from '../../http/storable.ts';
import { policyFileSchema } from '../document-rules.ts';

/** A policy in a file, with its position. */
export interface WrittenPolicy {
  file: string;
  line: number;
  document: PolicyDocument;
}

const MAX_PROBLEMS = 5;

/**
 * Parses a YAML or JSON file with one policy, a list of policies or several documents.
 *
 * @throws Error with a one-line message: file, line and field
 */
export function parseFile(file: string, text: string): WrittenPolicy[] {
  const lines = new LineCounter();
  // Every JSON file is also valid YAML.
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const written = documents.flatMap((document): WrittenPolicy[] => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem)
      throw new Error(`${file}:${lines.linePos(problem.pos[0]).line}: ${problem.message}`);
    return policiesOf(file, document, lines);
  });
  if (written.length === 0) throw new Error(`${file}: contains no policy`);
  return written;
}

function policiesOf(file: string, document: Document, lines: LineCounter): WrittenPolicy[] {
  const root = document.contents;
  const all: unknown = valueOf(file, document);
  if (all === null) return [];
  const nodes: unknown[] = isSeq(root) ? root.items : [root];
  return (Array.isArray(all) ? all : [all]).map((value: unknown, index) => {
    const node = nodes[index];
    const dropped = findProtoMember(value, 'policy');
    if (dropped) throw new Error(`${file}:${lineOf(node, [], lines)}: ${dropped}`);
    const result = policyFileSchema.safeParse(value);
    if (!result.success)
      throw new Error(problemsIn(file, result.error, (at) => lineOf(node, at, lines)));
    return { file, line: lineOf(node, [], lines), document: result.data };
  });
}

function valueOf(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // This reports aliases that are unresolved or expand too far.
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

type Path = readonly PropertyKey[];

/** Describes problems in one line, with the position, the field and the expected value of each. */
function problemsIn(file: string, { issues }: z.ZodError, lineAt: (path: Path) => number): string {
  const described = issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const field = issue.path.map(String).join('.');
    return `${file}:${lineAt([...issue.path, ...key])}: ${field && `${field}: `}${issue.message}`;
  });
  if (issues.length > MAX_PROBLEMS) described.push(`and ${issues.length - MAX_PROBLEMS} more`);
  return described.join('; ');
}

/** Returns the line of the field, or of its closest existing ancestor. */
function lineOf(root: unknown, path: Path, lines: LineCounter): number {
  let node = root;
  let position = isNode(root) ? startOf(root) : 0;
  for (const key of path) {
    const entry = isMap(node)
      ? node.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(key))
      : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(key)] : entry?.value;
    const described = entry?.key ?? next;
    if (!isNode(described)) break;
    position = startOf(described);
    node = next;
  }
  return lines.linePos(position).line;
}

const startOf = (node: Node): number => node.range?.[0] ?? 0;
