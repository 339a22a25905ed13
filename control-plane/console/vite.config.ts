import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { messagesPlugin } from './messages-plugin.ts';

/**
 * Compresses each file once with maximum compression. The control plane sends the compressed
 * copies.
 */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      if (!/^assets\/.*\.(js|css|svg)$/.test(name)) continue;
      const file = join(dir, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [messagesPlugin(), react(), compressedCopies],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A single style sheet: with one per page, the order of rules would depend on the order of
    // visited pages.
    cssCodeSplit: false,
    rolldownOptions: {
      // The durations of plugins are no problem that a user could solve.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // `main.tsx` waits only for these modules: zod must be configured before any file that
            // contains it.
            {
              name: 'first',
              test: /console\/src\/(display|strict-csp|language\/(catalogs|i18n|languages|load-language))\.ts$|@lingui\/(core|message-utils)|@messageformat/,
              priority: 1,
            },
            // Code shared by several pages goes into one file instead of fifty.
            { name: 'shared', test: /console\/src\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
});
