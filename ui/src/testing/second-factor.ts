import { HttpResponse, http } from 'msw';
import type { SecondFactor } from '@/api/contract';
import { noFactor, nusrat, nusratsAccount, server, signedInAs } from './server';

export const CODES = Array.from({ length: 10 }, (_, index) => `7K2M${index}-9XQ4T`);

export const phone = { _id: 'p-1', name: 'My phone', createdAt: '2026-11-08T04:02:00Z', lastUsedAt: null };
export const laptop = { ...phone, _id: 'p-2', name: 'My laptop', lastUsedAt: '2026-11-09T04:02:00Z' };

/** Serves Nusrat's second factor, which tests change in place, and records the calls. */
export function withFactor(over: Partial<SecondFactor> = {}) {
  const factor = { ...noFactor, ...over };
  const calls: string[] = [];
  const on = () => factor.totp || factor.passkeys.length > 0;
  signedInAs({ ...nusrat, secondFactor: on() });
  server.use(
    http.get('*/api/auth/check', () => HttpResponse.json({ ...nusrat, secondFactor: on() })),
    http.get('*/api/auth/second-factor', () => HttpResponse.json(factor)),
    http.get('*/api/auth/me', () => HttpResponse.json(nusratsAccount)),
    http.get('*/api/auth/sessions', () => HttpResponse.json([])),
  );
  const answers = (method: 'post' | 'patch' | 'delete', path: string, answer: () => Response) =>
    server.use(
      http[method](`*/api/${path}`, async ({ request }) => {
        const body = await request.text();
        calls.push(`${request.method} ${path} ${body}`.trim());
        return answer();
      }),
    );
  return { factor, calls, answers };
}

/** The refusal of a session whose confirmation is too old. */
export const unconfirmed = () =>
  HttpResponse.json(
    { code: 'password_required', reason: 'password_again', message: 'Please enter your password again.' },
    { status: 403 },
  );

/** A refusal of a field. */
export const wrong = (field: string, reason: string, message: string) =>
  HttpResponse.json({ code: 'invalid', reason, message, fields: { [field]: message } }, { status: 400 });
