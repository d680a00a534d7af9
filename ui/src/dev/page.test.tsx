import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { queryClient } from '@/testing/query-client';
import { ComponentsPage, GROUPS } from './page';

const names = GROUPS.flatMap(({ parts }) => Object.keys(parts));
const files = Object.keys(import.meta.glob('../components/ui/*.tsx')).filter((file) => !file.includes('.test.'));
const uiParts = files.map((file) => file.replace(/^.*\/|\.tsx$/g, ''));

async function open() {
  const router = createRouter({
    routeTree: createRootRoute({ component: ComponentsPage }),
    history: createMemoryHistory(),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1, name: 'Components' });
}

describe('the component page', () => {
  it('names each part once', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(uiParts)('has a section about %s of components/ui', (name) => {
    expect(names).toContain(name);
  });

  it('shows in each section the part that it is about', async () => {
    await open();
    // Toasts appear on a press only.
    for (const name of uiParts.filter((part) => part !== 'sonner')) {
      const section = screen.getByRole('region', { name });
      expect(section.querySelector(`[data-slot^="${name}"]`), name).not.toBeNull();
    }
  });

  it('stands in both languages without a complaint of React', async () => {
    const complaints = vi.spyOn(console, 'error');
    await open();
    await act(() => setLanguage('bn'));
    expect(screen.getByRole('link', { name: 'button' })).toBeInTheDocument();
    await act(() => setLanguage('en'));
    expect(complaints).not.toHaveBeenCalled();
  });
});
