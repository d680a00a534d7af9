import { describe, expect, it } from 'vitest';
import type { DealStatus } from '@/api/contract';
import { aDeal, nusrat } from '@/testing/server';
import { allowed, troubles } from './allowed';
import { firstTab, moveOf, shortId, splitByTab, titleOf, viewOf, wordsOf } from './deal';

const tanvir = { ...nusrat, _id: 'u-tanvir', username: 'tanvir' };

describe('the title of a deal', () => {
  it.each([
    ['Ranna Ghor 24', 'Ranna Ghor 24'],
    ['  Logo for Kashful.\r\nTwo directions, two rounds.', 'Logo for Kashful'],
    ['Wait...', 'Wait...'],
    [
      'Samsung Galaxy A54, 8/256 GB. With the box, the charger and eleven months of the warranty.',
      'Samsung Galaxy A54, 8/256 GB',
    ],
    [
      'Samsung Galaxy A54 with the box, the charger and eleven months of the official warranty left',
      'Samsung Galaxy A54 with the box, the charger and eleven months of the…',
    ],
    ['রান্নাঘর ২৪ চ্যানেল। এর ৩১৮টি ভিডিও, ব্র্যান্ড অ্যাকাউন্ট এবং একই নামের ফেসবুক পেজ, সবই এই দামে।', 'রান্নাঘর ২৪ চ্যানেল'],
    ['', ''],
  ])('%j is %j', (description, title) => expect(titleOf(description)).toBe(title));

  it('cuts a line without spaces, and never in the middle of a letter', () => {
    expect(titleOf(`https://example.com/${'a'.repeat(100)}`)).toBe(`https://example.com/${'a'.repeat(52)}…`);
    expect(titleOf('কি'.repeat(60))).toBe(`${'কি'.repeat(35)}ক…`);
  });

  it('is not repeated over the rest of the description', () => {
    expect(wordsOf('Logo for Kashful\n\nTwo directions.\nTwo rounds.')).toBe('Two directions.\nTwo rounds.');
    expect(wordsOf('Logo for Kashful')).toBe('Logo for Kashful');
    const long = `${'A very long first line that goes on '.repeat(4)}\nand more`;
    expect(wordsOf(long)).toBe(long);
  });
});

it('the short id is the end of the id, which differs between deals of one day', () => {
  expect(shortId('0193a1b2-7a1b-7c2d-8e3f-9a0b7f3a91c2')).toBe('7f3a-91c2');
});

describe('tabs', () => {
  const deals = (...statuses: DealStatus[]) => statuses.map((status, index) => aDeal({ _id: `d-${index}`, status }));

  it('hold their own status, and Cancelled all three kinds of it, in the order of the list', () => {
    const tabs = splitByTab(
      deals(
        'Cancelled by Seller',
        'Active',
        'Cancelled',
        'Late',
        'Active',
        'Cancelled by Buyer',
        'Completed',
        'Delivered',
        'Pending',
      ),
    );
    const ids = Object.fromEntries(Object.entries(tabs).map(([tab, list]) => [tab, list.map(({ _id }) => _id)]));
    expect(ids).toEqual({
      pending: ['d-8'],
      active: ['d-1', 'd-4'],
      late: ['d-3'],
      delivered: ['d-7'],
      completed: ['d-6'],
      cancelled: ['d-0', 'd-2', 'd-5'],
    });
  });

  it('open at the first that has something', () => {
    expect(firstTab(splitByTab(deals('Completed', 'Late')))).toBe('late');
    expect(firstTab(splitByTab([]))).toBe('pending');
  });
});

describe('what each side can do', () => {
  const now = Date.parse('2026-11-24T00:00:00Z');
  const soon = '2026-11-25T00:00:00Z';
  const before = '2026-11-23T00:00:00Z';

  it.each([
    ['Pending', {}, 'pay', ['pay', 'remove'], 'waitPay', ['remove']],
    ['Active', { exitAt: soon }, 'waitDelivery', ['release', 'request'], 'deliver', ['deliver', 'giveUp']],
    ['Late', { exitAt: soon }, 'waitDelivery', ['release', 'request'], 'deliver', ['deliver', 'giveUp']],
    ['Late', { exitAt: before }, 'waitDelivery', ['release', 'leave'], 'deliver', ['deliver', 'giveUp']],
    ['Late', { requestsLeft: 0 }, 'waitDelivery', ['release'], 'deliver', ['deliver', 'giveUp']],
    ['Active', { cancellationRequested: true }, 'waitAnswer', ['release'], 'answer', ['accept', 'refuse', 'giveUp']],
    [
      'Late',
      { cancellationRequested: true, exitAt: before },
      'waitAnswer',
      ['release', 'leave'],
      'answer',
      ['accept', 'refuse', 'giveUp'],
    ],
    ['Delivered', {}, 'check', ['release', 'reset', 'request'], 'waitCheck', ['giveUp']],
    ['Delivered', { requestsLeft: 0 }, 'check', ['release'], 'waitCheck', ['giveUp']],
    ['Completed', {}, 'closed', [], 'closed', []],
    ['Cancelled', {}, 'closed', [], 'closed', []],
    ['Cancelled by Buyer', {}, 'closed', [], 'closed', []],
    ['Cancelled by Seller', {}, 'closed', [], 'closed', []],
  ] as const)('%s %j', (status, over, buyersMove, buyerCan, sellersMove, sellerCan) => {
    const deal = { ...aDeal({ status, ...over }), timeline: [] };
    expect(moveOf(deal, 'buyer')).toBe(buyersMove);
    expect(allowed(viewOf(deal, nusrat, now))).toEqual(buyerCan);
    expect(moveOf(deal, 'seller')).toBe(sellersMove);
    expect(allowed(viewOf(deal, tanvir, now))).toEqual(sellerCan);
  });

  it('keeps what is only for trouble behind its button', () => {
    const deal = { ...aDeal({ status: 'Delivered' }), timeline: [] };
    expect(troubles(viewOf(deal, nusrat, now))).toEqual(['reset', 'request']);
    expect(troubles(viewOf(deal, tanvir, now))).toEqual(['giveUp']);
  });
});
