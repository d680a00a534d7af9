import { expect } from 'vitest';
import type { Notice } from '@/lib/toast';
import { breachOf } from './contract';
import { server } from './server';

/** The toasts since the test began. */
export const notices: Notice[] = [];

/** How mocked responses since the test began violate the OpenAPI document, if they do: a response that the API never gives proves nothing. */
const violations: Promise<string | null>[] = [];
server.events.on('response:mocked', ({ request, response }) => {
  violations.push(breachOf(request, response.clone()));
});

let violationsExpected = false;
/** Lets a test mock a response that the API never gives; it must mock at least one. */
export function apiMisbehaves(): void {
  violationsExpected = true;
}

/** Fails the test if a mocked response was not one of the API, or if all were after `apiMisbehaves`. */
export async function expectContractKept(): Promise<void> {
  const expected = violationsExpected;
  violationsExpected = false;
  const found = (await Promise.all(violations.splice(0))).filter((violation) => violation !== null);
  if (expected) expect(found).not.toEqual([]);
  else expect(found).toEqual([]);
}
