import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './people';

/** The next call to the address does its work, and the connection breaks before its answer. */
export async function loseAnswer(page: Page, address: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route(address, lose, { times: 1 });
}

/** The next call to the address does its work; the answer waits until it is let through, if ever. */
export async function holdAnswer(page: Page, address: string): Promise<{ done: Promise<void>; letThrough: () => void }> {
  let letThrough: () => void = () => undefined;
  let finish: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const hold = async (route: Route) => {
    const response = await route.fetch();
    finish();
    await allowed;
    await route.fulfill({ response });
  };
  await page.route(address, hold, { times: 1 });
  return { done, letThrough };
}

/** The browsers have complained of the broken connection alone. */
export function expectOnlyBreaks(...people: Pick<Person, 'name' | 'faults'>[]): void {
  for (const { name, faults } of people)
    expect(
      faults.filter((fault) => !/net::ERR_(CONNECTION_RESET|INTERNET_DISCONNECTED|FAILED)/.test(fault)),
      name,
    ).toEqual([]);
}
