import { z } from 'zod';

const configuration = z.enum(['filter', 'proxy']);
const extension = z.string().min(1);

/**
 * The events of `gatehouse-extensions`, as agent/macos/README.md lists them. `extension` is a bundle
 * id.
 */
const toolEvent = z.union([
  z.object({ event: z.enum(['activated', 'deactivated']), extension, needs_restart: z.boolean() }),
  z.object({ event: z.literal('needs_approval'), extension }),
  z.object({
    event: z.enum(['configured', 'removed']),
    configuration,
    was_present: z.boolean(),
  }),
  z.object({
    event: z.enum(['started', 'stopped']),
    configuration: z.literal('proxy'),
    was_running: z.boolean(),
  }),
  z.object({
    event: z.literal('status'),
    extension,
    state: z.enum(['active', 'needs_approval', 'inactive']),
    versions: z.array(z.string()),
  }),
  z.object({
    event: z.literal('status'),
    configuration,
    present: z.boolean(),
    enabled: z.boolean(),
    /** Only of the proxy. */
    running: z.boolean().optional(),
  }),
  /** `of` is an extension or a configuration; `problem` and `code` are the error of the system. */
  z.object({ event: z.literal('failed'), of: z.string(), problem: z.string(), code: z.number() }),
  z.object({ event: z.literal('done'), ok: z.boolean() }),
]);
export type ToolEvent = z.output<typeof toolEvent>;

/** Returns the events of the output. Other lines, such as events of a later version, are skipped. */
export const parseToolOutput = (text: string): ToolEvent[] =>
  text.split('\n').flatMap((line) => {
    try {
      const read = toolEvent.safeParse(JSON.parse(line));
      return read.success ? [read.data] : [];
    } catch {
      return [];
    }
  });
