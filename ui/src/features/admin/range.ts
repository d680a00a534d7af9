import { addDays, dhakaDay, serverNow } from '@/lib/time';
import type { Range } from './range-search';

/** SPEC §9: lifetime, 7, 15, 30 days, custom range. */
export const PRESETS = [7, 15, 30] as const;
type Preset = 'lifetime' | (typeof PRESETS)[number] | 'custom';

export const today = (): string => dhakaDay(serverNow());

/** The last days, today among them. */
export function lastDays(days: number): Range {
  const endDate = today();
  return { startDate: addDays(endDate, 1 - days), endDate };
}

export function presetOf({ startDate, endDate }: Range): Preset {
  if (!startDate && !endDate) return 'lifetime';
  const preset = PRESETS.find((days) => {
    const last = lastDays(days);
    return last.startDate === startDate && last.endDate === endDate;
  });
  return preset ?? 'custom';
}
