import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDispute, Operation, User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { setLanguage } from '@/i18n';
import { tanvir } from '@/testing/deals';
import { aDecision, aDispute, anOffer, disputeChange, LATER, room, serveDispute } from '@/testing/disputes';
import { doneAs, pendingUntil } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
/** Requests by path and body. */
const calls: [path: string, body: unknown][] = [];
const ANSWERED = { answeredAt: '2026-11-17T04:00:00Z' };
const PAYING: Operation = {
  ...{ _id: 'op-1', kind: 'deal_settle', status: 'pending', subject: 'deal:d-1', createdAt: '2026-11-18T04:00:00Z' },
};

function on(path: string, answer: () => Response | Promise<Response>, method: 'post' | 'delete' = 'post') {
  server.use(
    http[method](`*/api/disputes/x-1/${path}`, async ({ request }) => {
      const text = await request.text();
      calls.push([path, text ? (JSON.parse(text) as unknown) : null]);
      return answer();
    }),
  );
}

async function openRoom(who: User, over: Partial<DealDispute> = {}) {
  signedInAs(who);
  room.dispute = aDispute(over);
  const app = renderAt('/disputes/x-1');
  await screen.findByRole('heading', { level: 1, name: 'Dispute' });
  return {
    ...app,
    aside: within(screen.getByRole('complementary', { name: 'Next step and decision' })),
    sentence: within(screen.getByRole('main')).getAllByRole('status')[0],
  };
}

const fresh = () => act(() => queryClient.invalidateQueries({ queryKey: keys.disputes }));
const question = async (name: string) => within(await screen.findByRole('alertdialog', { name }));
const facts = (where: HTMLElement) => [...where.querySelectorAll('[data-slot="facts"] dd')].map(({ textContent }) => textContent);

beforeEach(() => {
  sessionStorage.clear();
  serveDispute();
  calls.length = 0;
});

describe('the thread', () => {
  it('shows who said and showed what, with links that lead away safely', async () => {
    await openRoom(tanvir, {
      thread: [
        ...aDispute().thread,
        {
          ...{ _id: 't-2', at: LATER, author: null, role: 'system', kind: 'closed', text: '', links: [], pictures: [] },
          offer: null,
        },
      ],
    });
    const thread = within(screen.getByRole('region', { name: 'What was said' }));
    expect(thread.getByText('The page has another owner.')).toBeVisible();
    expect(thread.getByText('opened the dispute')).toBeVisible();
    expect(thread.getByText('The dispute was closed')).toBeVisible();
    const link = thread.getByRole('link', { name: 'https://example.com/page, opens in a new tab' });
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
    expect(link).toHaveAttribute('target', '_blank');
  });

  it('takes another message and is empty again', async () => {
    on('messages', () => disputeChange('dispute_message_sent', ANSWERED));
    const { user } = await openRoom(nusrat);
    const text = screen.getByRole('textbox', { name: 'Message' });
    await user.type(text, 'One more thing.');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Message sent']]));
    expect(calls).toEqual([['messages', { text: 'One more thing.', pictures: [] }]]);
    await waitFor(() => expect(text).toHaveValue(''));
  });
});

describe('the answer', () => {
  it('is asked of the other party with the time that is left, and sent once', async () => {
    on('answer', () => disputeChange('dispute_answered', ANSWERED));
    const { user, aside, sentence } = await openRoom(tanvir);
    expect(sentence).toHaveTextContent('nusrat opened a dispute. Answer, so that Amanat knows your side.');
    expect(aside.getByText('Answer within')).toBeVisible();
    expect(aside.getByRole('link', { name: 'Write your answer' })).toHaveAttribute('href', '/disputes/x-1#answer');
    await user.click(screen.getByRole('button', { name: 'Send answer' }));
    expect(await screen.findByText('Write what happened.')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'What happened from your side?' }), 'It was agreed.');
    await user.click(screen.getByRole('button', { name: 'Send answer' }));
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Answer sent']));
    expect(calls).toEqual([['answer', { text: 'It was agreed.', links: [], pictures: [] }]]);
    expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Send' })).toBeVisible();
  });

  it('may be late', async () => {
    const { aside } = await openRoom(tanvir, { answerDueAt: '2020-01-01T00:00:00Z' });
    expect(aside.getByText('The answer is late')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send answer' })).toBeVisible();
  });
});

