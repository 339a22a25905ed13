import type { PromptContent } from '#contract/prompt-content.ts';
import type { Db } from '../storage/open.ts';
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
export async function storeVersion(db: Db, key: PromptKey, input: NewVersion) {
  const { content, config, ...rest } = input;
  const version = { ...rest, content_hash: contentHash(content) };
  await insertVersion(db, {
    ...key,
    ...version,
    config: JSON.stringify(config),
    content: JSON.stringify(content),
    content_preview: previewOf(content),
  });
  return version;
}
