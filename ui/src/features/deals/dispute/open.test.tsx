import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACTIVE, aDetail, closePage, held, openDeal, tanvir } from '@/testing/deals';
import { aDispute, disputeChange, room, serveDispute } from '@/testing/disputes';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const bodies: unknown[] = [];

beforeEach(() => {
  sessionStorage.clear();
  serveDispute();
  bodies.length = 0;
  held.deal = aDetail(ACTIVE);
  signedInAs(nusrat);
  server.use(
    http.post('*/api/deals/d-1/dispute', async ({ request }) => {
      bodies.push(await request.json());
      room.dispute = aDispute();
      return disputeChange('dispute_opened', {}, 201);
    }),
  );
});

async function openForm() {
  const app = renderAt('/deal/d-1/dispute');
  await screen.findByRole('heading', { level: 1, name: 'Open a dispute' });
  return {
    ...app,
    text: screen.getByRole('textbox', { name: 'What happened?' }),
    links: screen.getByRole('textbox', { name: /^Links/ }),
    send: screen.getByRole('button', { name: 'Open dispute' }),
  };
}

describe('opening a dispute', () => {
  it('is reached from "Report a problem"', async () => {
    const { user, panel, router } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.click(panel.getByRole('button', { name: 'Report a problem' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('link', { name: /^Open a dispute/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal/d-1/dispute'));
  });

  it.each([
    ['buyer', nusrat, ['Not delivered', 'Not as agreed', 'Broken or incomplete', 'Access was revoked', 'Something else']],
    [
      'seller',
      tanvir,
      ['The buyer does not release the money', 'The buyer asks for more than agreed', 'Threats or insults', 'Something else'],
    ],
  ] as const)('offers the %s reasons of their own', async (_side, who, reasons) => {
    signedInAs(who);
    await openForm();
    expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual(reasons);
  });

  it('needs a reason, words, and links that begin with https', async () => {
    const { user, text, links, send } = await openForm();
    await user.type(links, 'http://example.com');
    await user.click(send);
    expect(await screen.findByText('Choose what is wrong.')).toBeVisible();
    expect(screen.getByText('Write what happened.')).toBeVisible();
    expect(screen.getByText('Each link must begin with https:// and have at most 500 characters.')).toBeVisible();
    expect(said()).toEqual([['error', 'Choose what is wrong.']]);
    await user.clear(links);
    await user.type(links, 'https://a.bd https://b.bd https://c.bd https://d.bd https://e.bd https://f.bd');
    await user.type(text, 'It is another channel.');
    await user.click(send);
    expect(await screen.findByText('At most 5 links.')).toBeVisible();
    expect(bodies).toEqual([]);
  });

  it('sends what was written and leads to the dispute', async () => {
    const { user, text, links, send, router } = await openForm();
    await user.click(screen.getByRole('radio', { name: 'Not as agreed' }));
    await user.type(text, '  It is another channel. ');
    await user.type(links, 'https://example.com/a\nhttps://example.com/b');
    await user.click(send);
    await waitFor(() => expect(router.state.location.pathname).toBe('/disputes/x-1'));
    expect(bodies).toEqual([
      {
        reason: 'not_as_agreed',
        text: 'It is another channel.',
        links: ['https://example.com/a', 'https://example.com/b'],
        pictures: [],
      },
    ]);
    expect(said()).toEqual([['success', 'Dispute opened']]);
    expect(await screen.findByRole('heading', { level: 1, name: 'Dispute' })).toBeVisible();
  });

  it('keeps what was typed through a failure and another page', async () => {
    server.use(http.post('*/api/deals/d-1/dispute', () => HttpResponse.error(), { once: true }));
    const { user, text, send } = await openForm();
    await user.click(screen.getByRole('radio', { name: 'Not delivered' }));
    await user.type(text, 'Nothing came.');
    await user.click(send);
    await waitFor(() => expect(said()).toEqual([['error', 'The dispute could not be opened']]));
    closePage();
    expect((await openForm()).text).toHaveValue('Nothing came.');
    expect(screen.getByRole('radio', { name: 'Not delivered' })).toBeChecked();
  });

  it('is not possible before the payment, and leads to the dispute that runs', async () => {
    held.deal = aDetail();
    renderAt('/deal/d-1/dispute');
    expect(await screen.findByText(/open a dispute while Amanat holds the money/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Open dispute' })).toBeNull();
    closePage();
    held.deal = aDetail({ ...ACTIVE, dispute: { _id: 'x-1', status: 'open' } });
    const { router } = renderAt('/deal/d-1/dispute');
    await waitFor(() => expect(router.state.location.pathname).toBe('/disputes/x-1'));
  });
});
