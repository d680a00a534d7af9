import { expect } from 'vitest';
import type { Notice } from '@/lib/toast';
import { breachOf } from './contract';
import { server } from './server';

/** The test's toasts. */
export const notices: Notice[] = [];

/**
 * Violations of the OpenAPI document by the test's mocked responses: a response the API never gives
 * proves nothing.
 */
const violations: Promise<string | null>[] = [];
server.events.on('response:mocked', ({ request, response }) => {
  violations.push(breachOf(request, response.clone()));
});

let violationsExpected = false;
/** Allows responses that the API never gives; the test must mock at least one. */
export function apiMisbehaves(): void {
  violationsExpected = true;
}

/**
 * Fails the test for a response that violates the document, or if none did after `apiMisbehaves`.
 */
export async function expectContractKept(): Promise<void> {
  const expected = violationsExpected;
  violationsExpected = false;
  const found = (await Promise.all(violations.splice(0))).filter((violation) => violation !== null);
  if (expected) expect(found).not.toEqual([]);
  else expect(found).toEqual([]);
}
