import { Option } from 'commander';
import { rarely } from './help-places.js';

/** As commander takes it: a default comes as what was before. */
type ReadsText<Value> = (text: string, before: Value) => Value;

/** @param read what reads its text. @default it is taken as it is */
export function option<Value>(flags: string, description: string, read?: ReadsText<Value>): Option {
  const made = new Option(flags, description);
  return read === undefined ? made : made.argParser(read);
}

/** One that `--help` leaves to `--help-all`. */
export function rare<Value>(flags: string, description: string, read?: ReadsText<Value>): Option {
  return rarely(option(flags, description, read));
}
