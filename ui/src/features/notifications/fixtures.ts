import type { NotificationSettings, PushDevice } from '@/api/contract';

const BROWSERS = {
  desk: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
  phone: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
};

export const desk: PushDevice = {
  ...{ _id: '0198c0de-0000-7000-8000-00000000000a', userAgent: BROWSERS.desk, current: true },
  ...{ createdAt: '2026-11-08T04:02:00Z', lastUsedAt: null },
};
export const phone: PushDevice = {
  ...{ _id: '0198c0de-0000-7000-8000-00000000000b', userAgent: BROWSERS.phone, current: false },
  ...{ createdAt: '2026-11-07T04:02:00Z', lastUsedAt: '2026-11-08T03:00:00Z' },
};

/** 65 bytes; the first says that the others are a point. */
export const PUBLIC_KEY = `B${'A'.repeat(86)}`;

/** A new user's settings: everything by mail and push, at any time, without details. */
export const settings: NotificationSettings = {
  groups: (['deals', 'money', 'messages', 'reminders', 'account'] as const).map((group) => ({
    ...{ group, mail: true, push: true, mailLocked: group === 'account' },
  })),
  quiet: null,
  details: false,
  publicKey: PUBLIC_KEY,
  devices: [],
};
