import type { McpConfigPlace } from './entry.ts';

const usual = [['mcpServers']];

type Files = Pick<McpConfigPlace, 'homeFiles' | 'projectFiles' | 'systemFiles' | 'single'>;

const place =
  (format: McpConfigPlace['format']) =>
  (client: string, source: string, files: Files, keys: string[][] = usual): McpConfigPlace => ({
    client,
    source,
    format,
    keys,
    ...files,
  });
export const json = place('json');
export const toml = place('toml');
export const yaml = place('yaml');
export const xml = place('xml');
