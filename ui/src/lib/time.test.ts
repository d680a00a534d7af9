import { afterEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { noteServerTime, resetClock, serverNow } from './server-clock';
import { formatTime, remaining } from './time';

const at = (text: string) => Date.parse(text);

describe('remaining', () => {
  it('counts whole days, hours and minutes', () => {
    expect(remaining(at('2026-11-26T09:52:00Z'), at('2026-11-19T05:40:00Z'))).toEqual({
      past: false,
      days: 7,
      hours: 4,
      minutes: 12,
    });
  });

  it('is past at the moment itself, and never negative', () => {
    const moment = at('2026-11-26T09:52:00Z');
    expect(remaining(moment, moment)).toEqual({ past: true, days: 0, hours: 0, minutes: 0 });
    expect(remaining(moment, moment + 1).past).toBe(true);
    expect(remaining(moment, moment - 1).past).toBe(false);
  });
});

describe('the clock', () => {
  afterEach(() => {
    vi.useRealTimers();
    resetClock();
  });

  it('is the server’s, whatever the device says', () => {
    vi.useFakeTimers({ now: at('2020-01-01T00:00:00Z') });
    noteServerTime('Thu, 19 Nov 2026 05:40:00 GMT', Date.now());
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-19T05:40:00.000Z');
  });

  it('does not jump for the length of a request, but follows a real change', () => {
    vi.useFakeTimers({ now: at('2026-11-19T05:40:01.500Z') });
    noteServerTime('Thu, 19 Nov 2026 05:40:00 GMT', Date.now());
    const before = serverNow();
    noteServerTime('Thu, 19 Nov 2026 05:40:01 GMT', Date.now());
    expect(serverNow()).toBe(before);
    noteServerTime('Sun, 22 Nov 2026 05:40:00 GMT', Date.now());
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-22T05:40:00.000Z');
  });

  it('is not put back by an answer that was long on its way', () => {
    vi.useFakeTimers({ now: at('2026-11-19T05:40:00Z') });
    noteServerTime('Thu, 19 Nov 2026 05:40:00 GMT', Date.now());
    const sentAt = Date.now();
    vi.advanceTimersByTime(60_000); // as after the device has slept
    noteServerTime('Thu, 19 Nov 2026 05:40:00 GMT', sentAt);
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-19T05:41:00.000Z');
  });

  it('ignores an answer without a date', () => {
    const before = serverNow();
    noteServerTime(null, Date.now());
    noteServerTime('yesterday', Date.now());
    expect(Math.abs(serverNow() - before)).toBeLessThan(1_000);
  });
});

describe('formatTime', () => {
  afterEach(() => {
    vi.useRealTimers();
    resetClock();
  });

  it('says the year where it is another in Dhaka', () => {
    vi.useFakeTimers({ now: at('2027-01-01T02:00:00Z') });
    noteServerTime('Fri, 01 Jan 2027 02:00:00 GMT', Date.now());
    // In Dhaka, 01:30 of the same day; in London, the last evening of 2026.
    expect(formatTime('2026-12-31T19:30:00Z', 'moment')).toBe('1 Jan, 01:30');
    expect(formatTime('2026-12-31T17:30:00Z', 'moment')).toBe('31 Dec 2026, 23:30');
  });

  it('speaks Dhaka time', async () => {
    const year = new Date(serverNow()).getUTCFullYear();
    expect(formatTime(`${year}-11-08T18:14:00Z`, 'moment')).toBe('9 Nov, 00:14');
    expect(formatTime(`${year}-11-08T18:14:00Z`, 'day')).toBe('9 Nov');
    expect(formatTime('2019-11-08T18:14:00Z', 'day')).toBe('9 Nov 2019');
    expect(formatTime('nonsense', 'day')).toBe('');
    await setLanguage('bn');
    expect(formatTime(`${year}-11-08T18:14:00Z`, 'day')).toContain('৯');
    expect(formatTime('2019-11-08T18:14:00Z', 'long')).toBe('শনিবার, ৯ নভেম্বর, ২০১৯, রাত ১২:১৪');
  });

  it.each([
    ['03:59', 'রাত ৩:৫৯'],
    ['04:00', 'ভোর ৪:০০'],
    ['11:59', 'সকাল ১১:৫৯'],
    ['12:00', 'দুপুর ১২:০০'],
    ['16:05', 'বিকেল ৪:০৫'],
    ['18:30', 'সন্ধ্যা ৬:৩০'],
    ['23:11', 'রাত ১১:১১'],
  ])('calls %s %s in Bangla', async (clock, said) => {
    await setLanguage('bn');
    expect(formatTime(`2026-11-08T${clock}:00+06:00`, 'clock')).toBe(said);
    expect(formatTime(`2019-11-08T${clock}:00+06:00`, 'moment')).toBe(`৮ নভে, ২০১৯, ${said}`);
  });
});
