import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { ACTIVE, aDetail, closePage, DELIVERED, dealChange, held, openDeal, serveDeal } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const bodies: unknown[] = [];

beforeEach(() => {
  serveDeal();
  bodies.length = 0;
  server.use(
    http.post('*/api/deals/reset-delivery/d-1', async ({ request }) => {
      bodies.push(await request.json());
      held.deal = aDetail({ ...ACTIVE, exitAt: null, requestsLeft: 2, nextAction: 'escalate' });
      return dealChange('delivery_reset', held.deal);
    }),
  );
});

describe('asking for changes', () => {
  async function askForChanges() {
    const app = await openDeal(nusrat, aDetail(DELIVERED));
    await app.user.click(app.panel.getByRole('button', { name: 'Request changes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Ask tanvir for changes?' }));
    const text = dialog.getByRole('textbox', { name: 'What should be changed?' });
    return { ...app, dialog, text, send: dialog.getByRole('button', { name: 'Request changes' }) };
  }

  it('needs words', async () => {
    const { user, dialog, text, send } = await askForChanges();
    expect(dialog.getByText(/The delivery is not accepted. tanvir is notified/)).toBeVisible();
    expect(dialog.getByText('You have 3 of 3 requests left in this deal.')).toBeVisible();
    await waitFor(() => expect(text).toHaveFocus());
    await user.type(text, '   ');
    await user.click(send);
    expect(await dialog.findByText('Say what should be changed.')).toBeVisible();
    expect(said()).toEqual([['error', 'Say what should be changed.']]);
    expect(text).toHaveFocus();
    expect(bodies).toEqual([]);
  });

  it('sends them and says so', async () => {
    const { user, text, send, sentence, panel } = await askForChanges();
    await user.type(text, 'The logo is missing.');
    await user.click(send);
    await waitFor(() => expect(said()).toEqual([['success', 'Changes requested']]));
    expect(bodies).toEqual([{ text: 'The logo is missing.' }]);
    expect(sentence).toHaveTextContent('You requested changes. tanvir must deliver again.');
    await waitFor(() => expect(panel.getByRole('heading', { name: 'Waiting for tanvir' })).toHaveFocus());
  });

  it('keeps them where it fails, and where the deal has moved on', async () => {
    server.use(http.post('*/api/deals/reset-delivery/d-1', () => HttpResponse.error(), { once: true }));
    const { user, text, send } = await askForChanges();
    await user.type(text, 'The logo is missing.');
    await user.click(send);
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to process deal action']]));
    expect(send).toBeEnabled();
    expect(text).toHaveValue('The logo is missing.');
    server.use(
      http.post(
        '*/api/deals/reset-delivery/d-1',
        () => HttpResponse.json({ message: 'No.', code: 'conflict' }, { status: 409 }),
        { once: true },
      ),
    );
    await user.click(send);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    closePage();
    expect((await askForChanges()).text).toHaveValue('The logo is missing.');
  });

  it('is said in Bangla where the page is', async () => {
    const { user, send } = await askForChanges();
    await act(() => setLanguage('bn'));
    await user.click(send);
    expect(await screen.findByText('কী সংশোধন করতে হবে, লিখুন।')).toBeVisible();
  });
});
