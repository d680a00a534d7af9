import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { type Translate, translate } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin';
import { ACTIONS, actionText, ranBy, subjectText } from './entry-text';

const t: Translate<typeof adminRecords> = (key, ...args) => translate(adminRecords, key, ...args);

it('names every action that the server records', () => {
  const root = resolve(import.meta.dirname, '../../../../..');
  const recorded = ['internal', 'queue']
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.go') && !file.endsWith('_test.go') && !/\/store\w*\.go$/.test(file))
    .map((file) => readFileSync(resolve(root, file), 'utf8'))
    .filter((source) => source.includes('internal/app/audit"'))
    .flatMap((source) => [
      ...source.matchAll(
        /"((?:deposit|withdrawal|deal|support|report|user|operation|job|queue|pause|exchange_rate|chat|blobs)\.[a-z_]+)"/g,
      ),
    ])
    .map(([, action]) => action ?? '');
  expect(recorded).toContain('queue.pause');
  expect(recorded.filter((action) => !ACTIONS.some((known) => known === action))).toEqual([]);
});

it('says who ran a command', () => {
  expect(ranBy({ reason: 'a leak', ranBy: 'root@db1 (karim)' })).toBe('root@db1 (karim)');
  expect(ranBy({ ranBy: 7 })).toBe('');
});

it('says what was done with what', () => {
  expect(actionText(t, 'job.retry')).toBe('Job retried');
  expect(actionText(t, 'post.frame')).toBe('post.frame');
  expect(subjectText(t, 'deal:01a2041c-0a4b-7a53-8c25-1f8d4cce3406')).toBe('Deal 4cce-3406');
  expect(subjectText(t, 'job:417')).toBe('Job 417');
  expect(subjectText(t, 'queue:money')).toBe('Queue money');
  expect(subjectText(t, 'database')).toBe('Database');
  expect(actionText(t, 'database.migrate')).toBe('Database brought to a version');
});
