import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const OXLINT = join(import.meta.dirname, '../node_modules/oxlint/bin/oxlint');

/**
 * Tests one of our rules: oxlint must report for each file, whose path is below ui, one finding for
 * each text in `says`, which contains it.
 */
export function testRule(rule, files) {
  const found = lint(rule, files);
  it.each(files.map((file, index) => ({ ...file, index })))('$path: $code', ({ says, index }) => {
    expect(found[index]).toEqual(says.map((text) => expect.stringContaining(text)));
  });
}

/** What a rule says of each file. Each is in a folder ui of its own, so that paths may repeat. */
function lint(rule, files) {
  const root = mkdtempSync(join(tmpdir(), 'rule-'));
  try {
    const rules = { [`local/${rule}`]: 'error' };
    const jsPlugins = [join(import.meta.dirname, 'lint-rules.js')];
    writeFileSync(
      join(root, 'config.json'),
      JSON.stringify({ categories: { correctness: 'off' }, plugins: [], jsPlugins, rules }),
    );
    files.forEach(({ path, code }, index) => {
      const file = join(root, String(index), 'ui', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    });
    const { stdout } = spawnSync(process.execPath, [OXLINT, '-c', 'config.json', '-f', 'json'], { cwd: root, encoding: 'utf8' });
    const found = files.map(() => []);
    for (const { filename, message } of JSON.parse(stdout).diagnostics) found[filename.split('/')[0]].push(message);
    return found;
  } finally {
    rmSync(root, { recursive: true });
  }
}
