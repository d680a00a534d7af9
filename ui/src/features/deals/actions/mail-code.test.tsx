import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { aDetail, COMPLETED, DELIVERED, dealChange, held, openDeal, postponeReview, serveDeal } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);

beforeEach(serveDeal);

/**
 * The server requires a mailed code before the release. Records the keys of releases and the calls
 * about the code.
 */
function wantsCode(mail: () => Response = () => HttpResponse.json({ message: '', outcome: 'mail_code_sent' })) {
  const keys: (string | null)[] = [];
  const codes: unknown[] = [];
  let confirmed = false;
  server.use(
    http.post('*/api/deals/complete/d-1', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      if (!confirmed) {
        const message = 'Please enter the code that we mail you.';
        return HttpResponse.json({ message, code: 'mail_code_required', reason: 'mail_code_needed' }, { status: 403 });
      }
      held.deal = aDetail(COMPLETED);
      return dealChange('deal_completed', held.deal);
    }),
    http.post('*/api/auth/mail-code', () => {
      codes.push('sent');
      return mail();
    }),
    http.post('*/api/auth/confirm-mail-code', async ({ request }) => {
      const body = (await request.json()) as { code: string };
      codes.push(body.code);
      const wrong = 'This code is not right.';
      confirmed = body.code !== '00000000';
      return confirmed
        ? HttpResponse.json({ message: '', outcome: 'mail_code_confirmed' })
        : HttpResponse.json({ message: wrong, code: 'invalid', fields: { code: wrong } }, { status: 400 });
    }),
  );
  return { keys, codes };
}

async function release() {
  postponeReview();
  const app = await openDeal(nusrat, aDetail(DELIVERED));
  await app.user.click(app.panel.getByRole('button', { name: 'Release $480.00' }));
  const ask = within(await screen.findByRole('alertdialog', { name: 'Release $480.00 to tanvir?' }));
  await app.user.click(ask.getByRole('button', { name: 'Release $480.00' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Enter the code from your email' }));
  return { ...app, asked };
}

describe('a release that takes a mailed code', () => {
  it('releasing that takes a mailed code has it sent, asks for it, and goes on under the same key', async () => {
    const { keys, codes } = wantsCode();
    const { user, asked } = await release();
    expect(await asked.findByText('We emailed an 8-digit code to nusrat@example.com.')).toBeVisible();
    const field = asked.getByLabelText('Code from the email');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    await user.keyboard('00000000{Enter}');
    expect(await asked.findByText('This code is not right.')).toBeVisible();
    await user.click(asked.getByRole('button', { name: 'Send another code' }));
    await waitFor(() => expect(codes.at(-1)).toBe('sent'));
    await user.clear(field);
    await user.type(field, '১২৩৪ ৫৬৭৮{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Deal marked as completed']]));
    expect(codes).toEqual(['sent', '00000000', 'sent', '১২৩৪ ৫৬৭৮']);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it('releasing is not done, and nothing said, when the code is not entered', async () => {
    const { keys } = wantsCode();
    const { user, asked } = await release();
    await user.click(asked.getByRole('button', { name: 'Cancel' }));
    const ask = await screen.findByRole('alertdialog', { name: 'Release $480.00 to tanvir?' });
    await waitFor(() => expect(within(ask).getByRole('button', { name: 'Release $480.00' })).toBeEnabled());
    expect(keys).toHaveLength(1);
    expect(said()).toEqual([]);
  });

  it('a code that cannot be mailed now says when, and one that came before can be entered', async () => {
    const message = 'Too many attempts. Please try again later.';
    wantsCode(() => HttpResponse.json({ message, code: 'rate_limited' }, { status: 429, headers: { 'Retry-After': '671' } }));
    const { user, asked } = await release();
    expect(await asked.findByText('Try again in 12 minutes.')).toBeVisible();
    await user.type(asked.getByLabelText('Code from the email'), '12345678{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Deal marked as completed']]));
  });

  it('a code that goes to nobody says what to do first', async () => {
    const message = 'Please verify your email first.';
    wantsCode(() => HttpResponse.json({ message, code: 'conflict', reason: 'verify_first' }, { status: 409 }));
    const { asked } = await release();
    expect(await asked.findByRole('button', { name: 'Send another link' })).toBeVisible();
    expect(asked.queryByLabelText('Code from the email')).toBeNull();
  });
});
