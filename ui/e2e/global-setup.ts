import { existsSync } from 'node:fs';
import type { FullConfig } from '@playwright/test';
import { BINARY, startProduct } from './support/product';
import { announceSites } from './support/sites';

/** Starts a product for each worker, or uses the one at E2E_URL. */
export default async function setup({ workers }: FullConfig): Promise<() => Promise<void>> {
  if (process.env.E2E_URL) {
    announceSites([process.env.E2E_URL]);
    return () => Promise.resolve();
  }
  if (!existsSync(BINARY)) throw new Error('bin/local is missing: run `make e2e`');
  const started = await Promise.allSettled(Array.from({ length: workers }, () => startProduct()));
  const products = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    await Promise.all(products.map((product) => product.stop()));
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  announceSites(products.map(({ url }) => url));
  return stop;
}
