const VARIABLE = 'AMANAT_E2E_SITES';

/** Passes the sites' addresses to the workers by the environment. */
export function announceSites(urls: readonly string[]): void {
  process.env[VARIABLE] = urls.join(' ');
}

/** A worker has a site of its own, because tests move the clock and use queues. */
export function siteOf(parallelIndex: number): string {
  const url = process.env[VARIABLE]?.split(' ')[parallelIndex];
  if (!url) throw new Error(`worker ${parallelIndex} has no site`);
  return url;
}
