import { execFileSync } from 'node:child_process';

const run = (script: string, input: string, ...args: string[]): string =>
  execFileSync('python3', ['-c', script, ...args], { input, encoding: 'utf8' });

const TO_JSON = `
import json, plistlib, sys
print(json.dumps([plistlib.loads(xml.encode(), fmt=plistlib.FMT_XML) for xml in json.load(sys.stdin)],
                 default=lambda data: "data:" + data.hex()))`;

type Read = Record<string, unknown>;

/** Reads XML property lists with Python. Binary data becomes `data:<hex>`. */
export const readAllWithPython = (xmls: string[]): Read[] =>
  JSON.parse(run(TO_JSON, JSON.stringify(xmls))) as Read[];

export const readWithPython = (xml: string): Read => readAllWithPython([xml])[0] as Read;

const UUID5 = 'import sys, uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, sys.argv[1]))';
const uuids = new Map<string, string>();

/** Computes with Python the UUIDv5 of a name in the namespace of URLs, in upper case. */
export function pythonsUuid(name: string): string {
  const uuid = uuids.get(name) ?? run(UUID5, '', name).trim().toUpperCase();
  uuids.set(name, uuid);
  return uuid;
}
