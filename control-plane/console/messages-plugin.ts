import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';

/**
 * Compiles the macros of Lingui, and the catalogs that are imported. The English message stays in the
 * module that uses it, so that English needs no catalog.
 */
export const messagesPlugin = () =>
  lingui({
    configPath: join(import.meta.dirname, 'lingui.config.ts'),
    macroTransform: { macro: { descriptorFields: 'message' } },
    failOnCompileError: true,
  });
