import type { EntryWire } from '@minne/core/memory';
import { element, find, timeElement } from './dom.js';

/** A memory, with its score when it was searched for. */
export interface ShownEntry {
  readonly entry: EntryWire;
  readonly score?: number;
}

/** What a person does with the memories. */
export interface MemoryPanelActions {
  /** An empty query asks for everything. */
  search(query: string): void;
  forget(entry: EntryWire): void;
}

const typingPause = 250;

/** The memories of the person, or those that a search found. */
export class MemoryPanel {
  readonly #list = find('memory-list', HTMLUListElement);
  readonly #count = find('memory-count', HTMLElement);
  readonly #search = find('search', HTMLInputElement);
  readonly #actions: MemoryPanelActions;
  #revisions: ReadonlyMap<string, string> | undefined;

  constructor(actions: MemoryPanelActions) {
    this.#actions = actions;
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#search.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => actions.search(this.query), typingPause);
    });
    find('search-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      clearTimeout(timer);
      actions.search(this.query);
    });
  }

  get query(): string {
    return this.#search.value.trim();
  }

  show(entries: readonly ShownEntry[], query: string): void {
    const before = this.#revisions;
    const revisions = new Map(entries.map(({ entry }) => [entry.name, revisionOf(entry)]));
    const nodes = entries.map((shown) => {
      const { name } = shown.entry;
      const isFresh =
        query === '' && before !== undefined && before.get(name) !== revisions.get(name);
      return this.#node(shown, isFresh);
    });
    if (query === '') this.#revisions = revisions;
    this.#count.textContent = query === '' ? String(entries.length) : `${entries.length} found`;
    if (entries.length === 0) {
      const text =
        query === ''
          ? 'Nothing is remembered yet. Tell the agent something about yourself.'
          : `Nothing is found for “${query}”.`;
      nodes.push(element('li', { class: 'empty' }, text));
    }
    const active = document.activeElement;
    const focused = this.#buttons().findIndex((button) => button.isSameNode(active));
    this.#list.replaceChildren(...nodes);
    if (focused === -1) return;
    // Whoever forgets one with the keyboard goes on at the next.
    const buttons = this.#buttons();
    (buttons[focused] ?? buttons.at(-1) ?? this.#search).focus();
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.#list.querySelectorAll('button')];
  }

  #node({ entry, score }: ShownEntry, isFresh: boolean): HTMLLIElement {
    const forget = element(
      'button',
      { type: 'button', class: 'quiet', 'aria-label': `Forget ${entry.path}` },
      'Forget',
    );
    forget.addEventListener('click', () => {
      if (forget.classList.contains('sure')) return this.#actions.forget(entry);
      forget.classList.add('sure');
      forget.textContent = 'Really forget?';
      forget.setAttribute('aria-label', `Really forget ${entry.path}?`);
    });
    forget.addEventListener('blur', () => {
      forget.classList.remove('sure');
      forget.textContent = 'Forget';
      forget.setAttribute('aria-label', `Forget ${entry.path}`);
    });
    const description = entry.description ?? '';
    const [note, explanation] =
      score === undefined
        ? [description, description]
        : [`score ${score.toFixed(3)}`, 'How well it fits the search: higher is better.'];
    return element(
      'li',
      { class: isFresh ? 'entry fresh' : 'entry' },
      element('span', { class: 'entry-path' }, entry.path),
      element('p', { class: 'entry-content' }, entry.content ?? ''),
      element(
        'div',
        { class: 'entry-foot' },
        element('span', { class: 'hint', title: explanation }, note),
        timeElement(entry.update_time),
        forget,
      ),
    );
  }
}

function revisionOf(entry: EntryWire): string {
  return `${entry.revision ?? ''} ${entry.update_time}`;
}
