import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { Demo } from './cast';
import { DOC_PICTURES } from './doc-pictures';
import { scenes } from './scenes';
import { stage } from './stage';
import { expect, test } from './test';

// `make docs-screenshots` takes README.md's screenshots, small enough to load with it.

const FOLDER = resolve(import.meta.dirname, '../../../docs/screenshots');
const QUALITY = 80;
const MAX_BYTES = 64 * 1024;

/** WebP, which Playwright's own screenshots do not support. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

function sceneOf(demo: Demo, name: string) {
  const scene = Object.values(scenes(demo))
    .flat()
    .find((known) => known.name === name);
  if (!scene) throw new Error(`no scene is called ${name}`);
  return scene;
}

test('the screenshots of README.md', async ({ visit, demo }) => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const { file, scene, look, height } of DOC_PICTURES)
    await test.step(file, async () => {
      const { show, close } = stage(visit, { ...look, height });
      const picture = await webp(await show(sceneOf(demo, scene)));
      await close();
      await writeFile(join(FOLDER, `${file}.webp`), picture);
      expect.soft(picture.length, `bytes of ${file}`).toBeLessThanOrEqual(MAX_BYTES);
    });
});
