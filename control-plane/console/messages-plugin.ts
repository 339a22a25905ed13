import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import linguiMacros from '@lingui/babel-plugin-lingui-macro';
import { getConfig } from '@lingui/conf';
import { lingui } from '@lingui/vite-plugin';
import type { Plugin } from 'vite';

const configPath = join(import.meta.dirname, 'lingui.config.ts');

/**
 * Compiles the macros of Lingui. The English message stays in the module that uses it, so that English
 * needs no catalog. Lingui's compiler in Rust is faster, but npm does not install it with Node 20, which
 * may be what installs this project.
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

/** The macros, and the catalogs that are imported. */
export const messagesPlugin = () => [macros(), ...lingui({ configPath, failOnCompileError: true })];
