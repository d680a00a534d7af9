import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { ApiError, errorText } from './errors';

const refused = (message: string, code = 'conflict') => new ApiError(409, { message, code });

describe('errorText', () => {
  it('is the server’s message where it wrote one, else the fallback', () => {
    expect(errorText(refused('Insufficient balance'), 'Failed')).toBe('Insufficient balance');
    expect(errorText(ApiError.network(new TypeError('Failed to fetch')), 'Failed')).toBe('Failed');
    expect(errorText(new Error('bug'), 'Failed')).toBe('Failed');
    expect(errorText(undefined)).toBe('Something went wrong');
  });

  it('is in Bangla word for word, by pattern, by code, or the fallback', async () => {
    await setLanguage('bn');
    expect(errorText(refused('Insufficient balance'))).toBe('যথেষ্ট ব্যালেন্স নেই');
    expect(errorText(refused('admin is working on this request.'))).toBe('admin এই অনুরোধটি দেখছেন।');
    expect(errorText(refused('Already handled by $& at some time.'))).toBe('$& এটি আগেই সামলেছেন (some time)।');
    expect(errorText(refused('A sentence of tomorrow.', 'not_found'))).toBe('এটি নেই, অথবা আপনার নয়।');
    expect(errorText(refused('A sentence of tomorrow.', 'a_code_of_tomorrow'), 'হলো না')).toBe('হলো না');
  });

  it('has its figures and moments in Bangla, and names as their bearers write them', async () => {
    await setLanguage('bn');
    expect(errorText(refused('Name may have up to 100 characters.'))).toBe('নামে সর্বোচ্চ ১০০টি অক্ষর থাকতে পারে।');
    expect(errorText(refused('admin2 is working on this request.'))).toBe('admin2 এই অনুরোধটি দেখছেন।');
    expect(errorText(refused('Already handled by admin2 at 8 Nov 2019, 00:14.'))).toBe(
      'admin2 এটি আগেই সামলেছেন (৮ নভে, ২০১৯, ০০:১৪)।',
    );
  });
});
