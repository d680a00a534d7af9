import type { Page } from '@playwright/test';

export type Point = { x: number; y: number };

const STEPS = 6;

/** Touches with the events of a phone. */
export async function fingersOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });

  /** Moves each finger from its first to its last point. */
  const drag = async (...ways: [from: Point, to: Point][]) => {
    const at = (step: number) =>
      ways.map(([from, to], id) => ({
        id,
        x: from.x + ((to.x - from.x) * step) / STEPS,
        y: from.y + ((to.y - from.y) * step) / STEPS,
      }));
    await touch('touchStart', at(0));
    for (let step = 1; step <= STEPS; step += 1) await touch('touchMove', at(step));
    await touch('touchEnd', []);
  };

  return {
    drag,
    swipe: (from: Point, { x, y }: Point) => drag([from, { x: from.x + x, y: from.y + y }]),
    async tap(at: Point): Promise<void> {
      await touch('touchStart', [at]);
      await touch('touchEnd', []);
    },
  };
}
