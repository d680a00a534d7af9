import { expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { copyText } from './copy';

it('copies a text and says so, and says what to do where the browser has no clipboard', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await copyText('one', 'Copied one')).toBe(true);
  expect(writeText).toHaveBeenCalledWith('one');
  vi.stubGlobal('navigator', {});
  expect(await copyText('two', 'Copied two')).toBe(false);
  expect(notices.map(({ kind, text }) => [kind, text])).toEqual([
    ['success', 'Copied one'],
    ['error', 'Could not copy. Select the text and copy it by hand.'],
  ]);
});
