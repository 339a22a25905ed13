import type { PromptContent } from '#contract/prompt-content.ts';
import type { Tx } from '../storage/transaction.ts';
import { contentHash } from './content-hash.ts';
import { insertVersion, type PromptKey } from './queries.ts';
import { previewOf } from './rules.ts';

export interface NewVersion {
  version: number;
  content: PromptContent;
  config: object;
  commit_message: string;
  created_by: string;
  created_at: number;
}

/** Stores a version, with the hash and preview of its content. */
export async function storeVersion(tx: Tx, key: PromptKey, input: NewVersion) {
  const { content, config, ...rest } = input;
  const version = { ...rest, content_hash: contentHash(content) };
  await insertVersion(tx, {
    ...key,
    ...version,
    config: JSON.stringify(config),
    content: JSON.stringify(content),
    content_preview: previewOf(content),
  });
  return version;
}
