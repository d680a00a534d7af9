import type { Locator } from '@playwright/test';

/** Counts interactions: taps, fields, choices. */
export class Interactions {
  readonly rows: { what: string; kind: 'tap' | 'field' | 'choice' }[] = [];

  async tap(target: Locator, what: string): Promise<void> {
    await target.click();
    this.rows.push({ what, kind: 'tap' });
  }

  async fill(target: Locator, text: string, what: string): Promise<void> {
    await target.fill(text);
    this.rows.push({ what, kind: 'field' });
  }

  table(title: string): string {
    const lines = this.rows.map(({ what, kind }, index) => `${String(index + 1).padStart(3)}  ${kind.padEnd(7)} ${what}`);
    return [`${title}: ${this.rows.length}`, ...lines].join('\n');
  }
}
