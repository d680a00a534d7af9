import type { Plugin } from 'vite';

const CHILDREN = /(const \w+RouteChildren: \w+ = )\{([^{}]+)\}/g;
const NAME = /^( +)\w+:\s+/gm;

/** The generated tree of routes with lists of children in place of objects. The router reads nothing but their values. */
export function childrenAsLists(code: string): string {
  return code.replace(CHILDREN, (_found, start: string, children: string) => `${start}[${children.replace(NAME, '$1')}]`);
}

/** Leaves the names of all routes out of the build: the generated tree has each of them once more, a third of a KB on every page. */
export function routeLists(): Plugin {
  return {
    name: 'route-lists',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /src\/routeTree\.gen\.ts$/ },
      handler(code) {
        const lists = childrenAsLists(code);
        if (lists === code) this.error('The generated tree of routes has no children that route-lists knows.');
        return { code: lists, map: null };
      },
    },
  };
}
