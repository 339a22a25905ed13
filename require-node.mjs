import module from 'node:module';

// This file is imported before any program. The version is the one that runs TypeScript directly
// and has the ABI of the database binary.
const NEEDED = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < NEEDED) {
  process.stderr.write(
    `gatehouse: Node ${NEEDED} is required, but this is ${process.versions.node}. Start with npm run, which uses the Node that npm ci installs.\n`,
  );
  process.exit(1);
}

// Caches the stripped and compiled code, so that later starts take half as long. If the folder is
// not writable, programs start without a cache.
module.enableCompileCache?.(new URL('node_modules/.cache/compiled', import.meta.url).pathname);
