import { readFileSync } from 'node:fs';

type Manifest = Record<string, { file: string }>;

/** The file that a source became: files of chunks are named by their content alone. */
export function chunkOf(source: string): string {
  const manifest = JSON.parse(readFileSync(new URL('../../dist/.vite/manifest.json', import.meta.url), 'utf8')) as Manifest;
  const found = Object.entries(manifest).find(([key]) => key === source || key.startsWith(`${source}?tsr-split=`));
  if (!found) throw new Error(`${source} is no chunk of the build`);
  return `/${found[1].file}`;
}
