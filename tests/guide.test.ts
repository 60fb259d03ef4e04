import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mem0WireServer, startMem0Wire } from '@minne/mem0-wire';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { snippetsOf } from './support/markdown.js';
import { readText, sourceFiles } from './support/repository.js';
import { createSnippetFolder } from './support/snippet-folder.js';

/** Runs every snippet of the guide as a module of its own, with a model and a Mem0 on this machine. */
describe.each(sourceFiles('docs/guide/*.md'))('%s', (path) => {
  let folder: string;
  let model: OpenAIWireServer;
  let mem0: Mem0WireServer;

  beforeAll(async () => {
    folder = createSnippetFolder(path.replace(/[^\w]/g, '-'));
    model = await startOpenAIWire({
      apiKey: 'key-of-the-test',
      fallback: ({ body }) => {
        const {
          tools,
          messages,
          response_format: format,
        } = body as Readonly<
          Record<
            string,
            readonly { readonly role?: string; readonly function?: { name: string } }[]
          >
        >;
        const tool = tools?.[0]?.function?.name;
        const asked = messages?.at(-1)?.role === 'user';
        if (format !== undefined) return { text: '{"seat":"aisle"}' };
        if (tool === undefined || !asked) return { text: 'Very well.' };
        const input = { city: 'Oslo', to: 'Ann', amount: 20, task: 'Which river?' };
        return { toolCalls: [{ name: tool, arguments: input }] };
      },
    });
    mem0 = await startMem0Wire({ apiKey: 'key-of-the-test' });
    vi.stubEnv('MEM0_API_KEY', 'key-of-the-test');
    vi.stubEnv('MEM0_HOST', mem0.host);
    vi.stubEnv('MEM0_DIR', folder);
    vi.stubEnv('OPENAI_API_KEY', 'key-of-the-test');
    vi.stubEnv('OPENAI_BASE_URL', model.baseUrl);
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await model.close();
    await mem0.close();
    rmSync(folder, { recursive: true });
  });

  it.each(snippetsOf(readText(path)))('runs the snippet at line $line', async ({ line, code }) => {
    const file = join(folder, `line-${line}.ts`);
    writeFileSync(file, code);
    const before = model.requests.length;
    await import(file);
    const asksModel = /\b(?:agent|guide)\.run|\brun\(agent/.test(code);
    expect(model.requests.length > before).toBe(asksModel);
    expect(model.requests.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
  });
});
