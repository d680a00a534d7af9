import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { beginHydration, completeHydration } from '@/prerender/hydration';
import { deferred } from '@/testing/deferred';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

function languageCall(answer: (language: unknown) => Response) {
  const calls: unknown[] = [];
  server.use(
    http.put('*/api/auth/language', async ({ request }) => {
      const { language } = (await request.json()) as { language: unknown };
      calls.push(language);
      return answer(language);
    }),
  );
  return calls;
}

async function switches(path: string, from: string) {
  const { user } = renderAt(path);
  await screen.findByRole('heading', { level: 1 });
  const [button] = await screen.findAllByRole('button', { name: from });
  if (button) await user.click(button);
  return user;
}

describe('another language', () => {
  it('of a signed-in user is that of his mails, too, and the last choice stays', async () => {
    signedInAs(nusrat);
    const calls = languageCall((language) => HttpResponse.json({ ...nusrat, language }));
    const user = await switches('/refer', 'বাংলা');
    await waitFor(() => expect(document.documentElement.lang).toBe('bn'));
    await user.click(await screen.findByRole('button', { name: 'English' }));
    await waitFor(() => expect(calls).toEqual(['bn', 'en']));
    expect(notices).toEqual([]);
  });

  it('waits until a prerendered page is hydrated', async () => {
    await setLanguage('bn'); // loads its texts in advance
    await setLanguage('en');
    const { user } = renderAt('/terms');
    await screen.findByRole('heading', { level: 1, name: 'Terms' });
    beginHydration();
    const [button] = await screen.findAllByRole('button', { name: 'বাংলা' });
    if (button) await user.click(button);
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.documentElement.lang).toBe('en');
    completeHydration();
    await waitFor(() => expect(document.documentElement.lang).toBe('bn'));
  });

  it('that the server did not take is said, and the page has it all the same', async () => {
    signedInAs(nusrat);
    languageCall(() => HttpResponse.error());
    await switches('/refer', 'বাংলা');
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/^নতুন ভাষাটি শুধু এই ডিভাইসে/)]));
    expect(document.documentElement.lang).toBe('bn');
  });

  it('of a visitor is nobody’s business', async () => {
    const calls = languageCall(() => HttpResponse.json(nusrat));
    await switches('/login', 'বাংলা');
    await waitFor(() => expect(document.documentElement.lang).toBe('bn'));
    expect(calls).toEqual([]);
  });
});

describe('the banner', () => {
  const unverified = { ...nusrat, isVerified: false };

  it('has another link sent, and one only', async () => {
    signedInAs(unverified);
    const sent = deferred();
    let calls = 0;
    server.use(
      http.post('*/api/auth/resend-verification', async () => {
        calls += 1;
        await sent.promise;
        return HttpResponse.json({ message: 'Verification link sent to your email.' });
      }),
    );
    const { user } = renderAt('/dashboard');
    await user.dblClick(await screen.findByRole('button', { name: 'Send again' }));
    sent.resolve();
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Verification link sent to your email.']));
    expect(calls).toBe(1);
  });

  it('says when another may be sent', async () => {
    signedInAs(unverified);
    const body = { message: 'Too many attempts. Please try again later.', code: 'rate_limited' };
    server.use(
      http.post('*/api/auth/resend-verification', () =>
        HttpResponse.json(body, { status: 429, headers: { 'Retry-After': '41' } }),
      ),
    );
    const { user } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(notices[0]?.description).toBe('Try again in 41 seconds.'));
  });

  it('goes when the address was verified elsewhere', async () => {
    signedInAs(unverified);
    server.use(
      http.post('*/api/auth/resend-verification', () => {
        signedInAs(nusrat);
        return HttpResponse.json({ message: 'Your email is already verified.', code: 'conflict' }, { status: 409 });
      }),
    );
    const { user } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(screen.queryByText('Please verify your email.')).toBeNull());
  });
});
