import { WireRefusal } from './wire-refusal.js';

/** `Model`. */
function model(id: string): Readonly<Record<string, unknown>> {
  return { id, object: 'model', created: 1_686_935_002, owned_by: 'openai-wire' };
}

/** Body of `GET /models`: `ListModelsResponse`. */
export function listModels(models: readonly string[]): Readonly<Record<string, unknown>> {
  return { object: 'list', data: models.map(model) };
}

/** Body of `GET /models/{model}`. */
export function retrieveModel(id: string, models: readonly string[]) {
  checkModel(id, models);
  return model(id);
}

/**
 * Refuses a model that the server has not. Shape as seen in
 * https://github.com/shobrook/wut/issues/14.
 */
export function checkModel(id: unknown, models: readonly string[]): void {
  if (typeof id === 'string' && models.includes(id)) return;
  throw new WireRefusal(
    `The model \`${String(id)}\` does not exist or you do not have access to it.`,
    { status: 404, code: 'model_not_found' },
  );
}
