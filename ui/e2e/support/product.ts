import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The whole product as one program. */
export const BINARY = resolve(import.meta.dirname, '../../../bin/local');
const START_TIMEOUT = 90_000;

/** Memory if Linux offers enough, so that no test waits for a disk. */
function dataFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

export type Product = { url: string; stop: () => Promise<void> };

/** Starts the product with its own data, and without limits unless `env` sets them. */
export async function startProduct(env: NodeJS.ProcessEnv = {}): Promise<Product> {
  const data = mkdtempSync(join(dataFolder(), 'amanat-e2e-'));
  chmodSync(data, 0o755); // the database runs as another user and must get through
  // A host name, because passkeys belong to a domain, never to an IP address.
  const url = `http://localhost:${await freePort()}`;
  const product = spawn(BINARY, {
    // New users would otherwise meet the limits of new accounts.
    env: {
      TRUST_LIMITS: 'off',
      ...process.env,
      ...env,
      PORT: new URL(url).port,
      AMANAT_DATA: join(data, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  product.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  product.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const stop = async () => {
    if (product.exitCode === null) {
      product.kill('SIGTERM');
      await once(product, 'exit');
    }
    rmSync(data, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT;
  while (!(await answers(`${url}/api/public/public-stats`))) {
    if (product.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the product did not start:\n${log}`);
    }
    await new Promise((resume) => setTimeout(resume, 200));
  }
  return { url, stop };
}
