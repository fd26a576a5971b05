import { taskNames } from '@orchard/contracts';

export const componentsFolder = 'components';

/** Where a component is stored: the model file of one network. */
export function componentName(run: string, component: number): string {
  return taskNames.artefact({ run, key: `c${String(component)}` }, componentsFolder);
}

/** The component that a task's key names. */
export function componentIn(key: string): number {
  return Number(key.slice(1));
}
