import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { childrenAsLists } from './route-lists';

describe('the tree of routes in the build', () => {
  it('lists what stands around a page without its name', () => {
    const generated = [
      'const AppInboxRouteChildren: AppInboxRouteChildren = {',
      '  AppInboxIdRoute: AppInboxIdRoute,',
      '  AppInboxIndexRoute: AppInboxIndexRoute,',
      '}',
    ].join('\n');
    expect(childrenAsLists(generated)).toBe(
      ['const AppInboxRouteChildren: AppInboxRouteChildren = [', '  AppInboxIdRoute,', '  AppInboxIndexRoute,', ']'].join('\n'),
    );
  });

  it('has every page that the generated one has', () => {
    const generated = readFileSync('src/routeTree.gen.ts', 'utf8');
    const lists = childrenAsLists(generated);
    const children = [...generated.matchAll(/^ {2}(\w+): (\w+),$/gm)].map(([, , route]) => `  ${route},`);
    expect(children.length).toBeGreaterThan(60);
    expect(children.filter((child) => !lists.includes(`\n${child}\n`))).toEqual([]);
    expect(lists).not.toMatch(/RouteChildren = \{/);
  });
});
