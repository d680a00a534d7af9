import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Puts dist/.gitkeep back after a build: the Go side embeds the folder, so it must exist in a fresh checkout. */
export function keepDistFolder(): Plugin {
  let outDir = '';
  return {
    name: 'keep-dist-folder',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      writeFileSync(join(outDir, '.gitkeep'), '');
    },
  };
}
