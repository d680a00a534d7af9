import type { Deposit, DepositReason, DepositSubmitted, DepositWait } from '@/api/contract';
import type { Demo } from './cast';
import { loading, overlay, patched, type Scene, still } from './scene';

const AT = '2026-01-02T04:00:00Z';
const WAIT: DepositWait = { usualMinutes: 27, from: '09:00', to: '23:00', open: true, nextOpenAt: null };
const CLOSED: DepositWait = { ...WAIT, open: false, nextOpenAt: '2026-01-03T03:00:00Z' };

/** A submitted form. */
const receipt = (name: string, search: string, wait: DepositWait): Scene => ({
  ...{ who: 'buyer', name, path: `/deposit?method=Bkash&${search}`, window: true },
  before: (page) =>
    page.route('**/api/auth/deposit', async (route) => {
      const answer = await page.request.get('/api/auth/deposit/history');
      const { deposits } = (await answer.json()) as { deposits: Deposit[] };
      const [known] = deposits;
      const deposit = { ...known, amount: 100, claimedAmount: 100, convertedAmount: 12_300, rate: 123, status: 'pending' };
      const json = {
        ...{ success: true, message: '', wait },
        // An unknown id, so that the receipt stays as it is submitted.
        deposit: {
          ...deposit,
          _id: '00000000-0000-7000-8000-000000000000',
          reason: null,
          reasonCode: null,
          transactionId: '9H7A1B2C3D',
          paymentMethod: 'Bkash',
        },
      };
      await route.fulfill({ status: 201, json: json as DepositSubmitted });
    }),
  act: async (page) => {
    await overlay(page).locator('form').waitFor();
    await overlay(page).locator('form [type=submit]').click();
    await page.locator('[data-slot="deposit-receipt"]').waitFor();
  },
});

/** The dialog after "I have sent". */
export const reported: Scene[] = [
  receipt('deposit-receipt', 'amount=100&trx=9H7A1B2C3D', WAIT),
  receipt('deposit-receipt-deal', 'amount=100&trx=9H7A1B2C3D&deal=0198c0de-0000-7000-8000-000000000001', CLOSED),
];

const checkout = (name: string, over: object): Scene => ({
  ...still('buyer', name, '/balance/checkouts/0198c0de-0000-7000-8000-000000000001'),
  before: (page) =>
    page.route('**/api/checkouts/*', (route) =>
      route.fulfill({
        json: {
          _id: '0198c0de-0000-7000-8000-000000000001',
          amount: 100,
          convertedAmount: 12300,
          url: null,
          dealId: null,
          ...over,
        },
      }),
    ),
});

/** The page of a payment with bKash in each state. */
export const checkouts: Scene[] = [
  checkout('checkout-waiting', { state: 'executing', failure: null }),
  checkout('checkout-left', { state: 'open', failure: null, url: 'https://bkash.example' }),
  checkout('checkout-cancelled', { state: 'failed', failure: 'cancelled' }),
];

/** The page of a deposit in each state. */
export const followed = ({ deposit: id }: Demo): Scene[] => {
  const path = `/balance/deposits/${id}`;
  const as = (name: string, over: Partial<Deposit>, wait = WAIT): Scene =>
    patched(still('buyer', name, path), `/deposits/${id}`, ({ deposit }: { deposit: Deposit }) => ({
      wait,
      deposit: { ...deposit, transactionId: '9H7A1B2C3D', ...over },
    }));
  const failed = (reasonCode: DepositReason, reason: string | null = null) =>
    as(`follow-${reasonCode}`, { status: 'Failed', reasonCode, reason, handledAt: AT });
  return [
    as('follow-pending', { status: 'pending', reason: null, reasonCode: null, handledAt: null }),
    as('follow-closed', { status: 'pending', reason: null, reasonCode: null, handledAt: null, disputed: true }, CLOSED),
    as('follow-credited', { status: 'completed', reason: null, reasonCode: null, handledAt: AT }),
    failed('not_found'),
    failed('other_amount', 'bKash shows ৳9,471.'),
    failed('used_before'),
    failed('retracted'),
    loading('buyer', 'follow', path, `/deposits/${id}`),
  ];
};
