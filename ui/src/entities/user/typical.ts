const HOUR = 60;
const DAY = 24 * HOUR;

export type Typical = { unit: 'minutes' | 'hours' | 'days'; count: number };

/** A typical time in its largest unit, rounded up: 90 minutes become 2 hours. */
export function typicalTime(minutes: number): Typical {
  if (minutes < HOUR) return { unit: 'minutes', count: minutes };
  if (minutes < DAY) return { unit: 'hours', count: Math.ceil(minutes / HOUR) };
  return { unit: 'days', count: Math.ceil(minutes / DAY) };
}

export const typicalHours = (hours: number): Typical => typicalTime(hours * HOUR);
