import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000' } },
    include: ['src/**/*.test.{ts,tsx}', 'tools/**/*.test.js'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 20_000, // a loaded machine is no failure
    restoreMocks: true,
    unstubGlobals: true,
  },
});
