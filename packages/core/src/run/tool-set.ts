import type { ToolDefinition } from '../chat-client.js';
import { ConfigurationError } from '../errors.js';
import type { Tool } from '../tool.js';

/** A tool with where it came from. */
interface SourcedTool {
  readonly tool: Tool;
  readonly source: string;
}

/** The tools of a run, by name. */
export class ToolSet {
  readonly #tools = new Map<string, SourcedTool>();

  /** @throws ConfigurationError when there is another tool of the same name. */
  add(tools: readonly Tool[], source: string): void {
    for (const tool of tools) {
      const other = this.#tools.get(tool.name);
      if (other !== undefined) {
        throw new ConfigurationError(
          `Two tools are named ${tool.name}: one of ${other.source}, one of ${source}. Rename one.`,
          { packageName: '@minne/core', field: 'tools' },
        );
      }
      this.#tools.set(tool.name, { tool, source });
    }
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)?.tool;
  }

  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** The tools as a model is told of them. */
  definitions(): ToolDefinition[] {
    return [...this.#tools.values()].map(({ tool: { name, description, parameters } }) => ({
      name,
      description,
      parameters,
    }));
  }
}
