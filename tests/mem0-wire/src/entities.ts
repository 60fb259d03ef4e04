/** The ids that a memory can be filed under. */
export const entityFields = ['user_id', 'agent_id', 'app_id', 'run_id'] as const;

/** One of them. */
export type EntityField = (typeof entityFields)[number];

/** Whose a memory is. A field that is not there is null on the wire. */
export type Entities = Readonly<Partial<Record<EntityField, string>>>;

/** Whether `name` is one of the four. */
export function isEntityField(name: string): name is EntityField {
  return entityFields.some((field) => field === name);
}
