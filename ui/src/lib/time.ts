import { currentLanguage } from '@/i18n';
import { localDigits } from '@/i18n/numbers';
import { serverNow } from './server-clock';

const ZONE = 'Asia/Dhaka';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Remaining = { past: boolean; days: number; hours: number; minutes: number };

/** The time until a moment in days, hours and minutes; `past` from that moment on. */
export function remaining(until: number, from: number): Remaining {
  const left = Math.max(0, until - from);
  return {
    past: until <= from,
    days: Math.floor(left / DAY),
    hours: Math.floor((left % DAY) / HOUR),
    minutes: Math.floor((left % HOUR) / MINUTE),
  };
}

export function daysBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / DAY));
}

// Dhaka has no daylight saving time.
const DHAKA = 6 * HOUR;

function dhakaYear(moment: number): number {
  return new Date(moment + DHAKA).getUTCFullYear();
}

type Style = 'day' | 'weekday' | 'clock' | 'moment' | 'long' | 'month' | 'monthName' | 'date';
/** These always or never contain the year. */
const SET_YEAR: readonly Style[] = ['clock', 'month', 'monthName', 'date'];

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  day: { day: 'numeric', month: 'short' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  long: { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  month: { month: 'long', year: 'numeric' },
  monthName: { month: 'short' },
  date: { day: 'numeric', month: 'long', year: 'numeric' },
};
const formats = new Map<string, Intl.DateTimeFormat>();

/** The parts of the day in Bangla and their first hours. CLDR's words are not the spoken ones. */
const PARTS: readonly [from: number, name: string][] = [
  [20, 'রাত'],
  [18, 'সন্ধ্যা'],
  [16, 'বিকেল'],
  [12, 'দুপুর'],
  [6, 'সকাল'],
  [4, 'ভোর'],
  [0, 'রাত'],
];

/** "রাত ১১:০৫": people say the part of the day and an hour up to twelve. */
function banglaClock(moment: number): string {
  const at = new Date(moment + DHAKA);
  const hour = at.getUTCHours();
  const part = PARTS.find(([from]) => hour >= from)?.[1];
  return localDigits(`${part} ${hour % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')}`);
}

/**
 * Formats a moment (RFC 3339 or epoch milliseconds) in Dhaka time: day "8 Nov", weekday "Thursday
 * 26 November", clock "10:14", moment "8 Nov, 10:14", long "Thursday, 26 November at 15:52", month
 * "June 2026", monthName "Jun", date "1 November 2026". The other forms with a day add a year other
 * than the present one. In Bangla a clock has twelve hours.
 */
export function formatTime(moment: string | number, style: Style): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  const bangla = currentLanguage() === 'bn';
  if (bangla && style === 'clock') return banglaClock(date.getTime());
  if (bangla && style === 'moment') return `${formatTime(moment, 'day')}, ${formatTime(moment, 'clock')}`;
  if (bangla && style === 'long') return `${formatTime(moment, 'weekday')}, ${formatTime(moment, 'clock')}`;
  const locale = bangla ? 'bn-BD' : 'en-GB';
  const otherYear = !SET_YEAR.includes(style) && dhakaYear(date.getTime()) !== dhakaYear(serverNow());
  const key = `${locale}${style}${otherYear}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { timeZone: ZONE, ...STYLES[style], ...(otherYear ? { year: 'numeric' } : {}) });
    formats.set(key, format);
  }
  return format.format(date);
}

export function dayNumber(moment: number): number {
  return Math.floor((moment + DHAKA) / DAY);
}

const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });

/** A moment's day in Dhaka: "2026-11-08". */
export function dhakaDay(moment: number): string {
  return dayFormat.format(moment);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

export function startOfDay(day: string): string {
  return `${day}T00:00:00+06:00`;
}
