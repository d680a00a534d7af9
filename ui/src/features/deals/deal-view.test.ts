import { describe, expect, it } from 'vitest';
import type { DealStatus } from '@/api/contract';
import { moveOf } from '@/entities/deal/rules';
import { totalsOf } from '@/testing/deal-lists';
import { SHIPPED } from '@/testing/deals';
import { aDeal, nusrat } from '@/testing/server';
import { allowedActions, troubleActions } from './actions/deal-actions';
import { viewOf, wordsOf } from './deal-view';
import { countByTab, firstTab } from './list/queries';

const tanvir = { ...nusrat, _id: 'u-tanvir', username: 'tanvir' };

it('the title is not repeated over the rest of the description', () => {
  expect(wordsOf('Logo for Kashful\n\nTwo directions.\nTwo rounds.')).toBe('Two directions.\nTwo rounds.');
  expect(wordsOf('Logo for Kashful')).toBe('Logo for Kashful');
  const long = `${'A very long first line that goes on '.repeat(4)}\nand more`;
  expect(wordsOf(long)).toBe(long);
});

describe('tabs', () => {
  const tabs = (...statuses: DealStatus[]) =>
    countByTab(totalsOf(statuses.map((status, index) => aDeal({ _id: `d-${index}`, status }))));

  it('count their own status, and Cancelled all three kinds of it', () => {
    const all: DealStatus[] = ['Cancelled by Seller', 'Active', 'Cancelled', 'Late', 'Active', 'Cancelled by Buyer', 'Delivered'];
    expect(tabs(...all)).toEqual({ pending: 0, active: 2, late: 1, delivered: 1, completed: 0, cancelled: 3 });
  });

  it('open at the first that has something', () => {
    expect(firstTab(tabs('Completed', 'Late'))).toBe('late');
    expect(firstTab(tabs())).toBe('pending');
  });
});

describe('what each side can do', () => {
  const now = Date.parse('2026-11-24T00:00:00Z');
  const soon = '2026-11-25T00:00:00Z';
  const before = '2026-11-23T00:00:00Z';

  it.each([
    ['Pending', {}, 'pay', ['pay', 'remove'], 'waitPay', ['remove']],
    ['Pending', { acceptedAt: null }, 'waitAgree', ['pay', 'remove'], 'agree', ['agree', 'remove']],
    ['Pending', { sellerSuspended: true }, 'blocked', ['remove'], 'waitPay', ['remove']],
    ['Pending', { sellerSuspended: true, acceptedAt: null }, 'blocked', ['remove'], 'agree', ['agree', 'remove']],
    ['Pending', { buyerSuspended: true }, 'pay', ['pay', 'remove'], 'blocked', ['remove']],
    ['Pending', { buyerSuspended: true, acceptedAt: null }, 'waitAgree', ['pay', 'remove'], 'blocked', ['remove']],
    ['Pending', { counterofferBy: 'u-tanvir' }, 'answerCounter', ['remove'], 'waitCounter', ['remove']],
    ['Pending', { counterofferBy: 'u-nusrat', acceptedAt: null }, 'waitCounter', ['remove'], 'answerCounter', ['remove']],
    ['Pending', { counterofferBy: 'u-nusrat', sellerSuspended: true }, 'blocked', ['remove'], 'answerCounter', ['remove']],
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
    [
      'Delivered',
      { shipment: SHIPPED.shipment },
      'receive',
      ['arrived', 'release', 'reset', 'request'],
      'waitArrival',
      ['giveUp'],
    ],
    ['Completed', {}, 'closed', [], 'closed', []],
    ['Cancelled', {}, 'closed', [], 'closed', []],
    ['Cancelled by Buyer', {}, 'closed', [], 'closed', []],
    ['Cancelled by Seller', {}, 'closed', [], 'closed', []],
  ] as const)('%s %j', (status, over, buyersMove, buyerCan, sellersMove, sellerCan) => {
    const deal = { ...aDeal({ status, ...over }), timeline: [] };
    expect(moveOf(deal, 'buyer')).toBe(buyersMove);
    expect(allowedActions(viewOf(deal, nusrat, now))).toEqual(buyerCan);
    expect(moveOf(deal, 'seller')).toBe(sellersMove);
    expect(allowedActions(viewOf(deal, tanvir, now))).toEqual(sellerCan);
  });

  it('keeps what is only for trouble behind its button', () => {
    const deal = { ...aDeal({ status: 'Delivered' }), timeline: [] };
    expect(troubleActions(viewOf(deal, nusrat, now))).toEqual(['request']);
    expect(troubleActions(viewOf(deal, tanvir, now))).toEqual(['giveUp']);
  });
});
