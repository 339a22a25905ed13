import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import linguiMacros from '@lingui/babel-plugin-lingui-macro';
import { getConfig } from '@lingui/conf';
import { lingui } from '@lingui/vite-plugin';
import type { Plugin } from 'vite';

const configPath = join(import.meta.dirname, 'lingui.config.ts');

/**
 * Compiles the macros of Lingui. The English message stays in the module that uses it, so that
 * English needs no catalog. Lingui's compiler in Rust is faster, but npm does not install it with
 * Node 20, and this project may be installed with Node 20.
 */
function macros(): Plugin {
  const linguiConfig = getConfig({ configPath });
  return {
    name: 'lingui-macros',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /from '@lingui\/(?:core|react)\/macro'/ },
      async handler(code, filename) {
        const compiled = await transformAsync(code, {
          filename,
          configFile: false,
          babelrc: false,
          sourceMaps: true,
          parserOpts: { plugins: filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
          plugins: [[linguiMacros, { descriptorFields: 'message', linguiConfig }]],
        });
        return { code: compiled?.code ?? code, map: compiled?.map ?? null };
      },
    },
  };
}

/** The Vite plugins for Lingui: they compile the macros and the imported catalogs. */
export const messagesPlugin = () => [macros(), ...lingui({ configPath, failOnCompileError: true })];
