import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Puts dist/.gitkeep back as soon as a build has emptied the folder: the Go side embeds it, so it
 * must exist in a fresh checkout.
 */
export function keepDistFolder(): Plugin {
  let outDir = '';
  return {
    name: 'keep-dist-folder',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    // Not at the end of the build, which a failed one never reaches.
    renderStart: {
      order: 'post',
      sequential: true,
      handler() {
        mkdirSync(outDir, { recursive: true });
        writeFileSync(join(outDir, '.gitkeep'), '');
      },
    },
  };
}
