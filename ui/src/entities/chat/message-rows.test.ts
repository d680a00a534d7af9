import { describe, expect, it } from 'vitest';
import { previewOf } from '@/entities/chat/conversation-row';
import { dayHeading, shortDate } from '@/entities/chat/message-rows';
import { aMessage, minute } from '@/testing/chat';
import { logRows } from './message-rows';

const me = 'u-nusrat';

describe('rows', () => {
  it('keep together what one person writes with no more than five minutes in between', () => {
    const rows = logRows([
      aMessage({ _id: '1', createdAt: minute(0) }),
      aMessage({ _id: '2', createdAt: minute(5) }),
      aMessage({ _id: '3', createdAt: minute(10.1) }),
      aMessage({ _id: '4', createdAt: minute(11), senderId: me }),
    ]);
    expect(rows.map(({ starts, ends }) => [starts, ends])).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });

  it('begin a day at midnight in Dhaka', () => {
    const rows = logRows([
      aMessage({ _id: '1', createdAt: '2026-11-20T17:58:00Z' }),
      aMessage({ _id: '2', createdAt: '2026-11-20T17:59:59Z' }),
      aMessage({ _id: '3', createdAt: '2026-11-20T18:00:00Z' }),
    ]);
    expect(rows.map(({ newDay }) => newDay)).toEqual([true, false, true]);
    expect(rows.map(({ ends }) => ends)).toEqual([false, true, true]);
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-20T18:30:00Z'); // 00:30 on the 21st in Dhaka

  it.each([
    ['2026-11-20T18:10:00Z', '00:10', 'Today'],
    ['2026-11-20T17:10:00Z', 'Yesterday', 'Yesterday'],
    ['2026-11-16T05:00:00Z', '16 Nov', 'Monday 16 November'],
    ['2025-11-16T05:00:00Z', '16 Nov 2025', 'Sunday, 16 November 2025'],
  ])('%s', (at, short, day) => {
    expect([shortDate(at, now), dayHeading(at, now)]).toEqual([short, day]);
  });
});

it('previews are cut after 30 letters, whatever the alphabet', () => {
  expect(previewOf('x'.repeat(30))).toBe('x'.repeat(30));
  expect(previewOf('x'.repeat(31))).toBe(`${'x'.repeat(30)}…`);
  expect(previewOf('😀'.repeat(31))).toBe(`${'😀'.repeat(30)}…`);
  expect(previewOf('two\n lines')).toBe('two lines');
  expect(previewOf(`${'x'.repeat(29)}ক্ষি abc`)).toBe(`${'x'.repeat(29)}…`);
  expect(previewOf(`${'x'.repeat(29)}🇧🇩`)).toBe(`${'x'.repeat(29)}…`);
});
