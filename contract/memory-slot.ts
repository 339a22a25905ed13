import { z } from 'zod';
import { count, jsonObject, jsonStrings, timestamp } from './fields.ts';

export const MAX_DATA_BYTES = 262_144;
export const MAX_CONTENT_BYTES = 8192;
export const MAX_METADATA_BYTES = 65_536;
export const EMBEDDING_DIMENSIONS = 1536;
/** The default and maximum number of items in a list slot. */
export const MAX_LIST_ITEMS = 10_000;

const HUNDRED_YEARS = 100 * 365 * 24 * 60 * 60;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

// Both are part of an index. PostgreSQL allows 2,704 bytes per entry, and a character can take
// four.
export const scopeKey = z.string().min(1).max(500);
export const slotName = z.string().min(1).max(200);
export const embedding = z.array(z.number()).length(EMBEDDING_DIMENSIONS, {
  error: `expected exactly ${EMBEDDING_DIMENSIONS} numbers`,
});

const jsonWithin = (most: number) =>
  z.refine<unknown>(
    (value) => bytesOf(JSON.stringify(value ?? null)) <= most,
    `is larger than ${most} bytes of JSON`,
  );

export const episodicWrite = z
  .object({
    slot_name: slotName,
    scope_key: scopeKey,
    memory_type: z.enum(['dict', 'list', 'value']).default('dict'),
    data: z
      .unknown()
      .refine((data) => data !== undefined, { error: 'is required', abort: true })
      .check(jsonWithin(MAX_DATA_BYTES))
      .meta({ description: 'any JSON; appended to a list slot' }),
    ttl_seconds: z.int().min(1).max(HUNDRED_YEARS).nullish(),
    max_items: z.int().min(1).max(MAX_LIST_ITEMS).nullish().meta({ description: 'for list slots' }),
  })
  .meta({
    examples: [
      {
        slot_name: 'conversation',
        scope_key: 'support:u-17',
        memory_type: 'list',
        data: { role: 'user', text: 'My order has not arrived' },
        max_items: 50,
        ttl_seconds: 86_400,
      },
    ],
  });
export type EpisodicWrite = z.output<typeof episodicWrite>;

export const semanticWrite = z.object({
  slot_name: slotName,
  scope_key: scopeKey,
  content: z
    .string()
    .refine(
      (text) => bytesOf(text) <= MAX_CONTENT_BYTES,
      `is larger than ${MAX_CONTENT_BYTES} bytes of UTF-8`,
    )
    .meta({ description: 'empty text stores nothing' }),
  content_embedding: embedding,
  importance: z.number().min(0).max(1).default(0.7),
  tags: z.array(z.string().max(200)).max(100).nullish(),
  fact_key: z
    .string()
    .max(500)
    .nullish()
    .meta({ description: 'unique per slot and scope: a second write updates the fact' }),
  source_tool: z.string().max(200).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish().check(jsonWithin(MAX_METADATA_BYTES)),
});
export type SemanticWrite = z.output<typeof semanticWrite>;

/** A slot without its embedding, and with only a preview of its content. */
export const memorySummary = z.object({
  id: z.string(),
  type: z.enum(['episodic', 'semantic']),
  memory_type: z.enum(['dict', 'list', 'value']).nullable(),
  scope_key: z.string(),
  slot_name: z.string(),
  run_id: z.int().meta({ description: 'run that last wrote it' }),
  preview: z.string(),
  size_bytes: count,
  item_count: count.nullable().meta({ description: 'number of items in a list slot, else null' }),
  max_items: count.nullable(),
  importance: z.number().nullable(),
  tags: jsonStrings,
  fact_key: z.string().nullable(),
  source_tool: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: timestamp.nullable(),
});

export const memoryRecord = memorySummary.extend({
  data: z
    .unknown()
    .meta({ description: 'data of an episodic slot; for a list, its items, oldest first' }),
  truncated: z
    .boolean()
    .meta({ description: 'true: the list has older items that are not in `data`' }),
  content: z.string().nullable().meta({ description: 'text of a semantic slot' }),
  metadata: jsonObject.nullable(),
});

/** A slot in a list. It includes its data if that takes at most 10,000 bytes. */
export const listedMemory = memoryRecord.extend({
  truncated: z.boolean().meta({
    description:
      'true: the content is too long for a list and null here; the detail route returns it',
  }),
});

/** A fact as a search result. */
export const recalledFact = memoryRecord.omit({ data: true, truncated: true }).extend({
  similarity: z.number().meta({ description: 'cosine, -1 to 1' }),
  importance: z.number(),
  score: z.number().meta({ description: '0.8 × similarity + 0.2 × importance' }),
});
