import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import { findPrompt, findVersion, listLabels, listVersions, type PromptKey } from './queries.ts';

export const promptNotFound = ({ prompt_id }: PromptKey): ApiError =>
  new ApiError('not_found', `there is no prompt ${prompt_id}`);

export async function requirePrompt(db: Db, key: PromptKey) {
  const prompt = await findPrompt(db, key);
  if (!prompt) throw promptNotFound(key);
  return prompt;
}

export async function requireVersion(db: Db, key: PromptKey, version: number) {
  const row = await findVersion(db, key, version);
  if (!row) throw new ApiError('not_found', `the prompt has no version ${version}`);
  return row;
}

/**
 * Returns one prompt with all its versions and labels.
 *
 * @throws ApiError `not_found`
 */
export async function promptDetail(db: Db, key: PromptKey) {
  const prompt = await requirePrompt(db, key);
  const versions = await versionSummaries(db, key);
  const labels = versions.flatMap((version) => version.labels).sort();
  return { ...prompt, labels, versions };
}

/** Returns the versions with their labels, newest first. */
export async function versionSummaries(db: Db, key: PromptKey) {
  const versions = await listVersions(db, key);
  const labels = await labelsByVersion(db, key);
  return versions.map((version) => ({ ...version, labels: labels(version.version) }));
}

/** Returns a lookup of labels by prompt. */
export async function labelsByPrompt(db: Db, tenantId: string) {
  return namesBy(await listLabels(db, tenantId), 'prompt_id');
}

/** Returns a lookup of labels by version. */
export async function labelsByVersion(db: Db, { tenant_id, prompt_id }: PromptKey) {
  return namesBy(await listLabels(db, tenant_id, prompt_id), 'version');
}

function namesBy<
  K extends 'prompt_id' | 'version',
  L extends { label: string } & Record<K, unknown>,
>(labels: readonly L[], key: K) {
  const groups = Map.groupBy(labels, (label) => label[key]);
  return (value: L[K]): string[] => (groups.get(value) ?? []).map(({ label }) => label).sort();
}

/**
 * Returns the requested version, or else that of the label, or else the newest.
 *
 * @throws ApiError `not_found`
 */
export async function resolveVersion(
  db: Db,
  prompt: { name: string; latest_version: number },
  key: PromptKey,
  { version, label }: { version?: number | undefined; label?: string | undefined },
): Promise<number> {
  if (version !== undefined) return version;
  if (label === undefined) return prompt.latest_version;
  const labels = await listLabels(db, key.tenant_id, key.prompt_id);
  const match = labels.find((candidate) => candidate.label === label);
  if (!match)
    throw new ApiError('not_found', `the prompt "${prompt.name}" has no label "${label}"`);
  return match.version;
}
