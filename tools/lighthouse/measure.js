// Measures public pages as Lighthouse sees them on a phone, the median of five runs: `make
// lighthouse`. Starts the product on data of its own, or uses the one at SITE. Fails when a page
// misses its target. The figures mean nothing on a busy machine: the load stands beside them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { browserPath } from '../../ui/tools/browser.js';

const RUNS = Number(process.env.RUNS ?? 5);
const PAGES = (process.env.PAGES ?? '/,/explore,/login').split(',');
const TARGETS = { performance: 95, accessibility: 100, 'best-practices': 100 };
const FIGURES = {
  'first-contentful-paint': 'FCP ms',
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': 'TBT ms',
  'cumulative-layout-shift': 'CLS',
};

const PORT = 8479;
const START_TIMEOUT = 90_000;

/** The address of the product and what stops it. */
async function site() {
  if (process.env.SITE) return { url: process.env.SITE, stop: async () => undefined };
  const data = mkdtempSync(join(tmpdir(), 'amanat-lighthouse-'));
  chmodSync(data, 0o755); // the database runs as another user and must get through
  const product = spawn(resolve(import.meta.dirname, '../../bin/local'), {
    env: { ...process.env, PORT: String(PORT), AMANAT_DATA: join(data, 'data') },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${PORT}`;
  const stop = async () => {
    if (product.exitCode === null && product.kill('SIGTERM')) await once(product, 'exit');
    rmSync(data, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT;
  const answers = () =>
    fetch(`${url}/api/public/public-stats`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (product.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error('the product did not start; `make run` says why');
    }
    await pause(200);
  }
  return { url, stop };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(url, page) {
  const results = [];
  for (let run = 0; run < RUNS; run++) {
    // A browser of its own each time: nothing is in a cache.
    const chrome = await launch({ chromePath: browserPath, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
    try {
      const { lhr } = await lighthouse(url + page, { port: chrome.port, onlyCategories: Object.keys(TARGETS) });
      if (lhr.runtimeError) throw new Error(`${page}: ${lhr.runtimeError.message}`);
      results.push(lhr);
    } finally {
      chrome.kill();
    }
  }
  return results;
}

/** Prints the figures of a page and what it lost points for; tells whether it met its targets. */
function report(page, results) {
  let met = true;
  const scores = Object.entries(TARGETS).map(([name, target]) => {
    const score = Math.round(100 * median(results.map(({ categories }) => categories[name].score)));
    met &&= score >= target;
    return `${name} ${score}${score < target ? ` (wanted ${target})` : ''}`;
  });
  const figures = Object.entries(FIGURES).map(([audit, name]) => {
    const value = median(results.map(({ audits }) => audits[audit].numericValue));
    return `${name} ${name === 'CLS' ? value.toFixed(3) : Math.round(value)}`;
  });
  console.log(`${page.padEnd(10)} ${scores.join(', ')}; ${figures.join(', ')}; load ${loadavg()[0].toFixed(1)}`);
  const last = results.at(-1);
  for (const { id } of ['accessibility', 'best-practices'].flatMap((name) => last.categories[name].auditRefs)) {
    const { score, scoreDisplayMode, title, details } = last.audits[id];
    if (score === null || score === 1 || scoreDisplayMode === 'informative') continue;
    console.log(`           ${id}: ${title} ${JSON.stringify(details?.items ?? []).slice(0, 300)}`);
  }
  return met;
}

const { url, stop } = await site();
let met = true;
try {
  for (const page of PAGES) met = report(page, await measure(url, page)) && met;
} finally {
  await stop();
}
process.exit(met ? 0 : 1);
