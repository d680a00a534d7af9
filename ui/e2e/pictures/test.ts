import { test as base } from '../support/test';
import { type Demo, prepare } from './cast';

export { expect } from '../support/test';

export const test = base.extend<{
  demo: Demo;
}>({
  demo: async ({ visit, admin }, use) => use(await prepare(visit, admin)),
  // Some screenshots show failures.
  faults: ({}, use) => use(undefined),
});
