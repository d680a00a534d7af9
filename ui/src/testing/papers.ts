import type { Paper } from '@/api/contract';

export function aPaper(over: Partial<Paper> = {}): Paper {
  return {
    code: '04pq8vzj3n',
    number: 'D-00AB-12CD-34EF',
    madeAt: '2026-11-21T05:07:00Z',
    operator: 'Amanat Ltd, 12 Lake Road, Dhaka',
    usdToBdt: 122.4,
    ...over,
  };
}
