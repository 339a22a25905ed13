import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const LOADED = 'a table that is complete once the module has loaded';
const PER_OBJECT = 'what follows from an object alone, kept as long as that object';
const MARKERS = 'the functions of one pair of marker lines, which do not change';
const PROGRAM = 'a program, not a part of one';

/**
 * State in a module is shared by the whole process, even if it runs two control planes or agents.
 * The state listed here does not depend on anything that differs between them.
 */
const allowed: Readonly<Record<string, string>> = {
  'agent/core/recognition/app-of-process.ts matchCache':
    'what the catalog says of a path, for every agent',
  'agent/core/recognition/app-of-script.ts distributionsByProgram': LOADED,
  'agent/node/capture/enforcement/check-worker.ts redactorFor': PROGRAM,
  'agent/node/capture/reports/report-worker.ts redactorFor': PROGRAM,
  'agent/node/inventory/inventory-worker.ts scanner': PROGRAM,
  'agent/node/coding-agents/codex.ts block': MARKERS,
  'agent/node/coding-agents/goose.ts block': MARKERS,
  'agent/node/tool-checks/codex-hook-file.ts block': MARKERS,
  'agent/packaging/command.ts report': PROGRAM,
  'control-plane/audit/export/read-export.ts oneAtATime': 'one core compresses, for all exports',
  'control-plane/deployment/file-facts.ts reading': 'bounds what the process reads at once',
  'control-plane/deployment/file-facts.ts walking': 'bounds what the process reads at once',
  'control-plane/http/client-certificate.ts ofConnections':
    'a fact of the TLS socket, which belongs to one listener',
  'control-plane/http/decompress.ts inPool': "bounds the use of Node's thread pool, which is one",
  'control-plane/identity/password/passwords.ts hashOnThread': 'one thread hashes for the process',
  'control-plane/otel/clients/goose.ts resourceOf': PER_OBJECT,
  'control-plane/otel/receive-otlp.ts readerOf': PER_OBJECT,
  'control-plane/otel/protocol/content.ts loadProtobuf': 'a module, which is one',
  'control-plane/otel/trace-facts.ts ofResource': PER_OBJECT,
  'control-plane/policies/categories/content.ts checksOf': PER_OBJECT,
  'control-plane/policies/content/checks.ts finding': PER_OBJECT,
  'control-plane/policies/content/scanning.ts scansOf': PER_OBJECT,
  'control-plane/policies/engine/facts.ts limitedUsageOf': PER_OBJECT,
  'control-plane/policies/policy-set.ts compileForTools': PER_OBJECT,
  'control-plane/policies/engine/policy-sets.ts headOf': PER_OBJECT,
  'control-plane/policies/engine/policy-sets.ts namedWhole': PER_OBJECT,
  'control-plane/policies/lib/budget-limits.ts budgetLimits': PER_OBJECT,
  'control-plane/policies/lib/mcp-name.ts toolNamesOf': PER_OBJECT,
  'control-plane/policies/lib/mcp-name.ts toolsOf': PER_OBJECT,
  'control-plane/lib/calendar.ts zones': 'formats of time zones',
  'control-plane/startup/local/main.ts stopping': PROGRAM,
  'control-plane/storage/search/postgres-indexer.ts texts': 'texts of queries, of a thread',
  'domain/redaction/personal-data/calling-codes.ts lengthsByCode': LOADED,
  'domain/redaction/named-secrets/named-secret.ts kinds':
    'what follows from a name alone, for the last names',
  'installer/command.ts report': PROGRAM,
  'sdk/src/default-observer.ts current': 'what `init` has set, for all of the program',
  'sdk/src/default-observer.ts observe': 'what `import { observe }` gives: one for the program',
  'sdk/src/observe-parts.ts dependenciesByObserver': 'also if the program loads the package twice',
  'sdk/src/wrap/observe-method.ts observed': 'also if the program loads the package twice',
};

/** Excludes the console and the window, which run once per browser page. */
const isServed = (path: string): boolean =>
  path.endsWith('.ts') &&
  !/\.test\.ts$|^control-plane\/console\/|^agent\/electron\/renderer\/|\/dist\/|\/testing\//.test(
    path,
  );

const folders = [
  'agent',
  'contract',
  'control-plane',
  'domain',
  'installer',
  'lib',
  'pki',
  'profile-builder',
  'sdk/src',
];
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter(isServed),
);

/** Functions that return something with state: by convention `create…`, and a few in `lib/`. */
const MADE = String.raw`(?:create[A-Z]\w*|loadOnce|memoize|processSingleton|semaphore|startLoop|throttleTrailing)`;
const madeValue = new RegExp(String.raw`^(?:export )?const (\w+)\b(?::[^=]+)? = ${MADE}[<(]`, 'gm');

/**
 * Finds the state of a module: reassigned variables, collections that are filled, and values from
 * functions that return something with state.
 */
function stateOf(text: string): string[] {
  const reassigned = [...text.matchAll(/^(?:export )?let (\w+)/gm)].map(([, name]) => name!);
  const collections = [
    ...text.matchAll(/^(?:export )?const (\w+)\b[^;]*?=\s*new (?:Weak|Lru)?(?:Map|Set)\b/gm),
  ]
    .map(([, name]) => name!)
    .filter((name) => new RegExp(`\\b${name}\\.(set|add|delete|clear)\\(`).test(text));
  const made = [...text.matchAll(madeValue)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'require');
  return [...reassigned, ...collections, ...made];
}

test('state in a module is found', () => {
  expect(stateOf('const seen = new Set<string>();\nseen.add(name);')).toEqual(['seen']);
  expect(stateOf('export const byId: Map<string, A> = new Map();\nbyId.set(a, b);')).toEqual([
    'byId',
  ]);
  expect(stateOf('let last = 0;')).toEqual(['last']);
  expect(stateOf('export const observe: Observe = createObserve(() => 1);')).toEqual(['observe']);
  expect(stateOf('const sizeOf = memoize(measure);')).toEqual(['sizeOf']);
  expect(stateOf('const names = new Set(["a"]);\nnames.has(a);')).toEqual([]);
  expect(stateOf('function f() {\n  const seen = new Set();\n  seen.add(1);\n}')).toEqual([]);
  expect(stateOf('function f() {\n  const sizeOf = memoize(measure);\n}')).toEqual([]);
});

test('state is in values that are created and passed, not in modules', () => {
  expect(sources.length).toBeGreaterThan(1000);
  const found = sources.flatMap((path) =>
    stateOf(readFileSync(join(root, path), 'utf8')).map((name) => `${path} ${name}`),
  );
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
});
