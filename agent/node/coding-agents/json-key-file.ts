import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { editJson, readJsonObject } from './edit-json.ts';

export interface JsonKeyFile {
  tool: string;
  path: string;
  key: string;
  /** The value of the key, or one line with the reason why there is none. */
  valueOf: (recording: Recording) => { value: object } | { error: string };
  /** Whether an agent wrote the value, even if it was edited since. */
  isOurs: (value: unknown) => boolean;
}

/** A settings file in which the agent writes one key; the rest and its layout stay unchanged. */
export const jsonKeyFile = (file: JsonKeyFile): ManagedFile<Recording> => ({
  tool: file.tool,
  path: file.path,
  withSettings: (present, recording) => withKey(present ?? '', file, recording),
  withoutSettings: (present) => {
    const content = readJsonObject(present);
    if (!content || !file.isOurs(content[file.key])) return present;
    if (Object.keys(content).length === 1) return null;
    return editJson(present, [file.key], undefined);
  },
});

function withKey(
  present: string,
  { key, isOurs, valueOf }: JsonKeyFile,
  to: Recording,
): DesiredContent {
  const content = readJsonObject(present);
  if (!content) return { error: 'is not a JSON object' };
  if (content[key] !== undefined && !isOurs(content[key]))
    return { error: `already has a key "${key}"` };
  const wanted = valueOf(to);
  if ('error' in wanted) return wanted;
  if (JSON.stringify(content[key]) === JSON.stringify(wanted.value)) return { text: present };
  return { text: editJson(present, [key], wanted.value) };
}
