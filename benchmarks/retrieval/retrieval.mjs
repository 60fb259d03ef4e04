// Measures how often search finds what a question is about. See README.md for the format of the data.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryEngine } from '../../packages/memory-engine/dist/index.js';
import { SqliteMemoryStorage } from '../../packages/memory-sqlite/dist/index.js';

const cutOffs = [5, 10, 20];
const folder = process.argv[2] ?? process.env.MINNE_RETRIEVAL_DATA;

if (folder === undefined || !existsSync(folder)) {
  console.log(
    'Skipped: give the folder of the retrieval sets as argument or in MINNE_RETRIEVAL_DATA.',
  );
} else {
  const sets = findSets(folder);
  if (sets.length === 0)
    console.log('Skipped: no entries_*.jsonl with its queries_*.jsonl in the folder.');
  for (const set of sets) await measure(set);
}

/** Pairs of `entries_NAME.jsonl` and `queries_NAME.jsonl`, in the folder and the folders in it. */
function findSets(root) {
  const folders = [
    root,
    ...readdirSync(root, { withFileTypes: true })
      .filter((item) => item.isDirectory())
      .map((item) => join(root, item.name)),
  ];
  return folders.flatMap((directory) =>
    readdirSync(directory)
      .sort()
      .flatMap((file) => {
        const name = /^entries_(.+)\.jsonl$/.exec(file)?.[1];
        const queries = join(directory, `queries_${name}.jsonl`);
        if (name === undefined || !existsSync(queries)) return [];
        return [
          {
            name: join(directory, name).slice(root.length + 1),
            entries: join(directory, file),
            queries,
          },
        ];
      }),
  );
}

async function measure({ name, entries, queries }) {
  const storage = new SqliteMemoryStorage({ path: ':memory:' });
  const store = await new MemoryEngine({ storage }).openStore('retrieval');
  const rows = readLines(entries);
  const writing = performance.now();
  for (const row of rows) {
    const { actor_id: actorId, session_id: sessionId, path, content, description } = row;
    await store.add({
      actorId,
      path,
      content,
      ...(sessionId && { sessionId }),
      ...(description && { description }),
    });
  }
  const searching = performance.now();
  const results = [];
  for (const { actor_id: actorId, query, relevant_paths: relevant, category } of readLines(
    queries,
  )) {
    const hits = await store.search({ actorId, query, limit: Math.max(...cutOffs) });
    results.push({
      category,
      relevant: new Set(relevant),
      paths: hits.map(({ memory }) => memory.path),
    });
  }
  const ended = performance.now();
  await storage.close();

  console.log(`\n${name}: ${rows.length} entries, ${results.length} queries`);
  report('all', results);
  for (const [category, group] of Map.groupBy(results, (result) => result.category)) {
    if (group.length < results.length) report(category, group);
  }
  console.log(
    `  ${((searching - writing) / rows.length).toFixed(2)} ms a write, ${((ended - searching) / results.length).toFixed(2)} ms a search`,
  );
}

function report(label, results) {
  const recalls = cutOffs.map((cutOff) => {
    const recall = mean(
      results,
      ({ relevant, paths }) =>
        paths.slice(0, cutOff).filter((path) => relevant.has(path)).length / relevant.size,
    );
    return `recall@${cutOff} ${recall.toFixed(3)}`;
  });
  const reciprocalRank = mean(results, ({ relevant, paths }) => {
    const rank = paths.findIndex((path) => relevant.has(path));
    return rank === -1 ? 0 : 1 / (rank + 1);
  });
  console.log(
    `  ${label.padEnd(16)} ${recalls.join('  ')}  MRR ${reciprocalRank.toFixed(3)}  (${results.length})`,
  );
}

function mean(results, value) {
  return results.reduce((sum, result) => sum + value(result), 0) / results.length;
}

function readLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
