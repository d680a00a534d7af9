import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOfRoute, pathOfRoute, ROUTE_PARTS, routeOfKey } from './prerender-chunks.js';

const ROUTE = `
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
export const Route = createFileRoute('/_app/things')({
  loader: () => [1],
  component: () => <p>Things</p>,
  pendingComponent: () => <p>Wait</p>,
  notFoundComponent: () => <p>None</p>,
});`;
const LAYOUT = `
import { createFileRoute } from '@tanstack/react-router';
export const Route = createFileRoute('/_app')({ component: () => null });`;
const ROOT = `
import { createRootRoute } from '@tanstack/react-router';
export const Route = createRootRoute();`;

it.each([
  ['_app/dashboard', 'dashboard'],
  ['_app/deal.$dealId.index', 'deal/$dealId'],
  ['_app/_money/balance.index', 'balance'],
  ['_admin/admin.disputes_.$id', 'admin/disputes/$id'],
])('%s is the page at /%s', (route, path) => expect(pathOfRoute(route)).toBe(path));

describe('the router’s plugin', () => {
  let root;
  let manifest;

  /** Builds a page as vite.config.ts does. */
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'chunks-')));
    await mkdir(join(root, 'src/routes/_app'), { recursive: true });
    const files = { '__root.tsx': ROOT, '_app.tsx': LAYOUT, '_app/things.tsx': ROUTE };
    for (const [name, code] of Object.entries(files)) writeFileSync(join(root, 'src/routes', name), code);
    writeFileSync(join(root, 'src/main.ts'), "import { routeTree } from './routeTree.gen'; console.log(routeTree);");
    const { output } = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [
        tanstackRouter({
          target: 'react',
          autoCodeSplitting: true,
          codeSplittingOptions: { defaultBehavior: ROUTE_PARTS },
          routesDirectory: join(root, 'src/routes'),
          generatedRouteTree: join(root, 'src/routeTree.gen.ts'),
          tmpDir: join(root, 'tmp'),
        }),
      ],
      build: { write: false, manifest: true, rolldownOptions: { input: 'src/main.ts', external: /^react|^@tanstack/ } },
    });
    manifest = JSON.parse(output.find(({ fileName }) => fileName === '.vite/manifest.json').source);
  }, 60_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('names the page of a route ?tsr-split= with its parts', () => {
    const why = `routeOfKey (prerender-chunks.js) does not know the keys of the manifest: ${Object.keys(manifest).join(' ')}`;
    const pages = Object.keys(manifest).map(routeOfKey);
    expect(pages.filter((page) => page !== null).sort(), why).toEqual(['_app', '_app/things']);
    expect(manifest[keyOfRoute(manifest, '_app/things')].isDynamicEntry, why).toBe(true);
    expect(keyOfRoute(manifest, '_app/others')).toBeUndefined();
  });
});
