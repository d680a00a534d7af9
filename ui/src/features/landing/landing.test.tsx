import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CATEGORIES } from '@/entities/post/categories';
import { SUBCATEGORIES } from '@/entities/post/subcategories';
import { renderAt } from '@/testing/render';

it('names all categories, and starts with the promise of a safe sale and a link for buyers', async () => {
  renderAt('/');
  expect((await screen.findAllByRole('link', { name: 'Start a Transaction' }))[0]).toHaveAttribute('href', '/signup');
  expect(screen.getByRole('link', { name: 'Found something on Facebook? Send the seller a link.' })).toHaveAttribute(
    'href',
    `/signup?redirect=${encodeURIComponent('/dashboard#link')}`,
  );
  for (const category of CATEGORIES) {
    const heading = await screen.findByRole('heading', { level: 3, name: category });
    const names = within(heading.parentElement ?? heading)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(names.toSorted()).toEqual([...SUBCATEGORIES[category]].toSorted());
  }
});
