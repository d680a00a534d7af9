import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const PATH = '/dev/components';
/** What the page has instead of the application's. Both are there once. */
const PARTS = { '/src/main.tsx': '/src/dev/main.tsx', '<title>Amanat</title>': '<title>Components | Amanat</title>' };

/**
 * Serves src/dev at /dev/components, in `vite dev` alone: the page is index.html with another
 * script. It is neither a route nor an entry, so that no build has anything of it.
 */
export function componentPage(): Plugin {
  return {
    name: 'component-page',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = request.originalUrl ?? '';
        if (url.split('?')[0] !== PATH) {
          next();
          return;
        }
        let html = readFileSync(resolve(server.config.root, 'index.html'), 'utf8');
        for (const [part, own] of Object.entries(PARTS)) {
          if (!html.includes(part)) throw new Error(`component page: index.html has no ${part}`);
          html = html.replace(part, own);
        }
        server.transformIndexHtml(url, html).then((page) => {
          response.setHeader('Content-Type', 'text/html');
          response.end(page);
        }, next);
      });
    },
  };
}