describe('an offer', () => {
  it('that is not confirmed says nothing, and its form stays', async () => {
    const message = 'Please enter the code that we mail you.';
    on('offers', () => HttpResponse.json({ message, code: 'mail_code_required', reason: 'mail_code_needed' }, { status: 403 }));
    server.use(http.post('*/api/auth/mail-code', () => HttpResponse.json({ message: '', outcome: 'mail_code_sent' })));
    const { user, aside } = await openRoom(nusrat, ANSWERED);
    await user.click(aside.getByRole('button', { name: 'Offer a split' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Send offer' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Enter the code from your email' }));
    await user.click(asked.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Send offer' })).toBeEnabled());
    expect(within(dialog).queryByText(message)).toBeNull();
    expect(notices).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  it('shows who gets what as it is typed and slid, and is sent as the server counts it', async () => {
    on('offers', () => disputeChange('offer_made', { offers: [anOffer({ by: 'buyer', buyerGets: 120 })] }));
    const { user, aside } = await openRoom(nusrat, ANSWERED);
    await user.click(aside.getByRole('button', { name: 'Offer a split' }));
    const element = await screen.findByRole('dialog', { name: 'Offer a split' });
    const dialog = within(element);
    const amount = dialog.getByRole('textbox', { name: 'You get back' });
    expect(amount).toHaveValue('240.00');
    await user.clear(amount);
    await user.type(amount, '200');
    expect(facts(element)).toEqual(['$200.00', '$274.40', '$5.60', '$480.00']);
    const slider = dialog.getByRole('slider', { name: 'Buyer’s share in percent' });
    expect(slider).toHaveValue('42');
    fireEvent.change(slider, { target: { value: '25' } });
    expect(amount).toHaveValue('120.00');
    expect(slider).toHaveAttribute('aria-valuetext', '25 percent, $120.00');
    expect(facts(element)).toEqual(['$120.00', '$352.80', '$7.20', '$480.00']);
    await user.click(dialog.getByRole('button', { name: 'Send offer' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Offer sent']]));
    expect(calls).toEqual([['offers', { buyerGets: 120 }]]);
    expect(await aside.findByRole('heading', { name: 'Your offer' })).toBeVisible();
  });

  it('is neither more than the price nor nothing at all', async () => {
    const { user, aside } = await openRoom(nusrat, ANSWERED);
    await user.click(aside.getByRole('button', { name: 'Offer a split' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Offer a split' }));
    const amount = dialog.getByRole('textbox', { name: 'You get back' });
    await user.clear(amount);
    await user.click(dialog.getByRole('button', { name: 'Send offer' }));
    expect(await dialog.findByText('Enter an amount.')).toBeVisible();
    await user.type(amount, '480.01');
    await user.click(dialog.getByRole('button', { name: 'Send offer' }));
    expect(await dialog.findByText('Enter an amount between $0.00 and the price.')).toBeVisible();
    expect(calls).toEqual([]);
  });

  it('of the other is accepted with one click and a question, and the money is followed to its end', async () => {
    on('offers/o-1/accept', () => {
      room.dispute = { ...room.dispute, operation: PAYING };
      return HttpResponse.json({ operation: PAYING }, { status: 202 });
    });
    const settle = pendingUntil(PAYING, () => {
      room.dispute = aDispute({ ...ANSWERED, status: 'settled', offers: [anOffer({ status: 'accepted' })] });
      return { result: doneAs('dispute_settled') };
    });
    const { user, aside, sentence } = await openRoom(nusrat, { ...ANSWERED, offers: [anOffer()] });
    expect(sentence).toHaveTextContent('tanvir offers a split. Accept it, or offer another.');
    expect(aside.getByRole('heading', { name: 'Your turn' })).toBeVisible();
    // The phone's bar has it, too.
    expect(screen.getAllByRole('button', { name: 'Accept and get $200.00' })).toHaveLength(2);
    await user.click(aside.getByRole('button', { name: 'Accept and get $200.00' }));
    const ask = await question('Accept this split?');
    await user.dblClick(ask.getByRole('button', { name: 'Accept and get $200.00' }));
    await waitFor(() => expect(sentence).toHaveTextContent('The money is on its way.'));
    settle();
    await waitFor(() => expect(said()).toEqual([['success', 'Split accepted and paid out']]));
    await waitFor(() => expect(sentence).toHaveTextContent('The dispute is settled: you got $200.00, and tanvir got $274.40.'));
    expect(calls).toHaveLength(1);
    expect(aside.queryByRole('button', { name: /Accept|Offer/ })).toBeNull();
  });

  it.each([nusrat, tanvir])('accepted before $username opened the page is followed to its end', async (who) => {
    const { user, aside, sentence } = await openRoom(who, { ...ANSWERED, offers: [anOffer()], operation: PAYING });
    expect(sentence).toHaveTextContent('The money is on its way.');
    for (const button of aside.getAllByRole('button')) await user.click(button);
    expect(screen.queryByRole('alertdialog') ?? screen.queryByRole('dialog')).toBeNull();
    room.dispute = aDispute({ ...ANSWERED, status: 'settled', offers: [anOffer({ status: 'accepted' })] });
    await waitFor(() => expect(sentence).toHaveTextContent('The dispute is settled: you got'));
    expect(calls).toEqual([]);
  });

  it('that was replaced meanwhile is not accepted by mistake', async () => {
    const { user, aside } = await openRoom(nusrat, { ...ANSWERED, offers: [anOffer()] });
    await user.click(aside.getByRole('button', { name: 'Accept and get $200.00' }));
    await question('Accept this split?');
    room.dispute = aDispute({
      ...ANSWERED,
      offers: [anOffer({ status: 'replaced' }), anOffer({ _id: 'o-2', buyerGets: 1, sellerGets: 469.42, fee: 9.58 })],
    });
    await fresh();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(aside.getByRole('button', { name: 'Accept and get $1.00' })).toBeVisible();
  });

  it('of one’s own is withdrawn', async () => {
    on('offers/o-1', () => disputeChange('offer_withdrawn', { offers: [anOffer({ status: 'withdrawn' })] }), 'delete');
    const { user, aside } = await openRoom(tanvir, { ...ANSWERED, offers: [anOffer()] });
    await user.click(aside.getByRole('button', { name: 'Withdraw offer' }));
    await user.click((await question('Withdraw your offer?')).getByRole('button', { name: 'Withdraw offer' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Offer withdrawn']]));
    expect(aside.queryByRole('heading', { name: 'Your offer' })).toBeNull();
  });
});

describe('a decision', () => {
  const DECIDED = { ...ANSWERED, status: 'decided', decision: aDecision(), canAppeal: true } as const;

  it('is read by both, with the time that is left, and accepted', async () => {
    on('accept', () => disputeChange('decision_accepted', { decision: aDecision({ acceptedByBuyer: true }), canAppeal: false }));
    const { user, aside, sentence } = await openRoom(nusrat, DECIDED);
    expect(sentence).toHaveTextContent('Amanat has made a decision. Accept it, or appeal.');
    expect(aside.getByText('A part of it was delivered.')).toBeVisible();
    expect(aside.getByText('Carried out automatically in')).toBeVisible();
    await user.click(aside.getByRole('button', { name: 'Accept decision' }));
    await user.click((await question('Accept the decision?')).getByRole('button', { name: 'Accept decision' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Decision accepted']]));
    expect(sentence).toHaveTextContent('You accepted the decision. tanvir can still accept it or appeal.');
    expect(aside.queryByRole('button', { name: 'Appeal' })).toBeNull();
  });

  it('is appealed with words, which stay when it fails', async () => {
    on('appeal', () => HttpResponse.error());
    const { user, aside, sentence } = await openRoom(tanvir, DECIDED);
    await user.click(aside.getByRole('button', { name: 'Appeal' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Appeal the decision' }));
    const text = dialog.getByRole('textbox', { name: 'Why is the decision wrong?' });
    await user.type(text, 'All was delivered.');
    await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
    await waitFor(() => expect(said()).toEqual([['error', 'The appeal could not be sent']]));
    expect(text).toHaveValue('All was delivered.');
    on('appeal', () =>
      disputeChange('dispute_appealed', {
        ...{ status: 'appealed', canAppeal: false },
        appeal: { by: 'seller', text: 'All was delivered.', at: LATER },
      }),
    );
    await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentence).toHaveTextContent('Another admin looks at the decision. What they decide is final.');
    expect(aside.getByRole('region', { name: 'Appeal by tanvir' })).toHaveTextContent('All was delivered.');
  });
});

describe('closing it', () => {
  it('is the opener’s, and moves no money', async () => {
    on('close', () => disputeChange('dispute_closed', { status: 'closed', endedAt: LATER }));
    const { user, aside, sentence } = await openRoom(nusrat);
    await user.click(aside.getByRole('button', { name: 'Close the dispute' }));
    await user.click((await question('Close the dispute?')).getByRole('button', { name: 'Close the dispute' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Dispute closed']]));
    expect(sentence).toHaveTextContent('The dispute is closed, and nothing was paid out because of it.');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(aside.getByRole('link', { name: 'Open another dispute' })).toHaveAttribute('href', '/deal/d-1/dispute');
  });

  it('is not the other party’s', async () => {
    const { aside } = await openRoom(tanvir);
    expect(aside.queryByRole('button', { name: 'Close the dispute' })).toBeNull();
  });
});

it('is there in Bangla', async () => {
  const { sentence } = await openRoom(tanvir);
  await act(() => setLanguage('bn'));
  await waitFor(() => expect(sentence).toHaveTextContent('nusrat বিরোধ খুলেছেন।'));
});

it('that is not there leads to the deals', async () => {
  signedInAs(nusrat);
  server.use(
    http.get('*/api/disputes/x-1', () =>
      HttpResponse.json({ code: 'not_found', message: 'Dispute not found.' }, { status: 404 }),
    ),
  );
  renderAt('/disputes/x-1');
  expect(await screen.findByRole('heading', { name: 'Dispute not found' })).toBeVisible();
});
