import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CATEGORIES } from '@/entities/post/categories';
import { SUBCATEGORIES } from '@/entities/post/subcategories';
import { renderAt } from '@/testing/render';

it('names all categories, and starts with the promise of a safe sale', async () => {
  renderAt('/');
  expect((await screen.findAllByRole('link', { name: 'Start a Transaction' }))[0]).toHaveAttribute('href', '/signup');
  for (const category of CATEGORIES) {
    const heading = await screen.findByRole('heading', { level: 3, name: category });
    const names = within(heading.parentElement ?? heading)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(names.toSorted()).toEqual([...SUBCATEGORIES[category]].toSorted());
  }
});
