import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import type { Reason } from '@/i18n/sentences.gen';
import { refusals } from '@/i18n/sentences.gen';
import { ApiError, errorAdvice, errorText, fieldText } from './errors';

const refused = (message: string, code = 'conflict') => new ApiError(409, { message, code });

describe('errorText', () => {
  it('is the server’s message where it wrote one, else the fallback', () => {
    expect(errorText(refused('Insufficient balance'), 'Failed')).toBe('Insufficient balance');
    expect(errorText(ApiError.network(new TypeError('Failed to fetch')), 'Failed')).toBe('Failed');
    expect(errorText(new Error('bug'), 'Failed')).toBe('Failed');
    expect(errorText(undefined)).toBe('Something went wrong');
  });

  it('is in Bangla by the reason, whatever the message says, then by the code, or the fallback', async () => {
    await setLanguage('bn');
    const low = { message: 'Too little.', code: 'insufficient_balance', reason: 'balance_too_low' };
    expect(errorText(new ApiError(409, low))).toBe('যথেষ্ট ব্যালেন্স নেই');
    expect(errorText(refused('Insufficient balance'))).toBe('এর মধ্যে এটি বদলে গেছে। আরেকবার দেখুন।');
    const unknown = { message: 'A sentence of tomorrow.', reason: 'a_reason_of_tomorrow' };
    expect(errorText(new ApiError(404, { ...unknown, code: 'not_found' }))).toBe('এটি নেই, অথবা আপনার নয়।');
    expect(errorText(new ApiError(404, { ...unknown, code: 'a_code_of_tomorrow' }), 'হলো না')).toBe('হলো না');
  });

  it('has its figures and moments in Bangla, and names as their bearers write them', async () => {
    await setLanguage('bn');
    const text = (reason: Reason, params: Record<string, string | number>) =>
      errorText(new ApiError(409, { message: refusals[reason], code: 'conflict', reason, params }));
    expect(text('name_too_long', { count: 1000 })).toBe('নামে সর্বোচ্চ ১,০০০টি অক্ষর থাকতে পারে।');
    expect(text('claimed_by', { name: 'admin2' })).toBe('admin2 এই অনুরোধটি দেখছেন।');
    expect(text('handled_by', { name: '$& {time}', time: '2019-11-07T18:14:00Z' })).toBe(
      '$& {time} এটি আগেই সামলেছেন (৮ নভে, ২০১৯, রাত ১২:১৪)।',
    );
    expect(text('withdrawal_too_small', { amount: 5 })).toBe('কমপক্ষে $৫.০০ তুলতে হবে।');
    expect(text('rate_jump', { from: 122.4, to: 140 })).toContain('১২২.৪০ থেকে ১৪০.০০');
    expect(text('image_too_large', { limit: '5 MiB' })).toContain('৫ MiB');
  });
});

describe('errorAdvice', () => {
  const failed = new ApiError(500, { message: 'Something went wrong', code: 'internal', reference: '7F3K-9Q2M' });

  it('tells the code that support finds an unexpected failure by', async () => {
    expect(errorAdvice(failed)).toBe('The problem is on our side. Try again in a moment. Code for support: 7F3K-9Q2M');
    await setLanguage('bn');
    expect(errorAdvice(failed)).toContain('কোডটি জানান: 7F3K-9Q2M');
  });

  it('has no code for a refusal, nor where no answer came back', () => {
    expect(errorAdvice(refused('Insufficient balance'))).toBeNull();
    expect(errorAdvice(ApiError.network(new TypeError('Failed to fetch')))).toBe('Check your connection and try again.');
    expect(errorAdvice(new ApiError(502, {}))).toBe('The problem is on our side. Try again in a moment.');
  });
});

describe('fieldText', () => {
  const error = new ApiError(400, {
    message: 'Title is required.',
    code: 'invalid',
    reason: 'title_missing',
    fields: { title: 'Title is required.' },
  });

  it('is what the server says of the field, in the language of its reader', async () => {
    expect(fieldText(error, 'title')).toBe('Title is required.');
    await setLanguage('bn');
    expect(fieldText(error, 'title')).toBe('শিরোনাম দিন।');
    expect(fieldText(error, 'price')).toBeUndefined();
  });
});
