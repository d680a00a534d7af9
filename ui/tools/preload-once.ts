import type { Plugin, Rolldown } from 'vite';

const routeOf = (chunk: Rolldown.OutputChunk) =>
  /src\/routes\/(.+)\.tsx\?tsr-split=.*[cC]omponent/.exec(chunk.facadeModuleId ?? '')?.[1];

/** A file, the files that it imports, and their style sheets. */
function withImports(bundle: Rolldown.OutputBundle, file: string, files = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (files.has(file) || chunk?.type !== 'chunk') return files;
  files.add(file);
  for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
  for (const imported of chunk.imports) withImports(bundle, imported, files);
  return files;
}

/**
 * Every page carries the list of the files that each page preloads. A page's layout is loaded with it and the entry before it, so that what they
 * preload need not be in the page's list. Chunks of the names `idle` list style sheets alone: they are fetched while nothing waits for them.
 */
export function preloadOnce(idle: string[]): {
  plugin: Plugin;
  resolveDependencies: (file: string, files: string[]) => string[];
} {
  const preloaded = new Map<string, Set<string>>();
  const late = new Set<string>();
  const plugin: Plugin = {
    name: 'preload-once',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const entry = chunks.find(({ isEntry }) => isEntry);
        const routes = new Map(chunks.map((chunk) => [routeOf(chunk), chunk.fileName]));
        for (const chunk of chunks) {
          const files = entry ? withImports(bundle, entry.fileName) : new Set<string>();
          const route = routeOf(chunk) ?? '';
          for (const { index } of route.matchAll(/[/.]/g)) {
            const layout = routes.get(route.slice(0, index));
            if (layout) withImports(bundle, layout, files);
          }
          preloaded.set(chunk.fileName, files);
          if (idle.includes(chunk.name)) late.add(chunk.fileName);
        }
      },
    },
  };
  return {
    plugin,
    resolveDependencies: (file, files) =>
      files.filter((name) => !preloaded.get(file)?.has(name) && (!late.has(file) || name.endsWith('.css'))),
  };
}
