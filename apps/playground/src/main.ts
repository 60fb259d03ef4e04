import { fileURLToPath } from 'node:url';
import { hasErrorCode, MinneError } from '@minne/core';
import { listen } from '@minne/memory-server/node';
import { announcement } from './announcement.js';
import { openDataFolder } from './data-folder.js';
import { readPageFiles } from './http/page-files.js';
import { checkModel, createChatClient, modelName } from './model.js';
import { openPlayground } from './playground.js';
import { isLoopback, readSettings } from './settings.js';
import { SignIn, signInLink } from './sign-in.js';
import { canReadEnter, readEnter } from './terminal.js';

try {
  await run();
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const settings = readSettings(process.env, process.cwd());
  await checkModel(settings.model);
  const folder = await openDataFolder(settings.dataDirectory, settings.adminToken);
  const signIn = new SignIn();
  const told = {
    folder,
    modelName: modelName(settings.model),
    isDemonstration: settings.model.kind === 'demonstration',
  };
  const playground = await openPlayground({
    ...told,
    host: settings.host,
    chatClient: createChatClient(settings.model),
    signIn,
    page: await readPageFiles(fileURLToPath(new URL('page/', import.meta.url))),
    report: (error) => process.stderr.write(`${sentence(error)}\n`),
  });
  try {
    const { url, close } = await listen(playground.app, {
      host: settings.host,
      port: settings.port,
    });
    const link = () => signInLink(url, signIn.issueCode());
    const readsEnter = await canReadEnter();
    process.stdout.write(
      announcement({ ...told, url, link: link(), isOpen: !isLoopback(settings.host), readsEnter }),
    );
    for (const warning of [...settings.warnings, ...folder.warnings])
      process.stderr.write(`${warning}\n`);
    const stopReading = readsEnter
      ? readEnter(() => process.stdout.write(`  ${link()}\n`))
      : undefined;
    await interrupted();
    stopReading?.();
    playground.stop();
    await close();
  } finally {
    await playground.close();
  }
}

/** Resolves at the first signal to end; a second one ends at once. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve());
    }
  });
}

/** What a person needs to read of an error: no stack. */
function sentence(error: unknown): string {
  if (hasErrorCode(error, 'configuration') && (error.field === 'port' || error.field === 'host')) {
    return `${error.field.toUpperCase()}: ${error.message}`;
  }
  if (MinneError.isInstance(error)) return error.message;
  return `Something failed that should not have: ${error instanceof Error ? error.message : String(error)}`;
}
