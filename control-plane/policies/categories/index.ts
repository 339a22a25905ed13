import type { Category } from '../category.ts';
import { approval } from './approval.ts';
import { audit } from './audit.ts';
import { budget } from './budget.ts';
import { content } from './content.ts';
import { endUserBudget } from './end-user-budget.ts';
import { endUserRateLimit } from './end-user-rate-limit.ts';
import { kill } from './kill.ts';
import { llm } from './llm.ts';
import { mcpServerAllowlist } from './mcp-server-allowlist.ts';
import { operations } from './operations.ts';
import { rateLimit } from './rate-limit.ts';
import { safety } from './safety.ts';
import { scheduling } from './scheduling.ts';
import { toolAllowlist } from './tool-allowlist.ts';

/** All categories. To add one, write its file and list it here. */
const all: readonly Category[] = [
  operations,
  rateLimit,
  budget,
  kill,
  llm,
  scheduling,
  endUserBudget,
  endUserRateLimit,
  toolAllowlist,
  mcpServerAllowlist,
  content,
  safety,
  audit,
  approval,
];

const byName = new Map(
  all.flatMap((category) =>
    [category.name, ...(category.aliases ?? [])].map((name) => [name, category] as const),
  ),
);

/** Returns a category by name or alias. */
export const categoryOf = (name: string): Category | undefined => byName.get(name);

export const categoryNames: readonly string[] = all.map(({ name }) => name);
export const categories = all;
