import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { historyIndex, markPrerendered } from './router-internals';

function aRouter({ isServer = false } = {}) {
  const root = createRootRoute({ component: () => <Outlet /> });
  const routes = ['/', '/login'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => <h1>{path}</h1> }),
  );
  const history = createMemoryHistory({ initialEntries: ['/'] });
  return createRouter({ routeTree: root.addChildren(routes), history, isServer });
}

describe('the router', () => {
  it('numbers the entries of the history in history.state.__TSR_index', async () => {
    const router = aRouter();
    const index = () => historyIndex(router.state.location);
    const moved = async (move: () => unknown, expected: number) => {
      await act(async () => {
        await move();
        await router.load();
      });
      expect(index(), 'history.state.__TSR_index is not what historyIndex (router-internals.ts) takes it for').toBe(expected);
    };
    await moved(() => undefined, 0);
    await moved(() => router.navigate({ to: '/login' }), 1);
    await moved(() => router.navigate({ to: '/', replace: true }), 1);
    await moved(() => router.history.back(), 0);
  });

  /** React's warnings when this document is hydrated. */
  async function complaints(html: string, prepare: (router: ReturnType<typeof aRouter>) => void) {
    const complain = vi.fn();
    const router = aRouter();
    prepare(router);
    await router.load();
    const root = document.createElement('div');
    root.innerHTML = html;
    const heading = root.firstChild;
    const app = await act(() => hydrateRoot(root, <RouterProvider router={router} />, { onRecoverableError: complain }));
    const kept = root.firstChild === heading;
    act(() => app.unmount());
    return { kept, complaints: complain.mock.calls.length };
  }

  it('hydrates a page of renderToString when router.ssr is set, and only then', async () => {
    const server = aRouter({ isServer: true });
    await server.load();
    const html = renderToString(<RouterProvider router={server} />);
    expect(html).toContain('<h1>/</h1>');
    expect(
      await complaints(html, markPrerendered),
      'markPrerendered (router-internals.ts) no longer lets a page hydrate',
    ).toEqual({
      kept: true,
      complaints: 0,
    });
    expect(
      await complaints(html, () => undefined),
      'the page hydrates without markPrerendered (router-internals.ts): it can be removed',
    ).not.toEqual({ kept: true, complaints: 0 });
  });
});
