import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AdminDeposit } from '@/api/contract';
import { renderAt } from '@/testing/render';
import { automaticBkash } from '@/testing/server';
import { aQueuedDeposit, queues } from '../fixtures';

type Sms = NonNullable<AdminDeposit['evidence']>;

/** The SMS of a payment of the ৳9,840 that were reported. */
const sms = (over: Partial<Sms> = {}): Sms => ({
  ...{ state: 'chained', amount: 9840, from: '01912345678', at: '2026-11-30T08:05:00Z', broken: false, code: false },
  ...over,
});

async function openReview(over: Partial<AdminDeposit>) {
  queues([aQueuedDeposit(over)]);
  const page = renderAt('/admin/deposit?tab=all&review=dep-1');
  const drawer = within(await screen.findByRole('dialog', { name: /sabbir reports/ }));
  return { ...page, drawer };
}

const [MATCHES, UNPROVEN] = ['Matches the reported amount', 'The SMS of this account do not add up. Check it in the app.'];
const LESS = '৳840 less than reported';
const CODE = 'The reference is this user’s code';

describe('the SMS of a payment', () => {
  it.each([
    ['proves it', sms(), [MATCHES]],
    ['proves another amount', sms({ amount: 9000 }), [LESS]],
    ['has the code of the user', sms({ code: true, broken: true }), [CODE, UNPROVEN]],
    ['proves more', sms({ amount: 10_000.5 }), ['৳160.50 more than reported']],
    ['does not continue the balance', sms({ state: 'held' }), [UNPROVEN]],
    ['never did', sms({ state: 'ignored', amount: 9000 }), [LESS, UNPROVEN]],
    ['came before others that do not', sms({ broken: true }), [UNPROVEN]],
  ])('%s, which the review says', async (_what, evidence, marks) => {
    const { drawer } = await openReview({ evidence });
    expect(await drawer.findByText(/^SMS: ৳[\d,.]+ from 01912345678, 30 Nov, 14:05$/)).toBeVisible();
    expect([CODE, MATCHES, LESS, '৳160.50 more than reported', UNPROVEN].filter((mark) => drawer.queryByText(mark))).toEqual(
      marks,
    );
  });

  it('is not needed for what bKash itself says', async () => {
    const { drawer } = await openReview({ evidence: sms({ state: 'paid', amount: 9000 }) });
    expect(await drawer.findByText('On the page of bKash: ৳9,000 from 01912345678, 30 Nov, 14:05')).toBeVisible();
    expect(drawer.getByText(LESS)).toBeVisible();
    expect(drawer.queryByText(UNPROVEN)).toBeNull();
  });

  it('has not come yet, where one is expected', async () => {
    automaticBkash();
    const { drawer } = await openReview({});
    expect(await drawer.findByText('No SMS with this ID yet.')).toBeVisible();
  });

  it('is not spoken of where no phone forwards it', async () => {
    automaticBkash();
    const { drawer } = await openReview({ paymentMethod: 'Nagad' });
    await drawer.findByText(/^Reserved for you until/);
    expect(drawer.queryByText(/SMS/)).toBeNull();
  });

  it('says nothing of what is wrong once the deposit is decided', async () => {
    const { drawer } = await openReview({ status: 'completed', evidence: sms({ broken: true, amount: 9000 }) });
    expect(await drawer.findByText('SMS: ৳9,000 from 01912345678, 30 Nov, 14:05')).toBeVisible();
    expect(drawer.queryByText(UNPROVEN)).toBeNull();
    expect(drawer.queryByText(LESS)).toBeNull();
  });
});

describe('the credit that is filled in', () => {
  const values = async (over: Partial<AdminDeposit>) => {
    const { drawer } = await openReview(over);
    const fields = [await drawer.findByLabelText(/^Amount to credit/), drawer.getByLabelText(/^Taka received/)];
    return fields.map((field) => (field as HTMLInputElement).value);
  };
  const large = { claimedAmount: 1500, amount: 1500, convertedAmount: 184_500 };

  it('is what the SMS proves', async () => {
    expect(await values({ evidence: sms({ amount: 9000 }) })).toEqual(['73.17', '9000']);
  });

  it.each([
    ['chained', '184500'],
    ['held', ''],
    ['ignored', ''],
  ] as const)('has the taka of a large credit only if an SMS proves them (%s)', async (state, taka) => {
    expect(await values({ ...large, evidence: sms({ amount: 184_500, state }) })).toEqual(['1500.00', taka]);
  });
});

it('says which of several numbers was shown', async () => {
  const { drawer } = await openReview({ receiver: '01711482390' });
  expect(await drawer.findByText('Number shown')).toBeVisible();
  expect(drawer.getByText('01711-482390')).toBeVisible();
});
