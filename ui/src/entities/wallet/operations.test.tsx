import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '@/api/contract';
import { keys as queryKeys } from '@/entities/keys';
import { api, idempotent, send } from '@/lib/api';
import { ACTIVE, aDetail, dealChange } from '@/testing/deals';
import { doneAs } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAlone } from '@/testing/render';
import { server } from '@/testing/server';
import { operationSettled, useMoneyAction, useOperation } from './operations';

const pending: Operation = {
  _id: 'op-1',
  kind: 'deal_pay',
  status: 'pending',
  subject: 'deal:d-1',
  createdAt: '2026-11-08T04:14:00Z',
};
const said = () => notices.map(({ kind, text }) => [kind, text]);
const says = { success: () => 'Deal activated!', fallback: () => 'Failed to activate deal' };

function Pay() {
  const pay = useMoneyAction({
    ...says,
    call: (_: undefined, key) => send(api.POST('/deals/pay/{id}', { params: { path: { id: 'd-1' } }, headers: idempotent(key) })),
  });
  return (
    <button type="button" onClick={() => pay.run(undefined)}>
      {pay.phase}
    </button>
  );
}

let keys: (string | null)[];
let polls: number;

/** Responses of the pay call in turn; the last one repeats. */
function payAnswers(...answers: (() => Response)[]) {
  server.use(
    http.post('*/api/deals/pay/d-1', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    }),
  );
}

function operationAnswers(...answers: (() => Response)[]) {
  server.use(
    http.get('*/api/operations/op-1', () => {
      polls += 1;
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    }),
  );
}

const done = () => HttpResponse.json({ ...pending, status: 'done', result: doneAs('deal_activated') });
const rejected = () =>
  HttpResponse.json({
    ...pending,
    status: 'rejected',
    error: { code: 'insufficient_balance', reason: 'balance_too_low', message: 'Insufficient balance', shortfall: 20 },
  });
const accepted = () => HttpResponse.json({ operation: pending }, { status: 202 });
const answered = () => dealChange('deal_activated', aDetail(ACTIVE));

beforeEach(() => {
  keys = [];
  polls = 0;
});

