import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { doneAs } from '@/testing/outcomes';
import { outcomeText } from './outcomes';

describe('outcomeText', () => {
  it('is the server’s message where it wrote one, else the fallback', () => {
    expect(outcomeText(doneAs('password_changed'), 'Done')).toBe('Your password has been changed.');
    expect(outcomeText({ message: '' }, 'Done')).toBe('Done');
    expect(outcomeText(null, 'Done')).toBe('Done');
    expect(outcomeText({ message: 1 }, 'Done')).toBe('Done');
  });

  it('is in Bangla by the outcome, whatever the message says, else the fallback', async () => {
    await setLanguage('bn');
    expect(outcomeText({ message: 'Some other words.', outcome: 'password_changed' }, 'হয়েছে')).toBe('আপনার পাসওয়ার্ড বদলানো হয়েছে।');
    expect(outcomeText({ message: 'Your password has been changed.' }, 'হয়েছে')).toBe('হয়েছে');
  });
});
