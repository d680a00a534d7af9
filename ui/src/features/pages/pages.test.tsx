import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { TERMS_VERSION } from '@/lib/rules';
import { renderAt } from '@/testing/render';
import { nusrat, signedInAs } from '@/testing/server';

describe('static pages', () => {
  it.each([
    ['/terms', 'Terms'],
    ['/privacy', 'Privacy'],
    ['/aboutus', 'About us'],
  ])('%s lists its sections, and each leads to one', async (path, title) => {
    renderAt(path);
    await screen.findByRole('heading', { level: 1, name: title });
    expect(document.title).toBe(`${title} | Amanat`);
    const links = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
    for (const link of links) {
      const section = document.querySelector(link.getAttribute('href') ?? '');
      expect(section).toHaveAccessibleName(link.textContent);
    }
    expect(links.length).toBe(screen.getAllByRole('heading', { level: 2 }).length);
  });

  it.each(['/terms', '/privacy'])('%s says its version, which a sign-up accepts', async (path) => {
    renderAt(path);
    expect(await screen.findByText(/^Version 2026-11-01/)).toHaveTextContent(
      `Version ${TERMS_VERSION} · Last updated on 1 November 2026`,
    );
  });

  it('follow a change of the language', async () => {
    renderAt('/terms#fee');
    await screen.findByRole('heading', { level: 2, name: 'What it costs' });
    const sections = [...document.querySelectorAll<HTMLElement>('main section')];
    let collapsed = false;
    const observer = new MutationObserver(() => {
      collapsed ||= document.querySelectorAll('main section').length < sections.length;
      collapsed ||= document.querySelector('[style*="display: none"] section') !== null;
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    await setLanguage('bn');
    await screen.findByRole('heading', { level: 2, name: 'খরচ কত' });
    observer.disconnect();
    expect(collapsed).toBe(false);
    expect(screen.getByText(/১ নভেম্বর, ২০২৬|১ নভেম্বর ২০২৬/)).toBeVisible();
  });

  it('show the header of members to who is signed in', async () => {
    signedInAs(nusrat);
    renderAt('/privacy');
    await screen.findByRole('button', { name: 'Profile menu' });
    expect(screen.queryByRole('link', { name: 'Join' })).toBeNull();
  });

  it('say of leaders and papers that they are samples', async () => {
    const { router } = renderAt('/ourleaders');
    await screen.findByRole('heading', { level: 1, name: 'Our leaders' });
    expect(screen.getByText(/^These are samples\./)).toBeVisible();
    await router.navigate({ to: '/papers' });
    await screen.findByRole('heading', { level: 1, name: 'Government papers' });
    expect(screen.getByText(/^These are samples\./)).toBeVisible();
  });
});

describe('the papers', () => {
  it('are shown large on a click or a key, and the focus comes back', async () => {
    const { user } = renderAt('/papers');
    const paper = await screen.findByRole('button', { name: /trade licence with seal/ });
    paper.focus();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Trade licence' });
    expect(within(dialog).getByRole('img', { name: /trade licence/ })).toHaveAttribute('src', '/papers/trade-licence.svg');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(paper).toHaveFocus();
    await user.click(screen.getByRole('button', { name: /bank’s letter/ }));
    await screen.findByRole('dialog', { name: 'Bank document' });
  });
});
