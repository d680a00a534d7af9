import { readFileSync } from 'node:fs';
import { keyOfRoute } from '../../tools/prerender-chunks.js';

type Manifest = Record<string, { file: string }>;

/** The chunk of a source; chunk files are named by content. */
export function chunkOf(source: string): string {
  const manifest = JSON.parse(readFileSync(new URL('../../dist/.vite/manifest.json', import.meta.url), 'utf8')) as Manifest;
  const route = /^src\/routes\/(.+)\.tsx$/.exec(source)?.[1];
  const chunk = manifest[(route && keyOfRoute(manifest, route)) ?? source];
  if (!chunk) throw new Error(`${source} is no chunk of the build`);
  return `/${chunk.file}`;
}
