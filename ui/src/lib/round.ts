const ROUND = [1, 2, 2.5, 5, 10];

/** The next round number at or above a positive one: 1, 2, 2.5 or 5 times a power of ten. */
export function roundAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find((digit) => digit * power >= value) ?? 10) * power;
}
