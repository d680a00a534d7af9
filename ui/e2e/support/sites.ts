const VARIABLE = 'AMANAT_E2E_SITES';

/** Tells the workers, which inherit the environment, where the sites are. */
export function announceSites(urls: readonly string[]): void {
  process.env[VARIABLE] = urls.join(' ');
}

/** The site of a worker, which has it to itself: tests move the clock and look into queues. */
export function siteOf(parallelIndex: number): string {
  const url = process.env[VARIABLE]?.split(' ')[parallelIndex];
  if (!url) throw new Error(`worker ${parallelIndex} has no site`);
  return url;
}
