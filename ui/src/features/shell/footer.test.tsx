import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderAt } from '@/testing/render';
import { nusrat, signedInAs } from '@/testing/server';

const linksOf = (selector: 'header' | 'footer') =>
  [...document.querySelectorAll(`${selector} a`)].map((link) => [link.textContent, link.getAttribute('href')]);

it('the footer leads to every public page, and the header to the market, the login and the sign-up', async () => {
  renderAt('/terms');
  await screen.findByRole('heading', { level: 1, name: 'Terms' });
  expect(linksOf('footer')).toEqual(
    expect.arrayContaining([
      ['About us', '/aboutus'],
      ['Our leaders', '/ourleaders'],
      ['Government papers', '/papers'],
      ['Contact us', '/contactus'],
      ['Report a bug', '/reportabug'],
      ['Terms', '/terms'],
      ['Privacy', '/privacy'],
      ['Marketplace', '/explore'],
    ]),
  );
  expect(linksOf('header')).toEqual(
    expect.arrayContaining([
      ['Marketplace', '/explore'],
      ['Login', '/login'],
      ['Join', '/signup'],
    ]),
  );
});

it('the footer of the landing page leads to the sign-up', async () => {
  renderAt('/');
  const start = within(await screen.findByRole('contentinfo')).getByRole('link', { name: 'Start a Transaction' });
  expect(start).toHaveAttribute('href', '/signup');
});

it('members have a line of it, and none on pages that fill the window', async () => {
  signedInAs(nusrat);
  const { router } = renderAt('/dashboard');
  await screen.findByRole('heading', { level: 1, name: 'nusrat' });
  expect(linksOf('footer')).toEqual([
    ['Help', '/support'],
    ['About us', '/aboutus'],
    ['Terms', '/terms'],
    ['Privacy', '/privacy'],
  ]);
  await router.navigate({ to: '/deal' });
  await screen.findByRole('heading', { level: 1, name: 'Manage Deals' });
  expect(screen.queryByRole('contentinfo')).toBeNull();
});