describe('useMoneyAction', () => {
  it('is done with a final answer', async () => {
    payAnswers(answered);
    const { user } = renderAlone(<Pay />);
    await user.click(screen.getByRole('button', { name: 'idle' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
    expect(polls).toBe(0);
  });

  it('follows a 202 through lost connections to its end and then says so', async () => {
    payAnswers(accepted);
    operationAnswers(
      () => HttpResponse.json(pending),
      () => HttpResponse.error(),
      done,
    );
    const { user } = renderAlone(<Pay />);
    await user.click(screen.getByRole('button'));
    expect(await screen.findByRole('button', { name: 'processing' })).toBeVisible();
    expect(said()).toEqual([]);
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
    expect(await screen.findByRole('button', { name: 'idle' })).toBeVisible();
    expect(polls).toBe(3);
  }, 12_000);

  it('says the refusal of a rejected operation', async () => {
    payAnswers(accepted);
    operationAnswers(rejected);
    const { user } = renderAlone(<Pay />);
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(said()).toEqual([['error', 'Insufficient balance']]));
  });

  it('finishes although its page was left', async () => {
    payAnswers(accepted);
    operationAnswers(done);
    const { user, unmount } = renderAlone(<Pay />);
    await user.click(screen.getByRole('button'));
    await screen.findByRole('button', { name: 'processing' });
    unmount();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
  });

  it('sends a double click once', async () => {
    payAnswers(accepted);
    operationAnswers(done);
    const { user } = renderAlone(<Pay />);
    await user.dblClick(screen.getByRole('button'));
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(keys).toHaveLength(1);
  });

  it('keeps its key while the outcome is unknown and takes a new one after a final answer', async () => {
    const broke = () => HttpResponse.json({ message: 'Later', code: 'unavailable' }, { status: 503 });
    const refused = () => HttpResponse.json({ message: 'Insufficient balance', code: 'insufficient_balance' }, { status: 409 });
    payAnswers(() => HttpResponse.error(), broke, refused, answered);
    const { user } = renderAlone(<Pay />);
    for (const expected of ['Failed to activate deal', 'Later', 'Insufficient balance', 'Deal activated!']) {
      notices.length = 0;
      await user.click(screen.getByRole('button', { name: 'idle' }));
      await waitFor(() => expect(notices.map(({ text }) => text)).toEqual([expected]));
      await screen.findByRole('button', { name: 'idle' });
    }
    const [lost, unavailable, final, fresh] = keys;
    expect(lost).toMatch(/^[0-9a-f]{32}$/);
    expect([unavailable, final]).toEqual([lost, lost]);
    expect(fresh).not.toBe(lost);
  });
});

describe('an end that the socket tells', () => {
  const heard = (over: Partial<Operation>): void => act(() => operationSettled(queryClient, { ...pending, ...over }));
  const neverAsked = () => operationAnswers(() => HttpResponse.json(pending));

  it('is heard at once, and nobody asks any more', async () => {
    payAnswers(accepted);
    neverAsked();
    const { user } = renderAlone(<Pay />);
    await user.click(screen.getByRole('button'));
    await screen.findByRole('button', { name: 'processing' });
    const before = polls;
    heard({ status: 'done', result: doneAs('deal_activated') });
    expect(await screen.findByRole('button', { name: 'idle' })).toBeVisible();
    expect(said()).toEqual([['success', 'Deal activated!']]);
    expect(polls).toBe(before);
  });

  it('is heard also when it comes before the answer', async () => {
    payAnswers(accepted);
    neverAsked();
    const { user } = renderAlone(<Pay />);
    heard({
      status: 'rejected',
      error: { code: 'insufficient_balance', reason: 'balance_too_low', message: 'Insufficient balance' },
    });
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(said()).toEqual([['error', 'Insufficient balance']]));
    expect(polls).toBe(0);
  });

  it('is no end while it is pending', async () => {
    payAnswers(accepted);
    operationAnswers(done);
    const { user } = renderAlone(<Pay />);
    await user.click(screen.getByRole('button'));
    await screen.findByRole('button', { name: 'processing' });
    heard({});
    expect(screen.getByRole('button', { name: 'processing' })).toBeVisible();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
    expect(polls).toBe(1);
  });
});

/** An action with two intentions; the second moves no money. */
function PayOrDeliver({ done }: { done: (what: string) => void }) {
  const action = useMoneyAction<'pay' | 'deliver'>({
    ...says,
    intention: (what) => what,
    movesMoney: (what) => what === 'pay',
    call: (what, key) => send(api.POST(`/deals/${what}/{id}`, { params: { path: { id: 'd-1' } }, headers: idempotent(key) })),
    onProcessing: () => done('processing'),
    onDone: (_result, what) => done(what),
  });
  return (
    <>
      <button type="button" onClick={() => action.run('pay')}>
        Pay
      </button>
      <button type="button" onClick={() => action.run('deliver')}>
        Deliver
      </button>
    </>
  );
}

describe('a money action that can do several things', () => {
  it('has a key for each of them, and refreshes only for what moves money', async () => {
    payAnswers(() => HttpResponse.error(), accepted);
    operationAnswers(done);
    server.use(
      http.post('*/api/deals/deliver/d-1', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return dealChange('deal_delivered', aDetail(ACTIVE));
      }),
    );
    const seen: string[] = [];
    const { user } = renderAlone(<PayOrDeliver done={(what) => seen.push(what)} />);
    queryClient.setQueryData(queryKeys.wallet, { wallet: 10 });
    const outdated = () => queryClient.getQueryState(queryKeys.wallet)?.isInvalidated;
    await user.click(screen.getByRole('button', { name: 'Deliver' }));
    await waitFor(() => expect(seen).toEqual(['deliver']));
    expect(outdated()).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    await waitFor(() => expect(said()).toHaveLength(2));
    expect(outdated()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Deliver' }));
    await waitFor(() => expect(seen).toEqual(['deliver', 'deliver']));
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    await waitFor(() => expect(seen).toEqual(['deliver', 'deliver', 'processing', 'pay']));
    const [first, lost, second, repeated] = keys;
    expect(repeated).toBe(lost);
    expect(new Set([first, second, lost]).size).toBe(3);
  });
});

describe('useOperation', () => {
  function Found({ operation }: { operation: Operation | undefined }) {
    return <p>{useOperation(operation, says) ? 'Payment processing' : 'settled'}</p>;
  }

  it('finishes by itself an operation that was found on a loaded page', async () => {
    operationAnswers(done);
    renderAlone(<Found operation={{ ...pending, _id: 'op-1' }} />);
    expect(screen.getByText('Payment processing')).toBeVisible();
    expect(await screen.findByText('settled')).toBeVisible();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
  });

  it('says a refusal', async () => {
    operationAnswers(rejected);
    renderAlone(<Found operation={pending} />);
    await waitFor(() => expect(said()).toEqual([['error', 'Insufficient balance']]));
  });

  it('is quiet where nothing is in flight', () => {
    renderAlone(<Found operation={undefined} />);
    expect(screen.getByText('settled')).toBeVisible();
    expect(polls).toBe(0);
  });
});
