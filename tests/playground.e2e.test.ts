import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type PlaygroundProcess,
  SignedInClient,
  startProcess,
} from '../apps/playground/test/support/playground-process.js';

const executablePath = process.env['MINNE_TEST_CHROMIUM'] ?? findChromium();
const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe.skipIf(executablePath === undefined)(
  'the playground in a browser',
  { timeout: 90_000 },
  () => {
    let directory: string;
    let playground: PlaygroundProcess;
    let context: BrowserContext;
    /** What the browser complains about: violations of the policy, failed requests, errors. */
    let complaints: string[] = [];

    const start = (environment: Record<string, string> = {}) =>
      startProcess({ MINNE_DATA_DIR: join(directory, 'data'), ...environment }, directory);

    /** A new tab at an address, by default signed in with a link of its own. */
    const open = async (address?: string): Promise<Page> => {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('dialog', (dialog) => {
        complaints.push(`A dialog: ${dialog.message()}`);
        dialog.dismiss().catch((error: unknown) => complaints.push(String(error)));
      });
      await page.goto(address ?? (await playground.newLink()));
      return page;
    };

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'minne-e2e-'));
      playground = await start();
      context = await chromium.launchPersistentContext(join(directory, 'profile'), {
        executablePath: executablePath ?? '',
        args: browserFlags,
        viewport: { width: 1280, height: 800 },
      });
    }, 60_000);

    afterEach(async () => {
      // The first tab keeps the browser alive.
      for (const page of context.pages().slice(1)) await page.close();
      const found = complaints;
      complaints = [];
      expect(found).toEqual([]);
    });

    afterAll(async () => {
      await context.close();
      playground.kill('SIGKILL');
      await playground.ended;
      await rm(directory, { recursive: true });
    }, 30_000);

    it('opens signed in by the printed link, once, and leaves no code behind', async () => {
      const page = await open(playground.link);
      await page.getByText('An agent that remembers').waitFor();
      expect(page.url()).toBe(`${playground.url}/`);
      expect(await page.title()).toBe('Minne');
      expect(await page.getByText('Built-in demonstration model').isVisible()).toBe(true);
      await page.reload();
      await page.getByText('An agent that remembers').waitFor();

      const replayed = await open(playground.link);
      await replayed.getByText('This link was used before or is too old').waitFor();
      expect(await replayed.getByLabel('Your message').isVisible()).toBe(false);
      const [refused, ...others] = complaints.splice(0);
      expect([refused, others]).toEqual([expect.stringContaining('401'), []]);

      const stranger = await open(playground.url);
      await stranger.getByText('You are not signed in here').waitFor();
    });

    it('remembers from one conversation to the next', async () => {
      const page = await open();
      await say(page, 'I prefer aisle seats');
      await page.locator('.item-assistant', { hasText: 'I will remember' }).waitFor();
      await page.locator('.memory .entry', { hasText: '/preferences/seat' }).waitFor();
      const roles = page.locator('.stored .role');
      await expect
        .poll(() => roles.allTextContents())
        .toEqual(['user', 'assistant', 'tool', 'assistant']);

      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.getByText('An agent that remembers').waitFor();
      await expect.poll(() => roles.count()).toBe(0);
      await say(page, 'What seat do I like?');
      await page.locator('.item-assistant', { hasText: 'I prefer aisle seats.' }).waitFor();

      const list = page.getByRole('navigation', { name: 'Conversations' });
      await list.getByRole('button', { name: 'I prefer aisle seats' }).click();
      await page.locator('.item-user', { hasText: 'I prefer aisle seats' }).waitFor();
      expect(await page.locator('.item-user').count()).toBe(1);
      await page.reload();
      await page.locator('.item-user', { hasText: 'I prefer aisle seats' }).waitFor();
    });

    it('searches the memories, and forgets one', async () => {
      const page = await open();
      await say(page, 'My favourite colour is blue. I like hiking.');
      const entries = page.locator('.memory .entry-path');
      await expect.poll(() => entries.allTextContents()).toContain('/preferences/hiking');
      const search = page.getByLabel('Search the memories');
      await search.fill('which colour?');
      await expect.poll(() => entries.allTextContents()).toEqual(['/preferences/colour']);
      await search.fill('"( zebra* OR');
      await page.getByText('Nothing is found for').waitFor();
      await search.fill('');
      await expect.poll(() => entries.allTextContents()).toContain('/preferences/hiking');

      await page.getByRole('button', { name: 'Forget /preferences/hiking' }).click();
      expect(await entries.allTextContents()).toContain('/preferences/hiking');
      await page.getByRole('button', { name: 'Really forget /preferences/hiking?' }).click();
      await expect.poll(() => entries.allTextContents()).not.toContain('/preferences/hiking');
      // The keyboard is not sent back to the top of the page.
      await expect.poll(() => page.locator('.memory .entry-foot button:focus').count()).toBe(1);
    });

    it('shows what looks like HTML as the text that it is', async () => {
      const page = await open();
      const attack = '<img src=x onerror=alert(1)><script>alert(2)</script>';
      await say(page, `I like ${attack}`);
      for (const place of ['.item-user', '.item-assistant', '.content-text', '.entry-content']) {
        await page.locator(place, { hasText: attack }).first().waitFor();
      }
      await page.locator('.conversation-list', { hasText: '<img src=x' }).waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.locator('script').count()).toBe(1);
    });

    it('runs no script that was brought in, even if something let it', async () => {
      const page = await open();
      await page.getByLabel('Your message').waitFor();
      await page.evaluate(`
        const script = document.createElement('script');
        script.textContent = 'document.title = "broken into"';
        document.body.append(script);
      `);
      expect(await page.title()).toBe('Minne');
      const [violation] = complaints.splice(0);
      expect(violation).toContain('Content Security Policy');
    });

    it('stops an answer, and keeps what there is of it', async () => {
      const page = await open();
      await send(page, 'help');
      await page.locator('.item-assistant', { hasText: 'small demonstration' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('The answer was stopped.').waitFor();
      await page.locator('.stored .badge', { hasText: 'incomplete' }).waitFor();
      await say(page, 'What did I say?');
      await page.locator('.item-assistant', { hasText: '“help”' }).waitFor();
    });

    it('goes on answering one conversation while another is open', async () => {
      const page = await open();
      await send(page, 'Hello');
      await page.locator('.item-assistant').waitFor();
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.getByText('An agent that remembers').waitFor();
      const list = page.getByRole('navigation', { name: 'Conversations' });
      await list.getByRole('button', { name: 'Hello' }).click();
      await page.locator('.item-assistant', { hasText: 'my seat preference”.' }).waitFor();
    });

    it('works in a narrow window, one part at a time', async () => {
      const page = await open();
      await page.setViewportSize({ width: 360, height: 640 });
      await say(page, 'My name is Ada and I live in a very-long-place-name-without-any-space');
      const parts = page.getByRole('navigation', { name: 'Parts of the page' });
      expect(await page.getByLabel('Search the memories').isVisible()).toBe(false);
      for (const [name, seen] of [
        ['Memory', '.entry-path'],
        ['Messages', '.stored .role'],
        ['Conversations', '.conversation-list li'],
        ['Chat', '.item-user'],
      ] as const) {
        await parts.getByRole('button', { name }).click();
        await page.locator(seen).first().waitFor();
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect([name, overflow]).toEqual([name, 0]);
      }
    });

    it('shows older conversations and earlier messages when asked', async () => {
      const client = await SignedInClient.open(await playground.newLink());
      const long = await client.newSession();
      await client.say(long, 'Thanks, the first time');
      for (let turn = 0; turn < 50; turn += 1) await client.say(long, 'Thanks');
      for (let made = 0; made < 30; made += 1)
        await client.say(await client.newSession(), 'Thanks');

      const page = await open();
      const list = page.getByRole('navigation', { name: 'Conversations' });
      const oldest = list.getByRole('button', { name: 'Thanks, the first time' });
      await list.getByRole('button', { name: 'Show older' }).waitFor();
      expect(await oldest.count()).toBe(0);
      await list.getByRole('button', { name: 'Show older' }).click();
      await oldest.click();
      const count = page.locator('#stored-count');
      await expect.poll(() => count.textContent()).toBe('the newest 100');
      await page.getByRole('button', { name: 'Show earlier' }).click();
      await expect.poll(() => count.textContent()).toBe('102');
      await say(page, 'Thanks');
      await expect.poll(() => count.textContent()).toBe('104');
      await page.locator('.item-user', { hasText: 'Thanks, the first time' }).waitFor();
    });

    it('signs out', async () => {
      const page = await open();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You have signed out.').waitFor();
      await page.reload();
      await page.getByText('You are not signed in here').waitFor();
    });

    it('goes on after the server was killed in the middle of an answer', async () => {
      const page = await open();
      await say(page, 'My name is Ada');
      await send(page, 'Hello again');
      await page.locator('.item-assistant', { hasText: 'Hello! I am' }).waitFor();
      playground.kill('SIGKILL');
      await playground.ended;
      await page.getByRole('status').filter({ hasText: /\S/ }).waitFor();

      playground = await start({ PORT: new URL(playground.url).port });
      complaints = [];
      await page.goto(playground.link);
      await page.locator('.item-user', { hasText: 'Hello again' }).waitFor();
      await say(page, 'What is my name?');
      await page.locator('.item-assistant', { hasText: '“My name is Ada.”' }).last().waitFor();
    });
  },
);

/** Writes a message. */
async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.getByLabel('Your message').press('Enter');
}

/** Writes a message and waits for the end of the answer. */
async function say(page: Page, text: string): Promise<void> {
  await send(page, text);
  await page.locator('.transcript[aria-busy="true"]').waitFor();
  await page.locator('.transcript[aria-busy="false"]').waitFor();
}

function findChromium(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
    )
    .find((path) => existsSync(path));
}
