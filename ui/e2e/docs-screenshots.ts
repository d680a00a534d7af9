import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Demo, prepare } from './pictures/cast';
import { DOC_PICTURES } from './pictures/docs';
import { scenes } from './pictures/scenes';
import { stage } from './pictures/stage';
import { launch } from './support/browser';

// Not a test: `make docs-screenshots` takes the pictures that README.md shows, each small enough to load with it.

const FOLDER = resolve(import.meta.dirname, '../../docs/screenshots');
const QUALITY = 80;
const MAX_BYTES = 64 * 1024;

let browser: Browser;
let demo: Demo;
beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  browser = await launch();
  demo = await prepare(browser);
});
afterAll(() => browser.close());

/** What the window shows, as WebP, of which Playwright itself knows nothing. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

it.each(DOC_PICTURES)('$file', async ({ file, scene: name, look, height }) => {
  const scene = Object.values(scenes(demo))
    .flat()
    .find((known) => known.name === name);
  if (!scene) throw new Error(`no scene is called ${name}`);
  const { show, close } = stage(browser, { ...look, height });
  const picture = await webp(await show(scene));
  await close();
  await writeFile(join(FOLDER, `${file}.webp`), picture);
  expect(picture.length, 'bytes').toBeLessThanOrEqual(MAX_BYTES);
});
