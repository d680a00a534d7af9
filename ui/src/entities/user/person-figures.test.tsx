import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Profile } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { aProfile } from '@/testing/posts';
import { renderAlone } from '@/testing/render';
import { PersonFigures, typicalHours, typicalTime } from './person-figures';

function valueOf(name: string, over: Partial<Profile> = {}) {
  renderAlone(<PersonFigures profile={aProfile(over)} />);
  return screen.getByRole('button', { name }).closest('dt')?.nextElementSibling?.textContent;
}

afterEach(() => setLanguage('en'));

describe('the success score', () => {
  it.each([
    ['is in counts before five deals are finished', 3, 4, 75, '3 of 4 deals completed'],
    ['is in the singular of one deal', 0, 1, 0, '0 of 1 deal completed'],
    ['has a percentage from the fifth on', 3, 5, 60, '60% 3 of 5 deals completed'],
    ['may be nothing', 0, 6, 0, '0% 0 of 6 deals completed'],
    ['is unknown without any', 0, 0, null, 'No finished deals yet'],
  ])('%s', (_, completedDeals, finishedDeals, successScore, shown) => {
    expect(valueOf('Success score', { completedDeals, finishedDeals, successScore })).toBe(shown);
  });

  it('has groups in its digits', () => {
    expect(valueOf('Success score', { completedDeals: 1_200, finishedDeals: 1_250, successScore: 96 })).toBe(
      '96% 1,200 of 1,250 deals completed',
    );
  });
});

it('is in Bangla, in Bangla digits', async () => {
  await setLanguage('bn');
  expect(valueOf('সাফল্যের হার')).toBe('৯৬% ২৫টি ডিলের ২৪টি সম্পন্ন');
  expect(screen.getByText('সাধারণত ১৮ ঘণ্টার মধ্যে')).toBeVisible();
  expect(screen.getByText('১২ জনের সঙ্গে')).toBeVisible();
});

it.each([
  [1, { unit: 'minutes', count: 1 }],
  [59, { unit: 'minutes', count: 59 }],
  [60, { unit: 'hours', count: 1 }],
  [61, { unit: 'hours', count: 2 }],
  [23 * 60, { unit: 'hours', count: 23 }],
  [24 * 60, { unit: 'days', count: 1 }],
  [24 * 60 + 1, { unit: 'days', count: 2 }],
])('%i minutes are %o', (minutes, shown) => expect(typicalTime(minutes)).toEqual(shown));

it('hours are as many minutes', () => {
  expect(typicalHours(23)).toEqual({ unit: 'hours', count: 23 });
  expect(typicalHours(30)).toEqual({ unit: 'days', count: 2 });
});

describe('what a figure means', () => {
  const tip = () => screen.queryByRole('tooltip');

  it('is read after its name, and shown while the mouse is over it', async () => {
    const { user } = renderAlone(<PersonFigures profile={aProfile()} />);
    const name = screen.getByRole('button', { name: 'Volume' });
    expect(name).toHaveAccessibleDescription('The prices of all completed deals together, as a range.');
    expect(tip()).toBeNull();
    await user.hover(name);
    expect(tip()).toHaveTextContent('The prices of all completed deals');
    await user.unhover(name);
    expect(tip()).toBeNull();
  });

  it('is shown while the keyboard is on it, until Escape', async () => {
    const { user } = renderAlone(<PersonFigures profile={aProfile()} />);
    await user.tab();
    expect(screen.getByRole('button', { name: 'Member since' })).toHaveFocus();
    expect(tip()).toHaveTextContent('When the account was created.');
    await user.tab();
    expect(tip()).toHaveTextContent('Whether the owner has confirmed the address');
    await user.keyboard('{Escape}');
    expect(tip()).toBeNull();
  });

  it('is shown after a tap, until one elsewhere', async () => {
    const { user } = renderAlone(<PersonFigures profile={aProfile()} />);
    const touch = (target: HTMLElement) => user.pointer([{ keys: '[TouchA]', target }]);
    await touch(screen.getByRole('button', { name: 'Answers' }));
    expect(tip()).toHaveTextContent('How long the first reply');
    await touch(screen.getByRole('button', { name: 'Delivers' }));
    expect(tip()).toHaveTextContent('How long buyers wait');
    await touch(document.body);
    expect(tip()).toBeNull();
  });
});
